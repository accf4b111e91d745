/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mapping of time to entities of the program (gaspdb.h).  Columns:
 * events/README.md.
 */
/* clang-format off */
EVENT(ENTITY, 950, "gaspdb_entity_begin", entity, "SE", "entity:u", "entity:u",
	"Work for an entity of the program",
	"From gaspdb_entity_begin to gaspdb_entity_end. entity: an ENTITY or "
	"ENTITY_MIX record of the log. An END belongs to the innermost open "
	"START with the same entity.")
EVENT(WORK, 951, "gaspdb_work_begin", work, "SE", "entity:u work:u",
	"entity:u work:u",
	"Work that was handed over runs",
	"From gaspdb_work_begin to gaspdb_work_end. work: its serial number in "
	"the process. An END belongs to the innermost open START with the same "
	"work.")
EVENT(WORK_PUT, 952, "gaspdb_work_put", work_put, "A", "entity:u work:u", "",
	"Work is handed over",
	"gaspdb_work_put, which gives the work its serial number, from 1.")
/* clang-format on */
#undef EVENT
