/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects of a log, as rows of quality. Import and inspection share them. */
#ifndef GASPDB_IMPORTER_LOG_DAMAGE_H
#define GASPDB_IMPORTER_LOG_DAMAGE_H

#include "importer/quality/quality.h"
#include "importer/run/source.h"

/* Reports a damaged header, and an impossible rank or thread number. */
void gaspdb_damage_header(struct gaspdb_defects *q,
			  const struct gaspdb_registry *r,
			  const struct gaspdb_log_file *log);

/* Reports a damaged block, with the reader's error. */
void gaspdb_damage_block(struct gaspdb_defects *q,
			 const struct gaspdb_log_file *log,
			 const struct gaspdb_error *err);
/* Reports a record with missing or malformed fields. */
void gaspdb_damage_record(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec);
/* Reports a record with an impossible number. */
void gaspdb_damage_number(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec, const char *detail);
/* Reports a META record that contradicts an earlier one about the log's
   identity. */
void gaspdb_damage_identity(struct gaspdb_defects *q,
			    const struct gaspdb_log_file *log,
			    const struct gaspdb_record *rec,
			    const char *detail);
/* Reports a cell, or a block, of a profile with an impossible number. */
void gaspdb_damage_profile(struct gaspdb_defects *q,
			   const struct gaspdb_log_file *log, uint64_t offset,
			   const char *detail);
/*
 * Reports a log that was not closed properly. Returns whether data were lost.
 */
bool gaspdb_damage_unfinished(struct gaspdb_defects *q,
			      const struct gaspdb_log_file *log,
			      const struct gaspdb_reader *rd);
/*
 * Reason why events have no definition; NULL: a damaged block may have held it.
 */
const char *gaspdb_damage_no_site(bool damaged);
/* Reports events that the collector could not record; reason may be NULL. */
void gaspdb_damage_lost(struct gaspdb_defects *q,
			const struct gaspdb_log_file *log,
			const struct gaspdb_reader *rd, uint64_t count,
			const char *reason);

#endif
