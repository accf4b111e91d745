/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matching of ends: on each channel the n-th send belongs to the n-th receive
 * in the order of posting. And of barriers: all members have entered before any
 * leaves.
 */
#include "importer/hosts/matches.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/sum.h"
#include "common/temporary_file.h"

struct gaspdb_end_channel {
	uint32_t sender, receiver; /* hosts */
	bool receives;		   /* the end that is known */
	int64_t *ns;		   /* of each of its n messages */
	size_t n;
};

struct gaspdb_barrier_instance {
	uint64_t team, number;
};

/* Of a host's members: the last enter, the first leave. */
struct gaspdb_barrier_span {
	int64_t enter_ns, leave_ns;
};

#define SPANS_MAX ((size_t)1 << 19) /* instances x hosts */

void gaspdb_matches_init(struct gaspdb_matches *m,
			 struct gaspdb_clock_system *s, const char *path)
{
	memset(m, 0, sizeof *m);
	m->system = s;
	m->stride = 1;
	m->fd = gaspdb_temporary_file_open(path);
	m->instances_max = SPANS_MAX / (s->n_hosts + 1) + 1;
}

void gaspdb_matches_free(struct gaspdb_matches *m)
{
	if (!m->system)
		return;
	for (size_t i = 0; i < m->n_channels; i++)
		free(m->channel[i].ns);
	if (m->fd >= 0)
		close(m->fd);
	free(m->buffer);
	free(m->channel);
	free(m->instance);
	free(m->spans);
	free(m->tight);
	gaspdb_map_free(&m->channels);
	gaspdb_map_free(&m->instances);
	gaspdb_map_free(&m->index);
	gaspdb_map_free(&m->dropped);
	memset(m, 0, sizeof *m);
}

/* --- channels ------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct gaspdb_end *p = a, *q = b;

	if (p->channel != q->channel)
		return p->channel < q->channel ? -1 : 1;
	if (p->posted_ns != q->posted_ns)
		return p->posted_ns < q->posted_ns ? -1 : 1;
	return (p->ns > q->ns) - (p->ns < q->ns);
}

/* Keeps one end of a channel until the other is read. */
static void keep(struct gaspdb_matches *m, uint32_t *place,
		 const struct gaspdb_end *of, size_t n, uint32_t host)
{
	struct gaspdb_end_channel *c;

	*place = (uint32_t)m->n_channels;
	m->channel = gaspdb_mem_grow(m->channel, &m->channel_capacity,
				     m->n_channels + 1, sizeof *m->channel);
	c = &m->channel[m->n_channels++];
	c->receives = of->receive;
	c->sender = of->receive ? of->peer : host;
	c->receiver = of->receive ? host : of->peer;
	if (m->n_pending + n > GASPDB_ENDS_MAX)
		return; /* as if it had none */
	c->ns = gaspdb_mem_room(n * sizeof *c->ns);
	for (size_t i = 0; i < n; i++)
		c->ns[i] = of[i].ns;
	c->n = n;
	m->n_pending += n;
}

/* The n-th send was before the n-th receive's completion. */
static void pair(struct gaspdb_matches *m, struct gaspdb_end_channel *c,
		 const struct gaspdb_end *of, size_t n)
{
	for (size_t i = 0; i < n && i < c->n; i++) {
		struct gaspdb_order o = {
			.kind = GASPDB_ORDER_MESSAGE,
			.first = c->sender,
			.second = c->receiver,
			.first_ns = of->receive ? c->ns[i] : of[i].ns,
			.second_ns = of->receive ? of[i].ns : c->ns[i],
		};

		if (o.first_ns != GASPDB_NULL && o.second_ns != GASPDB_NULL)
			gaspdb_matches_emit(m, &o);
	}
	m->n_pending -= c->n;
	free(c->ns);
	c->ns = NULL;
	c->n = 0;
}

static void take_channel(struct gaspdb_matches *m, const struct gaspdb_end *of,
			 size_t n, uint32_t host)
{
	uint32_t *place = gaspdb_map_place(&m->channels, of->channel);

	if (*place == GASPDB_ABSENT) {
		*place = 0;
		keep(m, place, of, n, host);
	} else if (m->channel[*place].receives != of->receive) {
		pair(m, &m->channel[*place], of, n);
	}
}

/* --- barriers ------------------------------------------------------------- */

static uint64_t key_of(uint64_t team, uint64_t number)
{
	return gaspdb_map_mix(gaspdb_map_mix(team + 1) + number);
}

/* Forgets barriers with numbers that are no multiple of the stride. */
static void thin_barriers(struct gaspdb_matches *m)
{
	const size_t hosts = m->system->n_hosts;
	size_t kept = 0;

	m->stride *= 2;
	gaspdb_map_clear(&m->instances);
	for (size_t i = 0; i < m->n_instances; i++) {
		const struct gaspdb_barrier_instance *b = &m->instance[i];

		if (b->number % m->stride)
			continue;
		gaspdb_map_put(&m->instances, key_of(b->team, b->number),
			       (uint32_t)kept);
		m->instance[kept] = *b;
		memmove(&m->spans[kept * hosts], &m->spans[i * hosts],
			hosts * sizeof *m->spans);
		kept++;
	}
	m->n_instances = kept;
}

/* Spans of an instance, one of each host; NULL: it is skipped. */
static struct gaspdb_barrier_span *spans_of(struct gaspdb_matches *m,
					    const struct gaspdb_barrier_call *b)
{
	const size_t hosts = m->system->n_hosts;
	const uint64_t key = key_of(b->team, b->number);
	uint32_t i = gaspdb_map_get(&m->instances, key);

	if (i != GASPDB_ABSENT)
		return &m->spans[i * hosts];
	if (m->n_instances == m->instances_max && m->stride < UINT64_MAX / 2)
		thin_barriers(m);
	if (b->number % m->stride || m->n_instances == m->instances_max)
		return NULL;
	if (!m->spans)
		m->spans = gaspdb_mem_room(m->instances_max * hosts *
					   sizeof *m->spans);
	m->instance = gaspdb_mem_grow(m->instance, &m->instance_capacity,
				      m->n_instances + 1, sizeof *m->instance);
	i = (uint32_t)m->n_instances++;
	m->instance[i] = (struct gaspdb_barrier_instance){ b->team, b->number };
	gaspdb_map_put(&m->instances, key, i);
	for (size_t h = 0; h < hosts; h++)
		m->spans[i * hosts + h] =
			(struct gaspdb_barrier_span){ INT64_MIN, INT64_MAX };
	return &m->spans[i * hosts];
}

static void take_barrier(struct gaspdb_matches *m, uint32_t host,
			 const struct gaspdb_barrier_call *b)
{
	struct gaspdb_barrier_span *spans = spans_of(m, b);

	if (!spans)
		return;
	spans[host].enter_ns = gaspdb_max(spans[host].enter_ns, b->enter_ns);
	spans[host].leave_ns = gaspdb_min(spans[host].leave_ns, b->leave_ns);
}

/* --- a process ------------------------------------------------------------ */

void gaspdb_matches_process(struct gaspdb_matches *m, struct gaspdb_ends *e)
{
	size_t end;

	if (e->n)
		qsort(e->of, e->n, sizeof *e->of, by_place);
	for (size_t i = 0; i < e->n; i = end) {
		for (end = i + 1;
		     end < e->n && e->of[end].channel == e->of[i].channel;)
			end++;
		take_channel(m, e->of + i, end - i, e->host);
	}
	for (size_t i = 0; i < e->n_barriers; i++)
		take_barrier(m, e->host, &e->barriers[i]);
	e->stride = m->stride;
}

/* --- orders of barriers --------------------------------------------------- */

/* The offset of a host's clock: its line's, or the solution's. */
typedef int64_t offset_of(const struct gaspdb_clock_host *h, int64_t ns);

/* An instance of a barrier: the spans of all hosts, and where clocks put them. */
struct instance {
	const struct gaspdb_barrier_span *spans;
	const struct gaspdb_clock_host *hosts;
	size_t n_hosts;
	offset_of *offset;
};

/* The host that enters last, but for one; SIZE_MAX: none. */
static size_t last_of(const struct instance *b, size_t but)
{
	size_t last = SIZE_MAX;
	int64_t most = INT64_MIN;

	for (size_t h = 0; h < b->n_hosts; h++) {
		const int64_t ns = b->spans[h].enter_ns;

		if (ns == INT64_MIN || h == but ||
		    ns + b->offset(&b->hosts[h], ns) <= most)
			continue;
		most = ns + b->offset(&b->hosts[h], ns);
		last = h;
	}
	return last;
}

/* The host that leaves first, but for one. */
static size_t first_of(const struct instance *b, size_t but)
{
	size_t first = SIZE_MAX;
	int64_t least = INT64_MAX;

	for (size_t h = 0; h < b->n_hosts; h++) {
		const int64_t ns = b->spans[h].leave_ns;

		if (ns == INT64_MAX || h == but ||
		    ns + b->offset(&b->hosts[h], ns) >= least)
			continue;
		least = ns + b->offset(&b->hosts[h], ns);
		first = h;
	}
	return first;
}

static struct gaspdb_order order_of(const struct gaspdb_barrier_span *spans,
				    size_t first, size_t second)
{
	return (struct gaspdb_order){ .kind = GASPDB_ORDER_BARRIER,
				      .first = (uint32_t)first,
				      .second = (uint32_t)second,
				      .first_ns = spans[first].enter_ns,
				      .second_ns = spans[second].leave_ns };
}

static void emit(struct gaspdb_matches *m,
		 const struct gaspdb_barrier_span *spans, size_t first,
		 size_t second)
{
	const struct gaspdb_order o = order_of(spans, first, second);

	if (first != second && o.first_ns != INT64_MIN &&
	    o.second_ns != INT64_MAX)
		gaspdb_matches_emit(m, &o);
}

/* The host that entered last against all others, and all others against the one
   that left first; all pairs would be too many. Hosts without readings also
   against the last one, so that they have bounds on both sides. */
static void order_instance(struct gaspdb_matches *m, const struct instance *b)
{
	const struct gaspdb_barrier_span *spans = b->spans;
	const size_t last = last_of(b, SIZE_MAX), first = first_of(b, SIZE_MAX);

	if (last == SIZE_MAX || first == SIZE_MAX)
		return;
	for (size_t h = 0; h < m->system->n_hosts; h++) {
		const bool read =
			m->system->hosts[h].read && m->system->hosts[last].read;

		emit(m, spans, last, h);
		if (h != last)
			emit(m, spans, h, first);
		if (!read && last != first)
			emit(m, spans, h, last);
	}
}

static void check(struct gaspdb_matches *m, const struct instance *b,
		  size_t first, size_t second)
{
	struct gaspdb_order o;

	if (first == SIZE_MAX || second == SIZE_MAX)
		return;
	o = order_of(b->spans, first, second);
	gaspdb_matches_check(m, &o);
}

/* By the solution, other hosts may be the last and the first: if these two are
   in order, all are. */
static void check_instance(struct gaspdb_matches *m, const struct instance *b)
{
	const size_t last = last_of(b, SIZE_MAX), first = first_of(b, SIZE_MAX);

	if (last != first) {
		check(m, b, last, first);
		return;
	}
	check(m, b, last_of(b, first), first);
	check(m, b, last, first_of(b, last));
}

static void each_instance(struct gaspdb_matches *m, offset_of *offset,
			  void take(struct gaspdb_matches *m,
				    const struct instance *b))
{
	const size_t n = m->system->n_hosts;

	for (size_t i = 0; i < m->n_instances; i++)
		take(m, &(struct instance){ .spans = &m->spans[i * n],
					    .hosts = m->system->hosts,
					    .n_hosts = n,
					    .offset = offset });
}

void gaspdb_matches_barriers(struct gaspdb_matches *m)
{
	each_instance(m, gaspdb_clock_line_at, order_instance);
}

void gaspdb_matches_check_barriers(struct gaspdb_matches *m)
{
	each_instance(m, gaspdb_clock_offset, check_instance);
}
