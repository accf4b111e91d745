/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages between leaders, in words of shared memory.  A message is written
 * into the receiver's words, its count last: strict accesses are seen in their
 * order.  A receiver reads its own words alone.
 */
#include "collector/core/collector.h"
#include "collector/gasp/clocks.h"
#include "collector/gasp/upcalls.h"
#include "collector/include/gaspdb_upc.h"

#pragma weak gaspdb_upc_word
#pragma weak gaspdb_upc_set_word

/* A leader's words for one neighbour: slot 0 is the parent's, 1 + i the i-th
   child's. */
enum {
	COUNT, /* of messages; and which word the last one is */
	NUMBER,
	VALUES,
	PING = VALUES + 2, /* count of the pings; from the parent: its ticks */
	SLOT_WORDS
};
#define SLOTS ((GASPDB_UPC_WORDS - GASPDB_WORD_FIRST) / SLOT_WORDS)
#define WORD_BITS 2

const int gaspdb_upc_leaders_max = 1 << (SLOTS - 1 < 30 ? SLOTS - 1 : 30);

/* Of the process's leader, by slot. */
static struct {
	uint64_t sent, received, pings, reply;
} counts[SLOTS];

uint64_t gaspdb_upc_get(int thread, int word)
{
	struct gaspdb_context *c = gaspdb_upcall_begin(gaspdb_current);
	const uint64_t value = gaspdb_upc_word(thread, word);

	gaspdb_upcall_end(c);
	return value;
}

void gaspdb_upc_put(int thread, int word, uint64_t value)
{
	struct gaspdb_context *c = gaspdb_upcall_begin(gaspdb_current);

	gaspdb_upc_set_word(thread, word, value);
	gaspdb_upcall_end(c);
}

/* The slot of a neighbour's messages in the words of leader `at`. */
static int slot(int at, int neighbour)
{
	return neighbour < at ? 0 : 1 + __builtin_ctz((unsigned)(neighbour - at));
}

static int word_of(int at, int neighbour, int word)
{
	return GASPDB_WORD_FIRST + slot(at, neighbour) * SLOT_WORDS + word;
}

static void put(const struct gaspdb_leaders *l, int to, int word,
		uint64_t value)
{
	gaspdb_upc_put(l->ranks[to], word_of(to, l->me, word), value);
}

static uint64_t get(const struct gaspdb_leaders *l, int from, int word)
{
	return gaspdb_upc_get(l->ranks[l->me], word_of(l->me, from, word));
}

/* Waits until a word that the neighbour writes is not `before`. */
static bool wait_for(const struct gaspdb_leaders *l, int from, int word,
		     uint64_t before, uint64_t *value, int64_t deadline)
{
	unsigned tests = 0;

	do {
		*value = get(l, from, word);
		if (*value != before)
			return true;
		if (gaspdb_upc_get(l->ranks[l->me], GASPDB_WORD_STOP))
			return false;
	} while (gaspdb_leaders_may_wait(&tests, deadline));
	return false;
}

static bool send(const struct gaspdb_leaders *l, int to,
		 const struct gaspdb_leaders_message *m, int64_t deadline)
{
	uint64_t *count = &counts[slot(l->me, to)].sent;

	(void)deadline; /* a put returns */
	put(l, to, NUMBER, m->number);
	put(l, to, VALUES, m->value[0]);
	put(l, to, VALUES + 1, m->value[1]);
	put(l, to, COUNT, ++*count << WORD_BITS | m->word);
	return true;
}

static bool receive(const struct gaspdb_leaders *l, int from,
		    struct gaspdb_leaders_message *m, int64_t deadline)
{
	uint64_t *last = &counts[slot(l->me, from)].received;
	const uint64_t before = *last;

	if (!wait_for(l, from, COUNT, before, last, deadline) ||
	    *last != (((before >> WORD_BITS) + 1) << WORD_BITS | m->word) ||
	    get(l, from, NUMBER) != m->number)
		return false;
	m->value[0] = get(l, from, VALUES);
	m->value[1] = get(l, from, VALUES + 1);
	return true;
}

/* The answer is the ticks at which the ping was seen: one word, so that it is
   back as soon as can be. */
static bool ask(const struct gaspdb_leaders *l, int of, uint64_t number,
		struct gaspdb_answer *a, int64_t deadline)
{
	const int at = slot(l->me, of);
	const uint64_t before = counts[at].reply;

	(void)number; /* both have the same since the plan */
	put(l, of, PING, ++counts[at].pings);
	if (!wait_for(l, of, PING, before, &counts[at].reply, deadline))
		return false;
	a->received = a->replied = counts[at].reply;
	return true;
}

static bool answer(const struct gaspdb_leaders *l, int to, uint64_t number,
		   int64_t deadline)
{
	const int at = slot(l->me, to);
	const uint64_t before = counts[at].pings;
	uint64_t ticks;

	(void)number;
	if (!wait_for(l, to, PING, before, &counts[at].pings, deadline) ||
	    counts[at].pings != before + 1)
		return false;
	do
		ticks = gaspdb_ticks();
	while (ticks == counts[at].reply);
	counts[at].reply = ticks;
	put(l, to, PING, ticks);
	return true;
}

static void stop(const struct gaspdb_leaders *l, int to)
{
	gaspdb_upc_put(l->ranks[to], GASPDB_WORD_STOP, 1);
}

const struct gaspdb_transport gaspdb_upc_transport = { send, receive, ask,
							answer, stop };
