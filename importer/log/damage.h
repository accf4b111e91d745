/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a log while it is read: the same rows, whether an import
 * or a look at the run finds them.
 */
#ifndef GASPDB_IMPORTER_LOG_DAMAGE_H
#define GASPDB_IMPORTER_LOG_DAMAGE_H

#include "importer/quality/quality.h"
#include "importer/run/source.h"

/* Its header, if it is damaged, and a number that cannot be. */
void gaspdb_damage_header(struct gaspdb_defects *q,
			  const struct gaspdb_registry *r,
			  const struct gaspdb_log_file *log);

/* A block, or what the reader said at err's offset. */
void gaspdb_damage_block(struct gaspdb_defects *q,
			 const struct gaspdb_log_file *log,
			 const struct gaspdb_error *err);
/* A record that does not have its fields. */
void gaspdb_damage_record(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec);
/* One with a number that cannot be. */
void gaspdb_damage_number(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec, const char *detail);
/* A META record that says otherwise than one before it whose log it is. */
void gaspdb_damage_identity(struct gaspdb_defects *q,
			    const struct gaspdb_log_file *log,
			    const struct gaspdb_record *rec,
			    const char *detail);
/* Reading has ended, and the log had not.  Returns whether that is a loss. */
bool gaspdb_damage_unfinished(struct gaspdb_defects *q,
			      const struct gaspdb_log_file *log,
			      const struct gaspdb_reader *rd);
/* Why events have no definition; NULL: a damaged block may have had it. */
const char *gaspdb_damage_no_site(bool damaged);
/* Events that the collector could not record; reason NULL: it did not say. */
void gaspdb_damage_lost(struct gaspdb_defects *q,
			const struct gaspdb_log_file *log,
			const struct gaspdb_reader *rd, uint64_t count,
			const char *reason);

#endif
