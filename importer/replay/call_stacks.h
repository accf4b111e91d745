/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call stacks of the log being read: the functions above a call in the call
 * tree, and the place in the user's code that a call counts for.
 */
#ifndef GASPDB_IMPORTER_REPLAY_CALL_STACKS_H
#define GASPDB_IMPORTER_REPLAY_CALL_STACKS_H

#include "importer/replay/replay.h"

/* The path of the functions that made the calls at a site; 0: recorded without
   call stacks. */
uint32_t gaspdb_call_stack_path(struct gaspdb_importer *im,
				const struct gaspdb_log_site *site);

/* Writes the call path of a call whose functions are known: it was recorded
   with its call stack, or lies in functions of the program. */
static inline void gaspdb_call_stack_note(struct gaspdb_importer *im,
					  const struct gaspdb_log_site *site,
					  int64_t event, uint32_t path)
{
	const struct gaspdb_log_operation *o = site->operation;

	if (site->frame || (im->stack.function && !o->function && !o->overlay))
		gaspdb_insert_ints(im->store, GASPDB_INSERT_event_path,
				   (int64_t[]){ event, path });
}

/*
 * The place of a site: its file and line, if the log has them; else that of its
 * innermost frame outside of libraries (shared objects, but those that option
 * user_code names), or, without such a frame, of the call itself.
 */
struct gaspdb_place gaspdb_site_place(struct gaspdb_importer *im,
				      const struct gaspdb_log_site *site);

#endif
