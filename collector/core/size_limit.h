/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Size limits: of each log (none by default), and of the run.  Each process has
 * a share of the run's limit, as far as the number of ranks is known, and each
 * log a share of that.
 */
#ifndef GASPDB_COLLECTOR_CORE_SIZE_LIMIT_H
#define GASPDB_COLLECTOR_CORE_SIZE_LIMIT_H

#include <stdint.h>

struct gaspdb_context;
struct gaspdb_process;

/* Empty file in the run directory: a log has reached a limit. */
#define GASPDB_LIMIT_MARK "size-limit"

/* Reads the limits once, when the run directory is known.  The process's lock
   is held. */
void gaspdb_size_limits_read(void);

/* The limit of a new log, for which nothing is counted yet: what is kept for
   rest.h is in c->reserve_bytes.  0: none. */
uint64_t gaspdb_size_limit_of_log(struct gaspdb_context *c);

/* Count the log's bytes: after it was made, and after it was closed and
   trimmed. */
void gaspdb_size_limit_opened(struct gaspdb_context *c);
void gaspdb_size_limit_closed(struct gaspdb_context *c);

/* Checks the run's limit before the log grows: sets its file's limit if it must
   not. */
void gaspdb_size_limit_check(struct gaspdb_context *c);

/* Report, once, that a limit has stopped the log, or ended its trace, and leave
   the mark. */
void gaspdb_size_limit_emit(const struct gaspdb_context *c);
void gaspdb_size_limit_rest(const struct gaspdb_context *c);

#endif
