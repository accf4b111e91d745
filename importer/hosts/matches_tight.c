/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders that matter: of each pair of hosts and interval of time the
 * tightest, against the lines of the clocks at first, and then against a
 * solution. Memory is bounded; all orders are in the file.
 */
#include "importer/hosts/matches.h"

#include <unistd.h>

#include "common/interrupt.h"
#include "common/memory.h"

struct gaspdb_spooled_order {
	uint32_t first, second; /* hosts; second: twice, + 1 of a barrier */
	int64_t first_ns, second_ns;
};

struct gaspdb_tight_order {
	uint64_t key;
	struct gaspdb_spooled_order order;
	int64_t early_ns; /* by how much its end comes before its start */
};

#define BUFFERED  4096
#define TIGHT_MAX ((size_t)1 << 16)
/* The finest intervals: 2^-INTERVALS of the run. */
#define INTERVALS 10

static struct gaspdb_order unpacked(const struct gaspdb_spooled_order *s)
{
	return (struct gaspdb_order){
		.first = s->first,
		.second = s->second / 2,
		.first_ns = s->first_ns,
		.second_ns = s->second_ns,
		.kind = s->second & 1 ? GASPDB_ORDER_BARRIER
				      : GASPDB_ORDER_MESSAGE,
	};
}

/* --- the file ------------------------------------------------------------- */

static void give_up(struct gaspdb_matches *m)
{
	close(m->fd);
	m->fd = -1;
}

static void flush(struct gaspdb_matches *m)
{
	const size_t bytes = m->n_buffered * sizeof *m->buffer;
	const off_t at = (off_t)(m->n_spooled * sizeof *m->buffer);

	if (m->fd >= 0 && bytes &&
	    pwrite(m->fd, m->buffer, bytes, at) != (ssize_t)bytes)
		give_up(m);
	m->n_spooled += m->n_buffered;
	m->n_buffered = 0;
}

static void spool(struct gaspdb_matches *m,
		  const struct gaspdb_spooled_order *o)
{
	if (m->fd < 0)
		return;
	if (!m->buffer)
		m->buffer = gaspdb_mem_room(BUFFERED * sizeof *m->buffer);
	if (m->n_buffered == BUFFERED)
		flush(m);
	m->buffer[m->n_buffered++] = *o;
}

/* --- intervals ------------------------------------------------------------ */

static uint64_t key_of(const struct gaspdb_matches *m,
		       const struct gaspdb_spooled_order *o)
{
	const struct gaspdb_clock_host *h = &m->system->hosts[o->first];
	const double length = (double)(h->last_ns - h->first_ns) + 1;
	double part = (double)(o->first_ns - h->first_ns) / length;
	uint64_t interval;

	if (!(part > 0))
		part = 0;
	if (part > 1)
		part = 1;
	interval = (uint64_t)(part * (1 << INTERVALS)) >> m->coarse;
	return ((uint64_t)o->first << 42) ^ ((uint64_t)o->second << 21) ^
	       interval;
}

static void put(struct gaspdb_matches *m, const struct gaspdb_tight_order *t)
{
	uint32_t *place = gaspdb_map_place(&m->index, t->key);

	if (*place == GASPDB_ABSENT) {
		*place = (uint32_t)m->n_tight;
		m->tight[m->n_tight++] = *t;
	} else if (t->early_ns > m->tight[*place].early_ns) {
		m->tight[*place] = *t;
	}
}

/* Makes intervals twice as long. */
static void coarsen(struct gaspdb_matches *m)
{
	const size_t n = m->n_tight;

	m->coarse++;
	m->n_tight = 0;
	gaspdb_map_clear(&m->index);
	for (size_t i = 0; i < n; i++) {
		struct gaspdb_tight_order t = m->tight[i];

		t.key = key_of(m, &t.order);
		put(m, &t);
	}
}

static void keep_tight(struct gaspdb_matches *m,
		       const struct gaspdb_spooled_order *o, int64_t early_ns)
{
	struct gaspdb_tight_order t = { .order = *o, .early_ns = early_ns };

	while (m->n_tight >= TIGHT_MAX && m->coarse < INTERVALS)
		coarsen(m);
	if (!m->tight)
		m->tight = gaspdb_mem_room((TIGHT_MAX + 1) * sizeof *m->tight);
	t.key = key_of(m, o);
	if (m->n_tight < TIGHT_MAX ||
	    gaspdb_map_get(&m->index, t.key) != GASPDB_ABSENT)
		put(m, &t);
}

/* --- orders --------------------------------------------------------------- */

static struct gaspdb_spooled_order packed(const struct gaspdb_order *o)
{
	return (struct gaspdb_spooled_order){
		.first = o->first,
		.second = 2 * o->second + (o->kind == GASPDB_ORDER_BARRIER),
		.first_ns = o->first_ns,
		.second_ns = o->second_ns,
	};
}

void gaspdb_matches_emit(struct gaspdb_matches *m, const struct gaspdb_order *o)
{
	const struct gaspdb_spooled_order s = packed(o);
	const struct gaspdb_clock_host *a = &m->system->hosts[o->first],
				       *b = &m->system->hosts[o->second];

	spool(m, &s);
	keep_tight(m, &s,
		   o->first_ns + gaspdb_clock_line_at(a, o->first_ns) -
			   o->second_ns -
			   gaspdb_clock_line_at(b, o->second_ns));
}

/* Gives the tight orders to the system. */
static size_t give(struct gaspdb_matches *m)
{
	const size_t n = m->n_tight;

	for (size_t i = 0; i < n; i++) {
		const struct gaspdb_order o = unpacked(&m->tight[i].order);

		gaspdb_clock_system_order(m->system, &o);
	}
	m->n_tight = 0;
	gaspdb_map_clear(&m->index);
	return n;
}

size_t gaspdb_matches_finish(struct gaspdb_matches *m)
{
	gaspdb_matches_barriers(m);
	flush(m);
	return give(m);
}

/* --- violated orders ------------------------------------------------------ */

static uint64_t hash_of(const struct gaspdb_order *o)
{
	return gaspdb_map_mix(gaspdb_map_mix((uint64_t)o->first_ns) +
			      (uint64_t)o->second_ns) +
	       ((uint64_t)o->first << 32) + o->second;
}

/* Those that were dropped are not given again. */
static void note_dropped(struct gaspdb_matches *m)
{
	for (size_t i = 0; i < m->system->n_orders; i++)
		if (m->system->orders[i].dropped)
			gaspdb_map_put(&m->dropped,
				       hash_of(&m->system->orders[i]), 0);
}

static void check(struct gaspdb_matches *m,
		  const struct gaspdb_spooled_order *s)
{
	const struct gaspdb_order o = unpacked(s);
	const struct gaspdb_clock_host *a = &m->system->hosts[o.first],
				       *b = &m->system->hosts[o.second];
	int64_t early_ns;

	early_ns = o.first_ns + gaspdb_clock_offset(a, o.first_ns) -
		   o.second_ns - gaspdb_clock_offset(b, o.second_ns);
	if (early_ns > 0 &&
	    gaspdb_map_get(&m->dropped, hash_of(&o)) == GASPDB_ABSENT)
		keep_tight(m, s, early_ns);
}

void gaspdb_matches_check(struct gaspdb_matches *m, const struct gaspdb_order *o)
{
	const struct gaspdb_spooled_order s = packed(o);

	if (m->system->hosts[o->first].n_knots &&
	    m->system->hosts[o->second].n_knots)
		check(m, &s);
}

size_t gaspdb_matches_violated(struct gaspdb_matches *m)
{
	uint64_t n;

	note_dropped(m);
	for (uint64_t i = 0; i < m->n_spooled && m->fd >= 0; i += n) {
		n = m->n_spooled - i < BUFFERED ? m->n_spooled - i : BUFFERED;
		if (gaspdb_interrupted)
			return 0;
		if (pread(m->fd, m->buffer, n * sizeof *m->buffer,
			  (off_t)(i * sizeof *m->buffer)) !=
		    (ssize_t)(n * sizeof *m->buffer)) {
			give_up(m);
			break;
		}
		for (uint64_t k = 0; k < n; k++)
			check(m, &m->buffer[k]);
	}
	gaspdb_matches_check_barriers(m);
	return give(m);
}
