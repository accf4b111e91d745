/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a message, and the counts of those that pass while
 * recording is off: without them, later messages of a channel could not be
 * paired.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "adapter.h"

uint64_t gaspdb_mpi_bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (count <= 0 || type == MPI_DATATYPE_NULL)
		return 0;
	PMPI_Type_size_x(type, &size);
	return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

struct gaspdb_mpi_message gaspdb_mpi_message_of(const struct gaspdb_mpi_comm *m,
						const MPI_Status *status)
{
	struct gaspdb_mpi_message message = { -1, -1, 0 };
	MPI_Count bytes = 0;

	if (status->MPI_SOURCE == MPI_PROC_NULL)
		return message;
	message.peer = gaspdb_mpi_comm_peer(m, status->MPI_SOURCE);
	message.tag = status->MPI_TAG;
	/* As bytes whatever the type: derived types come out right, and
	   sizes beyond an int's. */
	PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	message.bytes = bytes > 0 ? (uint64_t)bytes : 0;
	return message;
}

int gaspdb_mpi_error_class(int code)
{
	int class = MPI_SUCCESS;

	if (code != MPI_SUCCESS)
		PMPI_Error_class(code, &class);
	return class;
}

struct gaspdb_mpi_message
gaspdb_mpi_message_received(const struct gaspdb_mpi_comm *m,
			    const MPI_Status *status, uint64_t limit, int error)
{
	struct gaspdb_mpi_message message = { -1, -1, 0 };

	/* After other errors the status holds nothing. */
	if (error == MPI_SUCCESS || error == MPI_ERR_TRUNCATE)
		message = gaspdb_mpi_message_of(m, status);
	/* What the status then says differs from one MPI to the other. */
	if (error == MPI_ERR_TRUNCATE)
		message.bytes = limit;
	return message;
}

int gaspdb_mpi_received(struct gaspdb_mpi_call *call, int rc,
			const MPI_Status *status)
{
	const int error = gaspdb_mpi_error_class(rc);
	const struct gaspdb_mpi_message message = gaspdb_mpi_message_received(
		call->comm, status, call->limit, error);

	if (!gaspdb_recording(call->c))
		gaspdb_mpi_passed(call->c, gaspdb_mpi_comm_id(call->comm),
				  &message, true, gaspdb_ticks());
	gaspdb_mpi_finish(call, 4,
			  (uint64_t[]){ (uint64_t)message.peer,
					(uint64_t)message.tag, message.bytes,
					(uint64_t)error });
	return rc;
}

/* --- messages that pass unrecorded ---------------------------------------- */

struct channel {
	uint64_t team;
	int peer, tag;
	uint64_t sends, receives; /* both 0: a free slot */
};

/* Open addressing; n_channels a power of two, at most half of it used. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct channel *channels;
static size_t n_channels, n_used;

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
	struct channel *table = calloc(n, sizeof *table), *old = channels;

	if (!table)
		return false;
	for (size_t i = 0; i < n_channels; i++)
		if (old[i].sends | old[i].receives)
			*slot_of(table, n, old[i].team, old[i].peer,
				 old[i].tag) = old[i];
	channels = table;
	n_channels = n;
	free(old);
	return true;
}

static void count(uint64_t team, const struct gaspdb_mpi_message *m,
		  bool receive)
{
	const int error = errno;
	struct channel *slot;
	bool counted = false;

	pthread_mutex_lock(&lock);
	if (2 * n_used < n_channels || grow()) {
		slot = slot_of(channels, n_channels, team, m->peer, m->tag);
		n_used += !(slot->sends | slot->receives);
		slot->team = team;
		slot->peer = m->peer;
		slot->tag = m->tag;
		slot->sends += !receive;
		slot->receives += receive;
		counted = true;
	}
	pthread_mutex_unlock(&lock);
	if (!counted)
		gaspdb_complain("no memory: messages that pass while recording "
				"is off are not counted");
	errno = error;
}

static void tell(struct gaspdb_context *c, const struct channel *channel,
		 uint64_t ticks)
{
	gaspdb_record(c, GASPDB_RECORD_PASSED, "uiiuuu", channel->team,
		      (int64_t)channel->peer, (int64_t)channel->tag,
		      channel->sends, channel->receives, ticks);
}

void gaspdb_mpi_passed(struct gaspdb_context *c, uint64_t team,
		       const struct gaspdb_mpi_message *message, bool receive,
		       uint64_t ticks)
{
	if (message->peer < 0)
		return;
	if (gaspdb_recording(c) || gaspdb_masked(c))
		tell(c,
		     &(struct channel){ team, message->peer, message->tag,
					!receive, receive },
		     ticks);
	else
		count(team, message, receive);
}

void gaspdb_mpi_channels_resumed(struct gaspdb_context *c)
{
	struct channel *table;
	size_t n;

	pthread_mutex_lock(&lock);
	table = channels;
	n = n_channels;
	channels = NULL;
	n_channels = n_used = 0;
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; i < n; i++)
		if (table[i].sends | table[i].receives)
			tell(c, &table[i], 0);
	free(table);
}
