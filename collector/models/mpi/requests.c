/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The live requests of this process, by handle.  A handle may stand for several
 * at once: Open MPI and MPICH return the same completed request for small
 * sends.  So a bucket is a queue in posting order.  Memory comes from the
 * system: the holder of malloc's lock may wait for this table's.
 */
#include <errno.h>
#include <string.h>

#include "collector/base/pages.h"
#include "collector/models/mpi/adapter.h"

#define SLAB	   256 /* requests allocated at once */
#define SEARCH_MAX 64  /* most requests of one handle that are compared */

struct bucket {
	struct gaspdb_mpi_request *first, **end;
};

static struct gaspdb_lock lock;
static struct bucket *buckets;
static size_t n_buckets, n_live; /* n_buckets: a power of two */
static struct gaspdb_mpi_request *spare;
static _Thread_local char self; /* its address identifies the thread */

uint64_t gaspdb_mpi_serial(void)
{
	static atomic_uint_least64_t last;

	return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static struct bucket *bucket_of(struct bucket *table, size_t n,
				MPI_Request handle)
{
	uint64_t hash = (uint64_t)(uintptr_t)handle * 0x9e3779b97f4a7c15u;

	return &table[hash >> 32 & (n - 1)];
}

static void append(struct bucket *b, struct gaspdb_mpi_request *r)
{
	r->next = NULL;
	*b->end = r;
	b->end = &r->next;
}

/* Twice as many buckets; queues keep their order. */
static bool grow(void)
{
	size_t n = n_buckets ? 2 * n_buckets : 256;
	struct bucket *table = gaspdb_pages(n * sizeof *table);
	struct gaspdb_mpi_request *r, *next;

	if (!table)
		return false;
	for (size_t i = 0; i < n; i++)
		table[i] = (struct bucket){ NULL, &table[i].first };
	for (size_t i = 0; i < n_buckets; i++)
		for (r = buckets[i].first; r; r = next) {
			next = r->next;
			append(bucket_of(table, n, r->handle), r);
		}
	if (buckets)
		munmap(buckets, n_buckets * sizeof *buckets);
	buckets = table;
	n_buckets = n;
	return true;
}

static struct gaspdb_mpi_request *allocate(void)
{
	struct gaspdb_mpi_request *r = spare;

	if (!r) {
		r = gaspdb_pages(SLAB * sizeof *r);
		if (!r)
			return NULL;
		for (size_t i = 0; i < SLAB; i++)
			r[i].next = i + 1 < SLAB ? &r[i + 1] : NULL;
	}
	spare = r->next;
	return r;
}

void gaspdb_mpi_request_add(const struct gaspdb_mpi_request *added)
{
	const int error = errno;
	struct gaspdb_mpi_request *r = NULL;

	if (added->handle == MPI_REQUEST_NULL)
		return;
	if (!gaspdb_lock_enter(&lock))
		return;
	if (n_live < n_buckets || grow() || n_buckets)
		r = allocate();
	if (r) {
		*r = *added;
		r->thread = &self;
		gaspdb_mpi_comm_ref(r->comm);
		append(bucket_of(buckets, n_buckets, r->handle), r);
		n_live++;
	}
	gaspdb_lock_leave(&lock);
	if (!r)
		gaspdb_complain("no memory: a request's completion will not "
				"be recorded");
	errno = error;
}

/* Selects among the requests of a handle. */
typedef bool test_fn(const struct gaspdb_mpi_request *r);
/* Changes the selected request. */
typedef void change_fn(struct gaspdb_mpi_request *r);

static bool is_active(const struct gaspdb_mpi_request *r)
{
	return r->active;
}

static bool is_unseen(const struct gaspdb_mpi_request *r)
{
	return r->active && !r->done;
}

static bool is_idle(const struct gaspdb_mpi_request *r)
{
	return r->persistent && !r->active;
}

static bool is_any(const struct gaspdb_mpi_request *r)
{
	(void)r;
	return true;
}

static void deactivate(struct gaspdb_mpi_request *r)
{
	r->active = false;
}

static void mark_done(struct gaspdb_mpi_request *r)
{
	r->done = true;
}

static void mark_cancelling(struct gaspdb_mpi_request *r)
{
	r->cancelling = true;
}

static void activate(struct gaspdb_mpi_request *r)
{
	r->active = true;
	r->done = r->cancelling = false;
	r->number++;
}

static void retire(struct gaspdb_mpi_request *r)
{
	r->persistent = r->active = false;
}

/* The link to a request, for unlinking; NULL: not found. */
static struct gaspdb_mpi_request **
find(MPI_Request handle, const MPI_Request *where, test_fn *qualifies)
{
	struct gaspdb_mpi_request **at, **first = NULL, **own = NULL;
	unsigned compared = 0;

	if (!n_buckets)
		return NULL;
	at = &bucket_of(buckets, n_buckets, handle)->first;
	for (; *at && compared < SEARCH_MAX; at = &(*at)->next) {
		if ((*at)->handle != handle || !qualifies(*at))
			continue;
		if ((*at)->where == where)
			return at;
		if (!first)
			first = at;
		if (!own && (*at)->thread == &self)
			own = at;
		compared++;
	}
	return own ? own : first;
}

static void unlink_request(struct gaspdb_mpi_request **at)
{
	struct gaspdb_mpi_request *r = *at;
	struct bucket *b = bucket_of(buckets, n_buckets, r->handle);

	*at = r->next;
	if (b->end == &r->next)
		b->end = at;
	r->next = spare;
	spare = r;
	n_live--;
}

/*
 * Finds, copies and changes a request.  One that is then neither active nor
 * persistent is removed, and its reference to the communicator passes to the
 * copy.
 */
static bool apply(MPI_Request handle, const MPI_Request *where,
		  test_fn *qualifies, change_fn *change,
		  struct gaspdb_mpi_request *copy)
{
	struct gaspdb_mpi_request **at;

	if (!gaspdb_lock_enter(&lock))
		return false;
	at = find(handle, where, qualifies);
	if (at) {
		*copy = **at;
		change(*at);
		if ((*at)->active || (*at)->persistent)
			gaspdb_mpi_comm_ref(copy->comm);
		else
			unlink_request(at);
	}
	gaspdb_lock_leave(&lock);
	return at != NULL;
}

bool gaspdb_mpi_request_complete(MPI_Request handle, const MPI_Request *where,
				 struct gaspdb_mpi_request *r)
{
	return apply(handle, where, is_active, deactivate, r);
}

bool gaspdb_mpi_request_observe(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r)
{
	return apply(handle, where, is_unseen, mark_done, r);
}

bool gaspdb_mpi_request_cancel(MPI_Request handle, const MPI_Request *where,
			       struct gaspdb_mpi_request *r)
{
	return apply(handle, where, is_active, mark_cancelling, r);
}

bool gaspdb_mpi_request_free(MPI_Request handle, const MPI_Request *where,
			     struct gaspdb_mpi_request *r)
{
	return apply(handle, where, is_any, retire, r);
}

bool gaspdb_mpi_request_start(MPI_Request handle, const MPI_Request *where,
			      bool passed, uint64_t ticks,
			      struct gaspdb_mpi_request *r)
{
	struct gaspdb_mpi_request **at;

	if (!gaspdb_lock_enter(&lock))
		return false;
	at = find(handle, where, is_idle);
	if (at) {
		activate(*at);
		(*at)->call = r->call;
		(*at)->caller = r->caller;
		(*at)->passed = passed;
		(*at)->passed_ticks = ticks;
		*r = **at;
		r->not_created_here = r->creator != &self;
		if (!passed)
			(*at)->creator = &self;
		gaspdb_mpi_comm_ref(r->comm);
	}
	gaspdb_lock_leave(&lock);
	return at != NULL;
}

static void unstart(struct gaspdb_mpi_request *r)
{
	r->active = false;
	r->number--;
}

bool gaspdb_mpi_request_unstart(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r)
{
	return apply(handle, where, is_active, unstart, r);
}

void gaspdb_mpi_request_put(struct gaspdb_mpi_request *r)
{
	gaspdb_mpi_comm_put(r->comm);
}

int gaspdb_mpi_posted(struct gaspdb_mpi_call *call, int rc,
		      const MPI_Request *request, struct gaspdb_mpi_request *r)
{
	uint64_t serial = 0;

	if (rc == MPI_SUCCESS) {
		serial = r->serial = gaspdb_mpi_serial();
		r->handle = *request;
		r->where = request;
		r->active = !r->persistent;
		r->limit = call->limit;
		r->posted_peer = call->posted_peer;
		r->posted_tag = call->posted_tag;
		r->call = gaspdb_profile_call(call->c);
		r->caller = call->c;
		r->passed = !gaspdb_recording(call->c);
		r->passed_ticks = call->passed;
		r->creator = r->passed ? NULL : &self;
		gaspdb_mpi_request_add(r);
	}
	gaspdb_mpi_finish(call, 1, &serial);
	return rc;
}
