/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unwinding rules against libgcc's unwinder: of each frame of stacks through
 * functions of several shapes, where it ends and which rbp its caller has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include <cmocka.h>

#include "collector/core/unwind_rules.h"

#if defined(__x86_64__)
extern const void *_Unwind_Find_FDE(void *pc, void *bases[3]);

enum { FRAMES_MAX = 64 };

/* A frame's registers, by libgcc. */
struct frame {
	uintptr_t pc, sp, bp;
};

struct stack {
	struct frame frame[FRAMES_MAX];
	unsigned n;
};

static _Unwind_Reason_Code take(struct _Unwind_Context *u, void *user)
{
	struct stack *s = user;

	s->frame[s->n++] = (struct frame){ _Unwind_GetIP(u), _Unwind_GetCFA(u),
					   (uintptr_t)_Unwind_GetGR(u, 6) };
	return s->n < FRAMES_MAX ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static unsigned n_known, n_unknown, n_last;

static void check_frame(const struct frame *f, const struct frame *caller)
{
	struct gaspdb_unwind_rule r;
	uintptr_t end;

	gaspdb_unwind_rule_read(&r, f->pc - 1, _Unwind_Find_FDE);
	assert_true(r.pc == f->pc - 1);
	if (!r.known) {
		n_unknown++;
		return;
	}
	if (r.last) {
		n_last++;
		assert_true(!caller->pc);
		return;
	}
	n_known++;
	end = (r.from_rbp ? f->bp : f->sp) + (uintptr_t)r.cfa_offset;
	assert_true(end == caller->sp);
	assert_true(((const uintptr_t *)end)[-1] == caller->pc);
	assert_true(
		(r.rbp_offset
			 ? *(const uintptr_t *)(end + (uintptr_t)r.rbp_offset)
			 : f->bp) == caller->bp);
}

/* The frame that follows the outermost one has no address. */
static __attribute__((noinline)) void check_stack(void)
{
	struct stack s = { .n = 0 };

	_Unwind_Backtrace(take, &s);
	n_known = n_unknown = n_last = 0;
	for (unsigned i = 0; i + 1 < s.n; i++)
		check_frame(&s.frame[i], &s.frame[i + 1]);
	__asm__ volatile("" ::: "memory");
}

/* --- shapes --------------------------------------------------------------- */

#define SHAPE static __attribute__((noinline))
#define END   __asm__ volatile("" ::: "memory") /* no jump in place of a call */

SHAPE void variable(size_t n)
{
	volatile char bytes[n];

	bytes[0] = 1;
	check_stack();
	(void)bytes[n - 1];
}

SHAPE void realigned(void)
{
	_Alignas(64) volatile char bytes[64];

	bytes[0] = 1;
	check_stack();
	(void)bytes[1];
}

SHAPE void registers(long a, long b, long c, long d, long e, long f, long g)
{
	variable((size_t)(a + b));
	check_stack();
	assert_int_equal(a + b + c + d + e + f + g, 28);
}

SHAPE int compare(const void *a, const void *b)
{
	check_stack();
	return *(const int *)a - *(const int *)b;
}

SHAPE void large(void)
{
	volatile char bytes[100000];

	bytes[0] = 1;
	check_stack();
	(void)bytes[1];
}

/* --- tests ---------------------------------------------------------------- */

/* Five frames at least: check_stack's, the shape's, the test's, and two of
   cmocka. */
static void test_usual(void **state)
{
	int numbers[] = { 2, 1 };

	(void)state;
	variable(100);
	assert_true(n_known >= 5);
	registers(1, 2, 3, 4, 5, 6, 7);
	assert_true(n_known >= 5);
	large();
	assert_true(n_known >= 5);
	qsort(numbers, 2, sizeof *numbers, compare);
	assert_true(n_known >= 5);
	END;
}

/* Nothing is wrong: the frame's end is an expression, or found by rbp. */
static void test_realigned(void **state)
{
	(void)state;
	realigned();
	assert_true(n_known + n_unknown >= 5);
	END;
}

static const void *no_frame(void *pc, void *bases[3])
{
	(void)pc;
	(void)bases;
	return NULL;
}

static void test_no_information(void **state)
{
	struct gaspdb_unwind_rule r;

	(void)state;
	gaspdb_unwind_rule_read(&r, 1, no_frame);
	assert_false(r.known);
}

/* A record made by hand: def_cfa rsp+8, rip at -8; after one byte rsp+16 and
   rbp at -16; after five more by rbp. */
static const unsigned char record[] = { 20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0,
					1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90,
					1, 0, 0,
					/* its function */
					24, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0,
					100, 0, 0, 0, 0, 0x41, 0x0e, 16, 0x86,
					2, 0x45, 0x0d, 6, 0, 0, 0 };

static const void *made_frame(void *pc, void *bases[3])
{
	(void)pc;
	bases[2] = (void *)1000;
	return record + 24;
}

static void check_made(uintptr_t pc, bool from_rbp, int offset, int rbp_offset)
{
	struct gaspdb_unwind_rule r;

	gaspdb_unwind_rule_read(&r, pc, made_frame);
	assert_true(r.known && !r.last);
	assert_int_equal(r.from_rbp, from_rbp);
	assert_int_equal(r.cfa_offset, offset);
	assert_int_equal(r.rbp_offset, rbp_offset);
}

static void test_made(void **state)
{
	(void)state;
	check_made(1000, false, 8, 0);
	check_made(1001, false, 16, -16);
	check_made(1005, false, 16, -16);
	check_made(1006, true, 16, -16);
	check_made(1099, true, 16, -16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual),
		cmocka_unit_test(test_realigned),
		cmocka_unit_test(test_no_information),
		cmocka_unit_test(test_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	return 0;
}
#endif
