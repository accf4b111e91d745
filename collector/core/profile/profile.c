/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin and end of a profile, and what it has beside events. */
#include <string.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"

enum gaspdb_mode gaspdb_mode;

static const char *const names[] = { "trace", "profile", "both" };

const char *gaspdb_mode_name(void)
{
	return names[gaspdb_mode];
}

__attribute__((constructor)) void gaspdb_mode_load(void)
{
	static bool loaded;
	const char *text = gaspdb_getenv("GASPDB_MODE");

	if (loaded)
		return;
	loaded = true;
	gaspdb_windows_load();
	if (gaspdb_has_phases())
		gaspdb_mode = GASPDB_MODE_BOTH;
	if (!text || !*text)
		return;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(text, names[i])) {
			gaspdb_mode = (enum gaspdb_mode)i;
			return;
		}
	gaspdb_complain("GASPDB_MODE=%.100s is ignored: it is not profile, "
			"trace or both",
			text);
}

/* --- begin ---------------------------------------------------------------- */

static const struct gaspdb_op_state no_operation;

/* A profile without blocks; NULL: no memory. */
static struct gaspdb_profile *new_profile(void)
{
	struct gaspdb_profile *p = gaspdb_pages(sizeof *p);

	if (!p)
		return NULL;
	p->outside.open = 1;
	p->root = (struct gaspdb_node){ .cell = &p->outside,
					.last = &p->none,
					.op = &no_operation };
	p->at = &p->root;
	return p;
}

/* Notes that recording is off, if it is, when the profile begins. */
static void begin_off(struct gaspdb_context *c, uint64_t ticks)
{
	if (gaspdb_is_profile_only(c) && !c->on)
		c->profile->head->since = ticks;
}

int gaspdb_profile_begin(struct gaspdb_context *c)
{
	if (gaspdb_mode == GASPDB_MODE_TRACE)
		return 0;
	c->profile_only = gaspdb_mode == GASPDB_MODE_PROFILE;
	c->profile = new_profile();
	if (!c->profile)
		return ENOMEM;
	c->log.due_ticks = 0; /* no event is usual: event.h */
	if (!gaspdb_emit_profile_block(c))
		return GASPDB_LOG_LIMIT;
	begin_off(c, gaspdb_clock_ticks());
	return 0;
}

bool gaspdb_profile_begin_rest(struct gaspdb_context *c, uint64_t ticks)
{
	struct gaspdb_profile *p = new_profile();

	if (!p)
		return false;
	p->from = p->block[0].from = ticks;
	c->profile = p;
	if (gaspdb_emit_first_block(c)) {
		c->log.due_ticks = 0;
		c->profile_only = true;
		p->head->last = ticks;
		begin_off(c, ticks);
		return true;
	}
	gaspdb_profile_free(c);
	return false;
}

bool gaspdb_profile_begin_apart(struct gaspdb_context *c)
{
	struct gaspdb_profile *p = new_profile();

	if (!p)
		return false;
	p->block[0].map.bytes = GASPDB_PROFILE_BYTES;
	p->block[0].map.pages = gaspdb_pages(GASPDB_PROFILE_BYTES);
	p->block[0].map.at = p->block[0].map.pages;
	if (!p->block[0].map.at) {
		munmap(p, sizeof *p);
		return false;
	}
	p->head = (void *)(p->block[0].map.at + GASPDB_BH_BYTES);
	p->n_blocks = 1;
	c->profile = p;
	c->log.due_ticks = 0;
	return true;
}

/* --- end ------------------------------------------------------------------ */

void gaspdb_profile_flush(struct gaspdb_context *c)
{
	const struct gaspdb_profile *p = c->profile;

	if (!p || !c->log.file.buffered)
		return;
	for (uint32_t i = 0; i < p->n_blocks; i++)
		gaspdb_log_file_write(&c->log.file, p->block[i].map.at,
				      GASPDB_PROFILE_BYTES, p->block[i].offset);
}

void gaspdb_profile_end(struct gaspdb_context *c)
{
	struct gaspdb_profile *p = c->profile;

	if (!p)
		return;
	for (uint32_t i = 0; i < p->n_blocks; i++)
		gaspdb_profile_block_seal(&p->block[i]);
	gaspdb_profile_flush(c);
}

void gaspdb_profile_free(struct gaspdb_context *c)
{
	struct gaspdb_profile *p = c->profile;

	if (!p)
		return;
	c->profile = NULL;
	gaspdb_nodes_free(p);
	if (p->entries.slots)
		munmap(p->entries.slots,
		       p->entries.size * sizeof *p->entries.slots);
	for (uint32_t i = 0; i < p->n_blocks; i++)
		munmap(p->block[i].map.pages, p->block[i].map.bytes);
	munmap(p, sizeof *p);
}

void gaspdb_profile_detach(struct gaspdb_context *c)
{
	const struct gaspdb_profile *p = c->profile;

	for (uint32_t i = 0; p && i < p->n_blocks; i++)
		mmap(p->block[i].map.pages, p->block[i].map.bytes,
		     PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* --- beside events -------------------------------------------------------- */

void gaspdb_profile_switched(struct gaspdb_context *c, bool on)
{
	struct gaspdb_profile *p = c->profile;
	const uint64_t now = gaspdb_clock_ticks();
	uint64_t passed;

	if (!p || !gaspdb_is_profile_only(c) || !gaspdb_begin(c))
		return;
	if (!on) {
		p->head->since = now;
	} else if (p->head->since) {
		passed = now - p->head->since;
		gaspdb_profile_away(p, passed);
		p->head->off += passed;
		p->head->since = 0;
	}
	gaspdb_done(c);
}

void gaspdb_profile_tool(struct gaspdb_context *c, uint64_t start, uint64_t end)
{
	if (!c->profile || !c->profile->head || end < start)
		return;
	gaspdb_profile_away(c->profile, end - start);
	c->profile->head->tool += end - start;
}

/* --- what calls move after their end -------------------------------------- */

GASPDB_EXPORT void gaspdb_profile_moved(struct gaspdb_context *c, uint32_t call,
					bool receive, int64_t peer,
					uint64_t bytes)
{
	struct gaspdb_traffic_entry *none = NULL;
	struct gaspdb_node_cell *cell;
	uint32_t odd;

	if (!c->profile || !call || !gaspdb_begin(c))
		return;
	cell = gaspdb_node_of(c->profile, call);
	if (!cell) {
		gaspdb_done(c);
		return;
	}
	odd = gaspdb_cell_begin(&cell->sequence);
	cell->bytes += bytes;
	gaspdb_cell_done(&cell->sequence, odd);
	gaspdb_traffic_count(c, call, &none,
			     receive ? GASPDB_WAY_FROM : GASPDB_WAY_TO, peer,
			     bytes);
	gaspdb_done(c);
}
