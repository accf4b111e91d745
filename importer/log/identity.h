/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Identity of a log: its host, job, rank, thread and process, by META records.
 * A log repeats them in later blocks; the first value holds, and a different
 * one is reported.
 */
#ifndef GASPDB_IMPORTER_LOG_IDENTITY_H
#define GASPDB_IMPORTER_LOG_IDENTITY_H

#include "importer/run/source.h"

/* META keys of the identity, constant in a log. */
#define GASPDB_IDENTITY_KEYS(KEY) \
	KEY(host)                 \
	KEY(job)                  \
	KEY(rank)                 \
	KEY(ranks)                \
	KEY(thread)               \
	KEY(threads)              \
	KEY(process_start)        \
	KEY(program_number)       \
	KEY(program)              \
	KEY(forked_from)

enum gaspdb_identity_key {
#define KEY(name) GASPDB_IDENTITY_##name,
	GASPDB_IDENTITY_KEYS(KEY)
#undef KEY
		GASPDB_N_IDENTITY
};

/* Values seen so far; all zero: none. */
struct gaspdb_identity {
	uint32_t text[GASPDB_N_IDENTITY]; /* plus 1; 0: not seen */
	bool contradicted[GASPDB_N_IDENTITY];
};

/* Parses a decimal number of at most 18 digits; false: it is not one. */
bool gaspdb_identity_number(struct gaspdb_text text, int64_t *number);

/*
 * Checks a META record: f is key and value. true: it contradicts an earlier
 * record, or what the prescan assumed, for the first time of that key; detail
 * says how.
 */
bool gaspdb_identity_contradicts(struct gaspdb_identity *identity,
				 struct gaspdb_registry *registry,
				 const struct gaspdb_log_file *log,
				 const struct gaspdb_field *meta,
				 char detail[static 200]);

#endif
