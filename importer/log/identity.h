/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose log it is, by its META records.  A log repeats them in later blocks:
 * what it told first holds, and what says otherwise is told.
 */
#ifndef GASPDB_IMPORTER_LOG_IDENTITY_H
#define GASPDB_IMPORTER_LOG_IDENTITY_H

#include "importer/run/source.h"

/* META keys that tell whose log it is, which never change. */
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

/* What a log has told so far; all zero: nothing. */
struct gaspdb_identity {
	uint32_t text[GASPDB_N_IDENTITY]; /* plus 1; 0: not told */
	bool contradicted[GASPDB_N_IDENTITY];
};

/* A decimal number of at most 18 digits. */
bool gaspdb_identity_number(struct gaspdb_text text, int64_t *number);

/*
 * A META record, key and value, of the log.  true: it contradicts what the log
 * told before, or what it was taken for when it was looked at, for the first
 * time of that key; detail says how.
 */
bool gaspdb_identity_contradicts(struct gaspdb_identity *identity,
				 struct gaspdb_registry *registry,
				 const struct gaspdb_log_file *log,
				 const struct gaspdb_field *meta,
				 char detail[static 200]);

#endif
