/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The communicators of this process, by handle.  MPI reuses handles after a
 * free; ids are unique.  A thread's log has a communicator before the first
 * event that names it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/models/mpi/teams.h"

#define BUCKETS 1024 /* a power of two */

static struct gaspdb_lock lock;
static struct gaspdb_mpi_comm *buckets[BUCKETS];
static struct gaspdb_mpi_comm *oldest, *newest;
static uint64_t last_id;

/* Counts changes of the meaning of a handle. */
static atomic_ulong generation = 1;

/* The communicator that the thread used last: most calls use it again. */
static _Thread_local struct {
	struct gaspdb_mpi_comm *comm; /* a reference */
	MPI_Comm handle;
	unsigned long generation; /* in which the handle is its; 0: none */
} held;

/* Greatest id of a communicator in the calling thread's log. */
static _Thread_local uint64_t last_emitted;

static struct gaspdb_mpi_comm **bucket_of(MPI_Comm handle)
{
	uint64_t hash = (uint64_t)(uintptr_t)handle * 0x9e3779b97f4a7c15u;

	return &buckets[hash >> 54 & (BUCKETS - 1)];
}

/* Appends to the list by age: ids grow from the oldest to the newest. */
static void link_age(struct gaspdb_mpi_comm *m)
{
	struct gaspdb_mpi_comm *before = newest;

	while (before && before->id > m->id)
		before = before->older;
	m->older = before;
	m->newer = before ? before->newer : oldest;
	*(m->older ? &m->older->newer : &oldest) = m;
	*(m->newer ? &m->newer->older : &newest) = m;
}

static void insert(struct gaspdb_mpi_comm *m)
{
	struct gaspdb_mpi_comm **bucket = bucket_of(m->handle);

	if (m->handle != MPI_COMM_NULL) {
		m->next = *bucket;
		*bucket = m;
	}
	link_age(m);
}

static void unlink_age(struct gaspdb_mpi_comm *m)
{
	*(m->older ? &m->older->newer : &oldest) = m->newer;
	*(m->newer ? &m->newer->older : &newest) = m->older;
}

static struct gaspdb_mpi_comm *unlink_handle(MPI_Comm handle)
{
	struct gaspdb_mpi_comm **at = bucket_of(handle), *m;

	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	m = *at;
	if (!m)
		return NULL;
	*at = m->next;
	unlink_age(m);
	return m;
}

struct gaspdb_mpi_comm *gaspdb_mpi_comm_ref(struct gaspdb_mpi_comm *m)
{
	if (m)
		atomic_fetch_add_explicit(&m->references, 1,
					  memory_order_relaxed);
	return m;
}

void gaspdb_mpi_comm_put(struct gaspdb_mpi_comm *m)
{
	if (m && atomic_fetch_sub_explicit(&m->references, 1,
					   memory_order_acq_rel) == 1)
		gaspdb_mpi_team_delete(m);
}

/* Writes the TEAM records that the thread's log lacks. */
static void emit_new(struct gaspdb_context *c)
{
	struct gaspdb_mpi_comm *m;

	if (!gaspdb_lock_enter(&lock))
		return;
	m = newest;
	while (m && m->older && m->older->id > last_emitted)
		m = m->older;
	for (; m; m = m->newer)
		if (m->id > last_emitted) {
			gaspdb_mpi_team_emit(c, m);
			gaspdb_mpi_team_emit_sources(c, m);
		}
	last_emitted = last_id;
	gaspdb_lock_leave(&lock);
}

/* Adds a communicator to the table; it replaces one that was freed unseen.
   false: not added. */
static bool adopt(struct gaspdb_mpi_comm *m)
{
	struct gaspdb_mpi_comm *stale;

	m->references = 1;
	if (!gaspdb_lock_enter(&lock)) {
		gaspdb_mpi_comm_put(m);
		return false;
	}
	stale = unlink_handle(m->handle);
	m->id = ++last_id;
	insert(m);
	generation++;
	gaspdb_lock_leave(&lock);
	gaspdb_mpi_comm_put(stale);
	return true;
}

uint64_t gaspdb_mpi_comm_add(struct gaspdb_context *c, MPI_Comm handle,
			     const struct gaspdb_mpi_comm *parent,
			     uint64_t ordinal, uint64_t key, const char *kind)
{
	const int error = errno;
	struct gaspdb_mpi_comm *m;
	uint64_t id = 0;

	m = handle == MPI_COMM_NULL ? NULL : gaspdb_mpi_team_new(handle);
	if (m) {
		m->kind = kind;
		gaspdb_mpi_team_find_neighbors(m);
		gaspdb_mpi_team_identify(m, parent, ordinal, key);
		if (adopt(m)) {
			id = m->id;
			emit_new(c);
			gaspdb_mpi_team_emit_members(c, m);
		}
	}
	errno = error;
	return id;
}

struct gaspdb_mpi_comm *
gaspdb_mpi_comm_add_object(struct gaspdb_context *c, MPI_Comm handle,
			   const struct gaspdb_mpi_comm *parent,
			   uint64_t ordinal, const char *kind, const char *name)
{
	const int error = errno;
	struct gaspdb_mpi_comm *m = gaspdb_mpi_team_new(handle);

	if (m) {
		m->handle = MPI_COMM_NULL;
		m->kind = kind;
		m->name = name ? strdup(name) : NULL;
		gaspdb_mpi_team_identify(m, parent, ordinal, 0);
		if (adopt(m)) {
			emit_new(c);
			gaspdb_mpi_team_emit_members(c, m);
		} else {
			m = NULL;
		}
	}
	errno = error;
	return m;
}

void gaspdb_mpi_comm_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m)
{
	if (m && m->id > last_emitted)
		emit_new(c);
}

bool gaspdb_mpi_comm_remove_object(struct gaspdb_mpi_comm *m)
{
	if (!gaspdb_lock_enter(&lock))
		return false;
	unlink_age(m);
	gaspdb_lock_leave(&lock);
	return true;
}

static struct gaspdb_mpi_comm *find(MPI_Comm handle)
{
	struct gaspdb_mpi_comm *m = *bucket_of(handle);

	while (m && m->handle != handle)
		m = m->next;
	return m;
}

/* Swaps the held reference and returns the old one.  The thread holds a lock,
   so no signal handler interferes. */
static struct gaspdb_mpi_comm *swap_held(struct gaspdb_mpi_comm *m,
					 MPI_Comm handle, unsigned long now)
{
	struct gaspdb_mpi_comm *before = held.comm;

	held.generation = 0;
	atomic_signal_fence(memory_order_seq_cst);
	held.comm = m;
	held.handle = handle;
	atomic_signal_fence(memory_order_seq_cst);
	held.generation = now;
	return before;
}

struct gaspdb_mpi_comm *gaspdb_mpi_comm_hold(struct gaspdb_mpi_comm *m)
{
	static _Thread_local struct gaspdb_lock own;
	struct gaspdb_mpi_comm *before;

	if (!gaspdb_lock_enter(&own))
		return m; /* never returned */
	before = swap_held(m, MPI_COMM_NULL, 0);
	gaspdb_lock_leave(&own);
	gaspdb_mpi_comm_put(before);
	return m;
}

/* Holds a handle's communicator from now on; false: the table is locked. */
static bool hold(MPI_Comm handle, unsigned long now, struct gaspdb_mpi_comm **m)
{
	struct gaspdb_mpi_comm *before = NULL;

	if (!gaspdb_lock_enter(&lock))
		return false;
	*m = gaspdb_mpi_comm_ref(find(handle));
	if (*m)
		before = swap_held(*m, handle, now);
	gaspdb_lock_leave(&lock);
	gaspdb_mpi_comm_put(before);
	return true;
}

static struct gaspdb_mpi_comm *find_or_add(struct gaspdb_context *c,
					   MPI_Comm handle, unsigned long now)
{
	struct gaspdb_mpi_comm *m;

	if (!hold(handle, now, &m))
		return NULL;
	/* Created by a call that was not recorded. */
	if (!m && gaspdb_mpi_comm_is_valid(handle)) {
		gaspdb_mpi_comm_add(c, handle, NULL, GASPDB_MPI_UNNUMBERED, 0,
				    "unknown");
		if (!hold(handle, now, &m))
			return NULL;
	}
	if (m && m->id > last_emitted)
		emit_new(c);
	return m;
}

uint64_t gaspdb_mpi_comm_last(struct gaspdb_context *c, MPI_Comm handle)
{
	uint64_t id;

	if (held.generation == generation && held.handle == handle)
		return gaspdb_mpi_comm_id(held.comm);
	if (!gaspdb_lock_enter(&lock))
		return 0;
	id = gaspdb_mpi_comm_id(find(handle));
	gaspdb_lock_leave(&lock);
	if (id > last_emitted)
		emit_new(c);
	return id <= last_emitted ? id : 0;
}

struct gaspdb_mpi_comm *gaspdb_mpi_comm_get(struct gaspdb_context *c,
					    MPI_Comm handle)
{
	unsigned long now = generation;

	if (handle == MPI_COMM_NULL)
		return NULL;
	if (held.generation == now && held.handle == handle)
		return held.comm;
	return find_or_add(c, handle, now);
}

void gaspdb_mpi_comm_name(struct gaspdb_context *c, struct gaspdb_mpi_comm *m,
			  const char *name)
{
	const int error = errno;
	char *before = strdup(name), *copy = before;

	if (m && copy && gaspdb_lock_enter(&lock)) {
		before = m->name;
		m->name = copy;
		gaspdb_mpi_team_emit(c, m);
		gaspdb_lock_leave(&lock);
	}
	free(before);
	errno = error;
}

struct gaspdb_mpi_comm *gaspdb_mpi_comm_remove(MPI_Comm handle)
{
	struct gaspdb_mpi_comm *m;

	if (!gaspdb_lock_enter(&lock))
		return NULL; /* adopt() finds it, if the handle comes back */
	m = unlink_handle(handle);
	generation++;
	gaspdb_lock_leave(&lock);
	return m;
}

void gaspdb_mpi_comm_restore(struct gaspdb_mpi_comm *m)
{
	if (!gaspdb_lock_enter(&lock))
		return;
	insert(m);
	generation++;
	gaspdb_lock_leave(&lock);
}

void gaspdb_mpi_comm_freed(struct gaspdb_context *c, struct gaspdb_mpi_comm *m)
{
	if (c)
		gaspdb_record(c, GASPDB_RECORD_TEAM_FREE, "uu", m->id,
			      gaspdb_ticks());
	gaspdb_mpi_comm_put(m);
}

void gaspdb_mpi_comms_resumed(struct gaspdb_context *c)
{
	emit_new(c);
	if (!gaspdb_lock_enter(&lock))
		return;
	for (struct gaspdb_mpi_comm *m = oldest; m; m = m->newer)
		gaspdb_record(c, GASPDB_RECORD_TEAM_SEQUENCE, "uu", m->id,
			      (uint64_t)m->sequence);
	gaspdb_lock_leave(&lock);
}

/* --- the world ------------------------------------------------------------ */

/* Stays for the process's life: its id is other communicators' parent. */
static struct gaspdb_mpi_comm *root;

/* Adds one of the predefined communicators, which have a name and no parent. */
static struct gaspdb_mpi_comm *add_root(struct gaspdb_context *c,
					struct gaspdb_mpi_comm *m,
					uint64_t ordinal, const char *kind,
					const char *name)
{
	if (!m)
		return NULL;
	m->kind = kind;
	m->name = strdup(name);
	gaspdb_mpi_team_identify(m, NULL, ordinal, 0);
	if (!adopt(m))
		return NULL;
	emit_new(c);
	gaspdb_mpi_team_emit_members(c, m);
	return m;
}

void gaspdb_mpi_comms_init(struct gaspdb_context *c)
{
	MPI_Group world = MPI_GROUP_NULL;

	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	gaspdb_mpi_teams_init(world, gaspdb_mpi_spawn_first());
	root = gaspdb_mpi_comm_ref(add_root(c,
					    gaspdb_mpi_team_new(MPI_COMM_WORLD),
					    0, "world", "MPI_COMM_WORLD"));
	add_root(c, gaspdb_mpi_team_new(MPI_COMM_SELF), 1, "self",
		 "MPI_COMM_SELF");
	gaspdb_mpi_spawn_add_parents(c);
}

void gaspdb_mpi_comms_init_session(struct gaspdb_context *c, MPI_Group world)
{
	gaspdb_mpi_teams_init(world, 0);
	if (!root && world != MPI_GROUP_NULL)
		root = gaspdb_mpi_comm_ref(
			add_root(c, gaspdb_mpi_team_new_group(world), 0,
				 "world", "mpi://WORLD"));
}

struct gaspdb_mpi_comm *gaspdb_mpi_comm_world(struct gaspdb_context *c)
{
	gaspdb_mpi_comm_emit(c, root);
	return root;
}

/* One communicator with a handle; NULL: there is none. */
static struct gaspdb_mpi_comm *any_handle(void)
{
	for (size_t i = 0; i < BUCKETS; i++)
		if (buckets[i])
			return unlink_handle(buckets[i]->handle);
	return NULL;
}

void gaspdb_mpi_comms_fini(void)
{
	struct gaspdb_mpi_comm *m, *last = NULL;

	if (!gaspdb_lock_enter(&lock))
		return;
	while ((m = any_handle())) {
		if (m == root)
			last = m;
		else
			gaspdb_mpi_comm_put(m);
	}
	if (last) {
		last->handle = MPI_COMM_NULL;
		insert(last);
	}
	generation++;
	gaspdb_lock_leave(&lock);
	gaspdb_mpi_teams_fini();
}
