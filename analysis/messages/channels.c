/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channels and queued ends, in two arrays with free lists; a hash table finds
   channels by their keys. */
#include "analysis/messages/channels.h"

#include <stdlib.h>
#include <string.h>

void gaspdb_channels_init(struct gaspdb_channels *c, struct gaspdb_run *run)
{
	*c = (struct gaspdb_channels){ .run = run,
				       .free_channel = GASPDB_ABSENT,
				       .free_queued = GASPDB_ABSENT };
}

void gaspdb_channels_fini(struct gaspdb_channels *c)
{
	free(c->channels);
	free(c->queued);
	gaspdb_map_free(&c->index);
}

/* --- channels ------------------------------------------------------------- */

/* Independent multiplications: a processor executes them in parallel. */
static uint64_t hash(const int64_t *key)
{
	return (uint64_t)key[0] * 0x9e3779b97f4a7c15u +
	       (uint64_t)key[1] * 0xc2b2ae3d27d4eb4fu +
	       (uint64_t)key[2] * 0x165667b19e3779f9u +
	       (uint64_t)key[3] * 0xff51afd7ed558ccdu;
}

/* Faster than a call of memcmp(). */
static bool is_channel(const void *channels, uint32_t item, const void *key)
{
	const int64_t *a = ((const struct gaspdb_channel *)channels)[item].key;
	const int64_t *b = key;

	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static struct gaspdb_map_slot *slot_of(const struct gaspdb_channels *c,
				       const int64_t *key)
{
	return gaspdb_map_item(&c->index, hash(key), is_channel, c->channels,
			       key);
}

static uint32_t new_channel(struct gaspdb_channels *c)
{
	uint32_t at = c->free_channel;

	if (at != GASPDB_ABSENT) {
		c->free_channel = c->channels[at].next;
		return at;
	}
	if (c->n_channels == GASPDB_ABSENT ||
	    !gaspdb_grow(c->run, &c->channels, c->n_channels, &c->channels_room,
			 sizeof *c->channels))
		return GASPDB_ABSENT;
	return (uint32_t)c->n_channels++;
}

uint32_t gaspdb_channel_get(struct gaspdb_channels *c, const int64_t *key)
{
	struct gaspdb_channel *channel;
	struct gaspdb_map_slot *slot;
	uint32_t at;

	if (!gaspdb_map_grow(c->run, &c->index))
		return GASPDB_ABSENT;
	slot = slot_of(c, key);
	if (slot->value != GASPDB_ABSENT)
		return slot->value;
	at = new_channel(c);
	if (at == GASPDB_ABSENT)
		return at;
	channel = &c->channels[at];
	*channel = (struct gaspdb_channel){ .in_use = true };
	memcpy(channel->key, key, sizeof channel->key);
	for (int i = 0; i < 3; i++)
		channel->queues[i].first = channel->queues[i].last =
			GASPDB_ABSENT;
	for (int i = 0; i < 2; i++) {
		channel->posting[i].until_ns = INT64_MIN;
		channel->posting[i].others_until_ns = INT64_MIN;
		channel->posting[i].thread = GASPDB_NONE;
	}
	gaspdb_map_fill(&c->index, slot, hash(key), at);
	return at;
}

void gaspdb_channel_release(struct gaspdb_channels *c, uint32_t at,
			    int64_t now_ns)
{
	struct gaspdb_channel *channel = &c->channels[at];

	if (!channel->in_use || channel->distrusted || channel->inferred ||
	    channel->closed || channel->posting[0].until_ns > now_ns ||
	    channel->posting[1].until_ns > now_ns)
		return;
	for (int i = 0; i < 3; i++)
		if (channel->queues[i].first != GASPDB_ABSENT)
			return;
	gaspdb_map_empty(&c->index, slot_of(c, channel->key));
	channel->next = c->free_channel;
	channel->in_use = false;
	c->free_channel = at;
}

/* --- queues --------------------------------------------------------------- */

static uint32_t new_queued(struct gaspdb_channels *c)
{
	uint32_t at = c->free_queued;

	if (at != GASPDB_ABSENT) {
		c->free_queued = c->queued[at].next;
		return at;
	}
	if (c->n_queued == GASPDB_ABSENT ||
	    !gaspdb_grow(c->run, &c->queued, c->n_queued, &c->queued_room,
			 sizeof *c->queued))
		return GASPDB_ABSENT;
	c->queued[c->n_queued].serial = 0;
	return (uint32_t)c->n_queued++;
}

uint32_t gaspdb_channel_push(struct gaspdb_channels *c, uint32_t channel,
			     enum gaspdb_end_kind kind,
			     const struct gaspdb_end *end)
{
	const uint32_t at = new_queued(c);
	struct gaspdb_channel *to = &c->channels[channel];
	struct gaspdb_queued_end *w;

	if (at == GASPDB_ABSENT)
		return at;
	w = &c->queued[at];
	w->end = *end;
	w->channel = channel;
	w->next = GASPDB_ABSENT;
	w->order_final = true;
	if (to->queues[kind].first == GASPDB_ABSENT)
		to->queues[kind].first = at;
	else
		c->queued[to->queues[kind].last].next = at;
	to->queues[kind].last = at;
	return at;
}

void gaspdb_channel_pop(struct gaspdb_channels *c, uint32_t channel,
			enum gaspdb_end_kind kind)
{
	const uint32_t at = c->channels[channel].queues[kind].first;
	struct gaspdb_queued_end *w = &c->queued[at];

	c->channels[channel].queues[kind].first = w->next;
	w->next = c->free_queued;
	w->serial++;
	c->free_queued = at;
}

/* --- order of keys -------------------------------------------------------- */

static int by_key(const void *a, const void *b, void *user)
{
	const struct gaspdb_channel *channels = user;
	const int64_t *x = channels[*(const uint32_t *)a].key;
	const int64_t *y = channels[*(const uint32_t *)b].key;

	for (int i = 0; i < GASPDB_CHANNEL_KEYS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

uint32_t *gaspdb_channels_sorted(struct gaspdb_channels *c, size_t *n)
{
	uint32_t *all = gaspdb_zeroed(c->run, c->index.n, sizeof *all);

	*n = 0;
	for (uint32_t i = 0; all && i < c->n_channels; i++)
		if (c->channels[i].in_use)
			all[(*n)++] = i;
	if (*n)
		qsort_r(all, *n, sizeof *all, by_key, c->channels);
	return all;
}
