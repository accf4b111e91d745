/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of the stand-in: PEs are processes that map one file, SHMEM15_FILE,
 * with a heap for each; SHMEM15_PE of SHMEM15_PES says who one is.  Everything is
 * done at once; every function has its profiling name, and the other weakly.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "library.h"

enum { HEAP_BYTES = 1 << 20, CONTROL_BYTES = 1 << 16 };

struct shmem_ctx {
	shmem_team_t team;
};

/* arrived[a][b]: how many times a has met b. */
static struct control {
	_Atomic int arrived[PES_MAX][PES_MAX];
} * control;
static int met[PES_MAX], me, n_pes;
static char *heaps;
static size_t used;
static struct shmem_team world, shared;

shmem_team_t SHMEM_TEAM_WORLD = &world, SHMEM_TEAM_SHARED = &shared;

static char *heap_of(int pe)
{
	return heaps + (size_t)pe * HEAP_BYTES;
}

static int in_heap(const void *address)
{
	return (const char *)address >= heap_of(me) && (const char *)address < heap_of(me) + HEAP_BYTES;
}

void *shmem15_at(shmem_ctx_t ctx, const void *address, int pe)
{
	if (ctx)
		pe = ctx->team->member[pe];
	if (!in_heap(address)) {
		fprintf(stderr, "PE %d: %p is not symmetric\n", me, address);
		abort();
	}
	return heap_of(pe) + ((const char *)address - heap_of(me));
}

static void start(void)
{
	const int fd = open(getenv("SHMEM15_FILE"), O_RDWR);
	const size_t bytes = CONTROL_BYTES + (size_t)PES_MAX * HEAP_BYTES;

	me = atoi(getenv("SHMEM15_PE"));
	n_pes = atoi(getenv("SHMEM15_PES"));
	control = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED) {
		perror("SHMEM15_FILE");
		abort();
	}
	close(fd);
	heaps = (char *)control + CONTROL_BYTES;
	world.n = n_pes;
	world.me = me;
	for (int i = 0; i < n_pes; i++)
		world.member[i] = i;
	shared = world;
}

void shmem15_meet(shmem_team_t team)
{
	for (int i = 0; i < team->n; i++)
		if (team->member[i] != me)
			atomic_fetch_add(&control->arrived[me][team->member[i]], 1);
	for (int i = 0; i < team->n; i++) {
		const int other = team->member[i];

		if (other == me)
			continue;
		met[other]++;
		while (atomic_load(&control->arrived[other][me]) < met[other])
			sched_yield();
	}
}

/* --- functions ------------------------------------------------------------- */

DEFINE(void, init, (void))
{
	start();
}
DEFINE(int, init_thread, (int requested, int *provided))
{
	*provided = requested;
	start();
	return 0;
}
void start_pes(int npes) __attribute__((weak, alias("pstart_pes")));
void pstart_pes(int npes)
{
	(void)npes;
	start();
}
DEFINE(void, finalize, (void))
{
	shmem15_meet(&world);
}
DEFINE(void, global_exit, (int status))
{
	_exit(status);
}
DEFINE(int, my_pe, (void))
{
	return me;
}
DEFINE(int, n_pes, (void))
{
	return n_pes;
}
DEFINE(int, pe_accessible, (int pe))
{
	return pe >= 0 && pe < n_pes;
}
DEFINE(int, addr_accessible, (const void *addr, int pe))
{
	return pe >= 0 && pe < n_pes && in_heap(addr);
}
DEFINE(void *, ptr, (const void *dest, int pe))
{
	return shmem15_at(NULL, dest, pe);
}
DEFINE(void, info_get_version, (int *major, int *minor))
{
	*major = 1;
	*minor = 5;
}
DEFINE(void, info_get_name, (char *name))
{
	strcpy(name, "stand-in");
}
DEFINE(void, query_thread, (int *provided))
{
	*provided = SHMEM_THREAD_SINGLE;
}
DEFINE(void, pcontrol, (int level, ...))
{
	(void)level;
}
static void *allocate(size_t size)
{
	void *block = heap_of(me) + used;

	used += (size + 63) / 64 * 64;
	shmem15_meet(&world);
	return block;
}
DEFINE(void *, malloc, (size_t size))
{
	return allocate(size);
}
DEFINE(void *, malloc_with_hints, (size_t size, long hints))
{
	(void)hints;
	return allocate(size);
}
DEFINE(void *, calloc, (size_t count, size_t size))
{
	return allocate(count * size);
}
DEFINE(void *, align, (size_t alignment, size_t size))
{
	(void)alignment;
	return allocate(size);
}
DEFINE(void *, realloc, (void *ptr, size_t size))
{
	(void)ptr;
	return allocate(size);
}
DEFINE(void, free, (void *ptr))
{
	(void)ptr;
	shmem15_meet(&world);
}
/* A lock is PE 0's copy of it. */
static int take(long *lock)
{
	long is_free = 0;

	return __atomic_compare_exchange_n((long *)shmem15_at(NULL, lock, 0), &is_free, me + 1, 0, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}
DEFINE(void, set_lock, (long *lock))
{
	while (!take(lock))
		sched_yield();
}
DEFINE(int, test_lock, (long *lock))
{
	return !take(lock);
}
DEFINE(void, clear_lock, (long *lock))
{
	__atomic_store_n((long *)shmem15_at(NULL, lock, 0), 0, __ATOMIC_SEQ_CST);
}
DEFINE(void, fence, (void))
{
}
DEFINE(void, ctx_fence, (shmem_ctx_t ctx))
{
	(void)ctx;
}
DEFINE(void, quiet, (void))
{
}
DEFINE(void, ctx_quiet, (shmem_ctx_t ctx))
{
	(void)ctx;
}
DEFINE(void, barrier_all, (void))
{
	shmem15_meet(&world);
}
DEFINE(void, sync_all, (void))
{
	shmem15_meet(&world);
}

/* --- contexts and teams ---------------------------------------------------- */

DEFINE(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
{
	(void)options;
	if (!team)
		return -1;
	*ctx = malloc(sizeof **ctx);
	(*ctx)->team = team;
	return 0;
}
DEFINE(int, ctx_create, (long options, shmem_ctx_t *ctx))
{
	return pshmem_team_create_ctx(&world, options, ctx);
}
DEFINE(void, ctx_destroy, (shmem_ctx_t ctx))
{
	free(ctx);
}
DEFINE(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
{
	*team = ctx ? ctx->team : &world;
	return 0;
}
DEFINE(int, team_my_pe, (shmem_team_t team))
{
	return team ? team->me : -1;
}
DEFINE(int, team_n_pes, (shmem_team_t team))
{
	return team ? team->n : -1;
}
DEFINE(int, team_get_config, (shmem_team_t team, long mask, shmem_team_config_t *config))
{
	(void)mask;
	config->num_contexts = 0;
	return team ? 0 : -1;
}
DEFINE(int, team_translate_pe, (shmem_team_t from, int pe, shmem_team_t to))
{
	for (int i = 0; from && to && pe >= 0 && pe < from->n && i < to->n; i++)
		if (to->member[i] == from->member[pe])
			return i;
	return -1;
}
/* NULL where the PE is not in it. */
static shmem_team_t team_of(const int *members, int n)
{
	shmem_team_t t = calloc(1, sizeof *t);

	t->me = -1;
	for (t->n = 0; t->n < n; t->n++) {
		t->member[t->n] = members[t->n];
		if (members[t->n] == me)
			t->me = t->n;
	}
	if (t->me >= 0)
		return t;
	free(t);
	return NULL;
}
DEFINE(int, team_split_strided,
       (shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config, long mask,
	shmem_team_t *team))
{
	int members[PES_MAX];

	(void)config;
	(void)mask;
	*team = NULL;
	if (!parent || start + (size - 1) * stride >= parent->n)
		return -1;
	for (int i = 0; i < size; i++)
		members[i] = parent->member[start + i * stride];
	*team = team_of(members, size);
	shmem15_meet(parent);
	return 0;
}
DEFINE(int, team_split_2d,
       (shmem_team_t parent, int xrange, const shmem_team_config_t *xconfig, long xmask, shmem_team_t *xteam,
	const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam))
{
	int x[PES_MAX], y[PES_MAX], nx = 0, ny = 0;

	(void)xconfig;
	(void)yconfig;
	(void)xmask;
	(void)ymask;
	for (int i = 0; i < parent->n; i++) {
		if (i / xrange == parent->me / xrange)
			x[nx++] = parent->member[i];
		if (i % xrange == parent->me % xrange)
			y[ny++] = parent->member[i];
	}
	*xteam = team_of(x, nx);
	*yteam = team_of(y, ny);
	shmem15_meet(parent);
	return 0;
}
DEFINE(void, team_destroy, (shmem_team_t team))
{
	if (team == &world || !team)
		return;
	shmem15_meet(team);
	free(team);
}
DEFINE(int, team_sync, (shmem_team_t team))
{
	if (!team)
		return -1;
	shmem15_meet(team);
	return 0;
}
