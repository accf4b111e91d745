/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread whose trace ends at a line `profile`: its later events are sums of a
 * profile, as util_profile makes them. Functions that are open there go on in
 * it; the ends of other calls find no start.
 */
#include <string.h>

#include "tests/script/writer.h"

#define NOWHERE UINT32_MAX /* no peer */

void script_note_open(struct writer *w, const struct script_line *l, bool open)
{
	size_t i = w->n_open;

	if (open) {
		w->open[w->n_open++] = l;
		return;
	}
	while (i > 0 && w->open[i - 1] != l)
		i--;
	if (i == 0)
		return;
	memmove(&w->open[i - 1], &w->open[i],
		(w->n_open - i) * sizeof *w->open);
	w->n_open--;
}

static bool is_type(const struct script_line *l, const char *type)
{
	return !strcmp(l->operation->type, type);
}

/* The numbers of sites that are user events, or functions. */
static void describe(struct writer *w, const struct script_line *l,
		     unsigned site)
{
	w->profile->is_overlay[site] = is_type(l, "user");
	w->profile->is_function[site] = is_type(l, "function");
}

enum gaspdb_status script_begin_profile(struct writer *w, int64_t t)
{
	w->profile = profile_new(NULL);
	profile_begin_at(w->profile, (uint64_t)(t + w->boot));
	for (size_t i = 0; i < w->n_open; i++) {
		const unsigned site = script_site_of(w, w->open[i]);

		if (!site)
			return GASPDB_FAILED;
		describe(w, w->open[i], site);
		if (w->profile->is_function[site])
			profile_carry(w->profile, site);
	}
	return GASPDB_OK;
}

void script_profile_start(struct writer *w, const struct script_line *l,
			  unsigned site)
{
	const uint64_t t = (uint64_t)(l->start + w->boot);

	describe(w, l, site);
	if (l->instant)
		profile_atomic(w->profile, t, site);
	else
		profile_start(w->profile, t, site, NONE);
}

/* A value of the line that is a number; false: it has none. */
static bool number_of(const struct script_line *l, const char *name, int64_t *v)
{
	for (size_t i = 0; i < l->n_values; i++)
		if (!strcmp(l->value[i].name.text, name))
			return script_number(l->value[i].value.text, v);
	return false;
}

/* Data of gets and receives come from the peer. */
static unsigned way_of(const struct script_line *l)
{
	return !strncmp(l->operation->type, "get", 3) || is_type(l, "receive");
}

void script_profile_end(struct writer *w, const struct script_line *l,
			unsigned site)
{
	const uint64_t t = (uint64_t)(l->end + w->boot);
	int64_t bytes, peer;

	describe(w, l, site);
	if (number_of(l, "bytes", &bytes) && w->profile->n_open > 0 &&
	    w->profile->open[w->profile->n_open - 1].site == site)
		profile_moved(w->profile, t, way_of(l),
			      number_of(l, "peer", &peer) ? (uint32_t)peer
							  : NOWHERE,
			      (uint64_t)bytes);
	profile_end(w->profile, t, site, NONE);
}

void script_write_profile(struct writer *w)
{
	if (!w->profile)
		return;
	profile_write(w->profile, w->log, w->thread->cut == SCRIPT_NEVER);
	profile_free(w->profile);
}
