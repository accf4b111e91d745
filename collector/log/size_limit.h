/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Size limits: of each log, as the user may set it, and of the run, which has
 * one unless the user says otherwise.  Of the run's each process has a share,
 * as far as the number of ranks is known, and each log a share of that.
 */
#ifndef GASPDB_COLLECTOR_LOG_SIZE_LIMIT_H
#define GASPDB_COLLECTOR_LOG_SIZE_LIMIT_H

struct gaspdb_context;
struct gaspdb_process;

/* In the run directory, empty: a log has come to a limit. */
#define GASPDB_LIMIT_MARK "size-limit"

/* The run directory is known.  The process's lock is held. */
void gaspdb_size_limits_read(struct gaspdb_process *p);

/* The log has been made; it has been closed, and trimmed. */
void gaspdb_size_limit_opened(struct gaspdb_context *c);
void gaspdb_size_limit_closed(struct gaspdb_context *c);

/* The log may be about to grow: if it must not, its file's limit says so. */
void gaspdb_size_limit_check(struct gaspdb_context *c);

/* It would have grown beyond: tells the user, once, and leaves the mark. */
void gaspdb_size_limit_emit(const struct gaspdb_context *c);

#endif
