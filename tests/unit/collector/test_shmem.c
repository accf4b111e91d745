/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the OpenSHMEM adapter finds out by itself: the heap's bounds, teams,
 * contexts.  An OpenSHMEM and a collector of our own stand around it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* The OpenSHMEM */
#define GASPDB_COLLECTOR_MODELS_SHMEM_API_H
typedef struct {
	int dummy;
} * shmem_ctx_t;
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)0)
enum {
	SHMEM_CMP_EQ,
	SHMEM_CMP_NE,
	SHMEM_CMP_GT,
	SHMEM_CMP_LE,
	SHMEM_CMP_LT,
	SHMEM_CMP_GE
};

static struct {
	const char *base, *end;
} symmetric_memory[2];

static int pshmem_addr_accessible(const void *address, int pe)
{
	const char *p = address;

	assert_int_equal(pe, 0); /* another PE's answer may need messages */
	for (int i = 0; i < 2; i++)
		if (p >= symmetric_memory[i].base &&
		    p < symmetric_memory[i].end)
			return 1;
	return 0;
}

/* The collector: one line of text a record */
static char said[8192];

static void say(const char *fmt, ...)
{
	const size_t n = strlen(said);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said + n, sizeof said - n, fmt, ap);
	va_end(ap);
}

#define gaspdb_segment	 fake_segment
#define gaspdb_record	 fake_record
#define gaspdb_on_resume fake_on_resume
#define gaspdb_complain	 fake_complain
#include "collector/log/log_format.h"
#include "collector/models/shmem/adapter.h"

void gaspdb_segment(const char *kind, const char *name, const void *base,
		    size_t bytes)
{
	if (strcmp(kind, "heap") == 0)
		say("%s %p %zu\n", name, base, bytes);
}

void gaspdb_record(struct gaspdb_context *c, unsigned kind, const char *layout,
		   ...)
{
	va_list ap;

	assert_non_null(c);
	if (kind == GASPDB_RECORD_TOOL)
		return;
	say("%u", kind);
	va_start(ap, layout);
	for (; *layout; layout++)
		if (*layout == 's')
			say(" '%s'", va_arg(ap, const char *));
		else
			say(" %lld", (long long)va_arg(ap, int64_t));
	va_end(ap);
	say("\n");
}

static void (*resume)(struct gaspdb_context *c);

void gaspdb_on_resume(void (*hook)(struct gaspdb_context *c))
{
	resume = hook;
}

void gaspdb_complain(const char *fmt, ...)
{
	(void)fmt;
	say("complaint\n");
}

/* What is tested, each with statics of the same names */
#define lock lock_of_segments
#include "collector/models/shmem/segments.c"
#undef lock
#define lock	  lock_of_teams
#define find	  find_team
#define add	  add_team
#define buckets	  team_buckets
#define bucket_of team_bucket
#include "collector/models/shmem/teams.c"
#undef lock
#undef find
#undef add
#undef buckets
#undef bucket_of
#undef BUCKETS
#define lock lock_of_contexts
#include "collector/models/shmem/contexts.c"
#undef lock

static struct gaspdb_context *const context = (void *)said;

/* --- the heap ------------------------------------------------------------- */

#define PAGE 4096

/*
 * Mapped: pages 0..99, in several pieces.  Symmetric: 10 pages and a bit in
 * the middle of it, so that the process's map alone would mislead.
 */
static void heap_is_cut_out_of_its_mappings(void **state)
{
	char *map = mmap(NULL, 100 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char want[256];

	(void)state;
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map + 45 * PAGE, PAGE, PROT_READ), 0);
	symmetric_memory[0].base = map + 40 * PAGE + 64;
	symmetric_memory[0].end = map + 50 * PAGE + 128;
	said[0] = 0;
	gaspdb_shmem_heap(context, NULL);
	assert_string_equal(said, "");
	gaspdb_shmem_heap(context, map + 47 * PAGE);
	snprintf(want, sizeof want, "heap %p %d\n",
		 (void *)(map + 40 * PAGE + 64), 10 * PAGE + 64);
	assert_string_equal(said, want);
	/* Known now, to its last byte. */
	gaspdb_shmem_heap(context, map + 40 * PAGE + 64);
	gaspdb_shmem_heap(context, map + 50 * PAGE + 127);
	assert_string_equal(said, want);
}

static void another_heap_gets_another_name(void **state)
{
	char *map = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char want[256];

	(void)state;
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(munmap(map, PAGE), 0);
	assert_int_equal(munmap(map + 3 * PAGE, PAGE), 0);
	symmetric_memory[1].base = map + PAGE;
	symmetric_memory[1].end = map + 3 * PAGE;
	said[0] = 0;
	gaspdb_shmem_heap(context, map + 2 * PAGE + 5);
	snprintf(want, sizeof want, "heap 2 %p %d\n", (void *)(map + PAGE),
		 2 * PAGE);
	assert_string_equal(said, want);
}

static void a_heap_that_is_not_symmetric_is_no_segment(void **state)
{
	(void)state;
	said[0] = 0;
	gaspdb_shmem_heap(context, state);
	assert_string_equal(said, "complaint\n");
}

/* --- teams ---------------------------------------------------------------- */

static void teams_are_told_once_and_counted(void **state)
{
	struct gaspdb_shmem_collective t;
	unsigned long long world_id, set_id;

	(void)state;
	said[0] = 0;
	gaspdb_shmem_teams_init(context, 6, 16);
	assert_int_equal(sscanf(said, "8 %llu 0 ", &world_id), 1);
	assert_non_null(strstr(said, " 6 16 'world' 'all PEs' 0\n"));
	assert_null(strstr(said, "\n9 ")); /* PE 0 gives the members */

	said[0] = 0;
	assert_int_equal(gaspdb_shmem_all(context).sequence, 0);
	t = gaspdb_shmem_active_set(context, 0, 0, 16); /* the world */
	assert_int_equal(t.id, world_id);
	assert_int_equal(t.sequence, 1);
	assert_string_equal(said, "");

	t = gaspdb_shmem_active_set(context, 2, 2, 3); /* PEs 2, 6, 10 */
	assert_int_equal(t.rank, 1);
	assert_int_equal(t.first, 2);
	assert_int_equal(t.sequence, 0);
	set_id = t.id;
	assert_non_null(
		strstr(said, " 1 3 'active set' '3 PEs from 2 by 4' 2\n"));
	said[0] = 0;
	t = gaspdb_shmem_active_set(context, 2, 2, 3);
	assert_int_equal(t.id, set_id);
	assert_int_equal(t.sequence, 1);
	assert_string_equal(said, "");

	t = gaspdb_shmem_active_set(context, 6, 1, 2); /* PEs 6, 8 */
	assert_int_equal(t.rank, 0);
	assert_non_null(strstr(said, "\n9 ")); /* own members */
	assert_non_null(strstr(said, " 0 6 2 2\n"));

	said[0] = 0;
	resume(context);
	assert_int_equal(sscanf(said, "38 %*u %llu", &world_id), 1);
	assert_int_equal(world_id, 2);
}

/* What the own PE tells of the set at its first use; PEs name it alike. */
static long long ordinal_told_by(int pe, int first, int log_stride, int size)
{
	long long id, parent, ordinal, rank;

	own_pe = pe;
	said[0] = 0;
	team_bucket(first, 1 << log_stride, size)[0] = NULL;
	gaspdb_shmem_active_set(context, first, log_stride, size);
	assert_int_equal(sscanf(said, "8 %lld %lld %lld %lld", &id, &parent,
				&ordinal, &rank),
			 4);
	assert_int_equal(rank, (pe - first) >> log_stride);
	return ordinal;
}

static void a_team_has_one_identity_on_all_members(void **state)
{
	long long ordinal = ordinal_told_by(3, 3, 3, 2);

	(void)state;
	assert_int_equal(ordinal_told_by(11, 3, 3, 2), ordinal);
	assert_int_not_equal(ordinal_told_by(3, 3, 2, 2), ordinal);
	assert_int_not_equal(ordinal_told_by(3, 3, 3, 3), ordinal);
}

static void many_teams_stay_apart(void **state)
{
	(void)state;
	own_pe = 6;
	for (int round = 0; round < 2; round++)
		for (int first = 1; first < 7; first++)
			for (int size = 7; size < 200; size++) {
				said[0] = 0;
				assert_int_equal(
					gaspdb_shmem_active_set(context, first,
								0, size)
						.sequence,
					round);
			}
}

/* --- contexts ------------------------------------------------------------- */

static void a_reused_handle_is_a_new_context(void **state)
{
	shmem_ctx_t a = (shmem_ctx_t)(void *)&said[0],
		    b = (shmem_ctx_t)(void *)&said[1024];
	uint64_t first = gaspdb_shmem_context_new(a);

	(void)state;
	assert_int_equal(gaspdb_shmem_context(SHMEM_CTX_DEFAULT), 0);
	assert_int_equal(gaspdb_shmem_context_new(SHMEM_CTX_DEFAULT), 0);
	assert_int_equal(gaspdb_shmem_context(a), first);
	assert_int_equal(gaspdb_shmem_context_new(b), first + 1);
	assert_int_equal(gaspdb_shmem_context_new(a), first + 2);
	assert_int_equal(gaspdb_shmem_context(a), first + 2);
	assert_int_equal(gaspdb_shmem_context(b), first + 1);
}

static void an_unseen_context_gets_a_number(void **state)
{
	uint64_t n = gaspdb_shmem_context((shmem_ctx_t)state);

	assert_int_not_equal(n, 0);
	assert_int_equal(gaspdb_shmem_context((shmem_ctx_t)state), n);
}

static void comparisons_are_gaspdbs(void **state)
{
	(void)state;
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_EQ), 0);
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_NE), 1);
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_GT), 2);
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_GE), 3);
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_LT), 4);
	assert_int_equal(gaspdb_shmem_comparison(SHMEM_CMP_LE), 5);
	assert_int_equal(gaspdb_shmem_comparison(77), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heap_is_cut_out_of_its_mappings),
		cmocka_unit_test(another_heap_gets_another_name),
		cmocka_unit_test(a_heap_that_is_not_symmetric_is_no_segment),
		cmocka_unit_test(teams_are_told_once_and_counted),
		cmocka_unit_test(a_team_has_one_identity_on_all_members),
		cmocka_unit_test(many_teams_stay_apart),
		cmocka_unit_test(a_reused_handle_is_a_new_context),
		cmocka_unit_test(an_unseen_context_gets_a_number),
		cmocka_unit_test(comparisons_are_gaspdbs),
	};

	return cmocka_run_group_tests_name("shmem", tests, NULL, NULL);
}
