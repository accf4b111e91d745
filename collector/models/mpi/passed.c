/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unrecorded messages, without which later messages of their channels could not
 * be paired.  Each keeps the place at which it was posted.  Between two
 * recorded posts of the process their order does not matter, so they are
 * counted and logged together.  Counting starts with the first post while
 * recording is off, and ends when any thread posts a recorded one or recording
 * resumes.  A receive that was posted before or completes afterwards is logged
 * alone.
 */
#include <errno.h>

#include "collector/base/pages.h"
#include "collector/models/mpi/adapter.h"

struct channel {
	uint64_t team;
	int peer, tag;
	uint64_t sends, receives; /* both 0: a free slot */
};

/* Open addressing; n_channels a power of two, at most half of it used. */
static struct gaspdb_lock lock;
static struct channel *channels;
static size_t n_channels, n_used;
/* Ticks since which unrecorded posts are counted; 0: none are. */
static atomic_uint_least64_t since;

static struct channel *slot_of(struct channel *table, size_t n, uint64_t team,
			       int peer, int tag)
{
	uint64_t hash = (team * 0x9e3779b97f4a7c15u ^ (uint64_t)peer) *
				0x9e3779b97f4a7c15u ^
			(uint64_t)tag;
	size_t i = hash * 0x9e3779b97f4a7c15u >> 32;

	for (;; i++) {
		struct channel *slot = &table[i & (n - 1)];

		if (!(slot->sends | slot->receives) ||
		    (slot->team == team && slot->peer == peer &&
		     slot->tag == tag))
			return slot;
	}
}

static bool grow(void)
{
	size_t n = n_channels ? 2 * n_channels : 256;
	struct channel *table = gaspdb_pages(n * sizeof *table),
		       *old = channels;

	if (!table)
		return false;
	for (size_t i = 0; i < n_channels; i++)
		if (old[i].sends | old[i].receives)
			*slot_of(table, n, old[i].team, old[i].peer,
				 old[i].tag) = old[i];
	if (old)
		munmap(old, n_channels * sizeof *old);
	channels = table;
	n_channels = n;
	return true;
}

/* Counts a message; false: it must be logged alone. */
static bool count(const struct channel *one, uint64_t ticks)
{
	const int error = errno;
	struct channel *slot;
	bool counted = false;

	if (!gaspdb_lock_enter(&lock))
		return false;
	if (since && ticks >= since && (2 * n_used < n_channels || grow())) {
		slot = slot_of(channels, n_channels, one->team, one->peer,
			       one->tag);
		n_used += !(slot->sends | slot->receives);
		slot->team = one->team;
		slot->peer = one->peer;
		slot->tag = one->tag;
		slot->sends += one->sends;
		slot->receives += one->receives;
		counted = true;
	}
	gaspdb_lock_leave(&lock);
	errno = error;
	return counted;
}

static void emit(struct gaspdb_context *c, const struct channel *channel,
		 uint64_t ticks)
{
	gaspdb_record(c, GASPDB_RECORD_PASSED, "uiiuuu", channel->team,
		      (int64_t)channel->peer, (int64_t)channel->tag,
		      channel->sends, channel->receives, ticks);
}

/* Logs and resets the counts; returns ticks, which no count extends across. */
static uint64_t emit_all(struct gaspdb_context *c)
{
	const int error = errno;
	struct channel *table;
	uint64_t first, now;
	size_t n;

	if (!gaspdb_lock_enter(&lock))
		return gaspdb_ticks();
	table = channels;
	n = n_channels;
	first = since;
	now = gaspdb_ticks();
	channels = NULL;
	n_channels = n_used = 0;
	since = 0;
	gaspdb_lock_leave(&lock);
	for (size_t i = 0; i < n; i++)
		if (table[i].sends | table[i].receives)
			emit(c, &table[i], first);
	if (table)
		munmap(table, n * sizeof *table);
	errno = error;
	return now;
}

static uint64_t start_counting(void)
{
	uint64_t now;

	if (!gaspdb_lock_enter(&lock))
		return gaspdb_ticks();
	now = gaspdb_ticks();
	if (!since)
		since = now;
	gaspdb_lock_leave(&lock);
	return now;
}

uint64_t gaspdb_mpi_posting(struct gaspdb_context *c)
{
	const bool counting =
		atomic_load_explicit(&since, memory_order_relaxed);

	if (gaspdb_recording(c)) {
		if (counting)
			emit_all(c);
		return 0;
	}
	return counting || gaspdb_masked(c) ? gaspdb_ticks() : start_counting();
}

uint64_t gaspdb_mpi_posting_apart(struct gaspdb_context *c)
{
	return emit_all(c);
}

void gaspdb_mpi_passed_emit(struct gaspdb_context *c)
{
	emit_all(c);
}

void gaspdb_mpi_passed(struct gaspdb_context *c, struct gaspdb_mpi_comm *comm,
		       const struct gaspdb_mpi_message *message, bool receive,
		       uint64_t ticks)
{
	const struct channel one = { gaspdb_mpi_comm_id(comm), message->peer,
				     message->tag, !receive, receive };

	if (one.peer < 0 || one.tag < 0)
		return;
	gaspdb_mpi_comm_emit(c, comm);
	if (!count(&one, ticks))
		emit(c, &one, ticks);
}
