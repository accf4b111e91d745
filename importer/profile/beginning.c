/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The beginning of a profile that goes on where a trace ended (`from` in the
 * first block's header), checked when the whole log was read.
 */
#include "importer/profile/cells.h"

/* Is there a reason why the profile cannot have begun then? */
static const char *contradiction(const struct gaspdb_cells *c, bool has_mode,
				 uint64_t event)
{
	if (has_mode)
		return "a profile that began in place of a trace, in a log "
		       "that has a profile from the start";
	if (c->last && c->last < c->from)
		return "a profile that began after its last event";
	if (c->from < event)
		return "a profile that began before the last event of its "
		       "trace";
	return NULL;
}

/* Calls that are open began in the profile, or go on there. */
static void check_open(struct gaspdb_cells *c, struct gaspdb_defects *q,
		       const struct gaspdb_log_file *log)
{
	for (size_t i = 0; i < c->n_nodes; i++) {
		struct gaspdb_node *n = &c->node[i];

		if (!n->open || n->open >= c->from)
			continue;
		n->open = c->from;
		gaspdb_cells_bad(c, q, log, n->offset,
				 "a node of a profile with a call that began "
				 "before it");
	}
}

/* A profile of the whole time has no calls that began elsewhere. */
static void forget_carried(struct gaspdb_cells *c, struct gaspdb_defects *q,
			   const struct gaspdb_log_file *log)
{
	for (size_t i = 0; i < c->n_nodes; i++) {
		struct gaspdb_node *n = &c->node[i];

		if (!n->carried && !n->carried_ticks)
			continue;
		n->total -= n->carried_ticks;
		n->carried = n->carried_ticks = 0;
		gaspdb_cells_bad(c, q, log, n->offset,
				 "a node of a profile with calls that began "
				 "before it");
	}
}

void gaspdb_cells_begin(struct gaspdb_cells *c, bool has_mode, uint64_t event,
			struct gaspdb_defects *q,
			const struct gaspdb_log_file *log)
{
	const char *what = c->from ? contradiction(c, has_mode, event) : NULL;

	if (what)
		gaspdb_cells_bad(c, q, log, c->from_offset, what);
	if (has_mode)
		c->from = 0;
	if (c->last && c->last < c->from)
		c->from = c->last;
	if (!c->from) {
		forget_carried(c, q, log);
		return;
	}
	c->first = c->from;
	check_open(c, q, log);
}
