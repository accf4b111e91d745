/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Raises every C and UPC event of GASP 1.5 as a runtime would, with arguments
 * of known values: the n-th event at line n.  tests/e2e/gasp.sh knows them.
 * With an argument: by gasp_event_notifyVA, from a function of so many named
 * parameters, 1 to 6: the rest of its first six lies in registers.
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static gasp_context_t context;
static int line;
static char pts, lock, local; /* stand for pointers-to-shared and memory */

static int named; /* 0: gasp_event_notify */
static gasp_evttype_t the_type;
static int the_line, the_column;

/* pass_on3(tag, a, a, ...): three named parameters, of which a stand for what
   a runtime passes besides. */
#define PASS_ON(n, last, ...)                                             \
	static void pass_on##n(__VA_ARGS__, ...)                          \
	{                                                                 \
		va_list ap;                                               \
                                                                          \
		va_start(ap, last);                                       \
		gasp_event_notifyVA(context, tag, the_type, "events.upc", \
				    the_line, the_column, ap);            \
		va_end(ap);                                               \
	}
PASS_ON(1, tag, unsigned tag)
PASS_ON(2, a, unsigned tag, [[maybe_unused]] long a)
PASS_ON(3, b, unsigned tag, [[maybe_unused]] long a, [[maybe_unused]] long b)
PASS_ON(4, c, unsigned tag, [[maybe_unused]] long a, [[maybe_unused]] long b,
	[[maybe_unused]] long c)
PASS_ON(5, d, unsigned tag, [[maybe_unused]] long a, [[maybe_unused]] long b,
	[[maybe_unused]] long c, [[maybe_unused]] long d)
PASS_ON(6, e, unsigned tag, [[maybe_unused]] long a, [[maybe_unused]] long b,
	[[maybe_unused]] long c, [[maybe_unused]] long d,
	[[maybe_unused]] long e)

#define OTHER 0x5a5a5a5a5a5aL /* no argument of an event */
#define notify(c, tag, type, file, l, column, ...)                            \
	do {                                                                  \
		the_type = type, the_line = l, the_column = column;           \
		switch (named) {                                              \
		case 0:                                                       \
			gasp_event_notify(c, tag, the_type, file, the_line,   \
					  column __VA_OPT__(, ) __VA_ARGS__); \
			break;                                                \
		case 1:                                                       \
			pass_on1(tag __VA_OPT__(, ) __VA_ARGS__);             \
			break;                                                \
		case 2:                                                       \
			pass_on2(tag, OTHER __VA_OPT__(, ) __VA_ARGS__);      \
			break;                                                \
		case 3:                                                       \
			pass_on3(tag, OTHER,                                  \
				 OTHER __VA_OPT__(, ) __VA_ARGS__);           \
			break;                                                \
		case 4:                                                       \
			pass_on4(tag, OTHER, OTHER,                           \
				 OTHER __VA_OPT__(, ) __VA_ARGS__);           \
			break;                                                \
		case 5:                                                       \
			pass_on5(tag, OTHER, OTHER, OTHER,                    \
				 OTHER __VA_OPT__(, ) __VA_ARGS__);           \
			break;                                                \
		default:                                                      \
			pass_on6(tag, OTHER, OTHER, OTHER, OTHER,             \
				 OTHER __VA_OPT__(, ) __VA_ARGS__);           \
		}                                                             \
	} while (0)

#define FILE_NAME "events.upc"
#define START(tag, ...)                                     \
	notify(context, tag, GASP_START, FILE_NAME, ++line, \
	       3 __VA_OPT__(, ) __VA_ARGS__)
#define END(tag, ...)                                   \
	notify(context, tag, GASP_END, FILE_NAME, line, \
	       3 __VA_OPT__(, ) __VA_ARGS__)
#define ATOMIC(tag, ...)                                     \
	notify(context, tag, GASP_ATOMIC, FILE_NAME, ++line, \
	       3 __VA_OPT__(, ) __VA_ARGS__)
#define PAIR(tag, ...)                                 \
	do {                                           \
		START(tag __VA_OPT__(, ) __VA_ARGS__); \
		END(tag __VA_OPT__(, ) __VA_ARGS__);   \
	} while (0)

static void c_events(void)
{
	START(GASP_C_FUNC, "int f(void)"); /* 1 */
	START(GASP_C_MALLOC, (size_t)100); /* 2 */
	END(GASP_C_MALLOC, (size_t)100, (void *)0x1000);
	START(GASP_C_REALLOC, (void *)0x1000, (size_t)200); /* 3 */
	END(GASP_C_REALLOC, (void *)0x1000, (size_t)200, (void *)0x2000);
	PAIR(GASP_C_FREE, (void *)0x2000); /* 4 */
	notify(context, GASP_C_FUNC, GASP_END, FILE_NAME, 99, 0, "int f(void)");
}

static void synchronization(void)
{
	PAIR(GASP_UPC_NOTIFY, 1, -7); /* 5 */
	PAIR(GASP_UPC_WAIT, 1, -7);
	PAIR(GASP_UPC_BARRIER, 0, 0);
	PAIR(GASP_UPC_FENCE);
	PAIR(GASP_UPC_FORALL);
}

static void library(void)
{
	START(GASP_UPC_GLOBAL_ALLOC, (size_t)3, (size_t)40); /* 10 */
	END(GASP_UPC_GLOBAL_ALLOC, (size_t)3, (size_t)40, &pts);
	START(GASP_UPC_ALL_ALLOC, (size_t)4, (size_t)50);
	END(GASP_UPC_ALL_ALLOC, (size_t)4, (size_t)50, &pts);
	START(GASP_UPC_ALLOC, (size_t)60);
	END(GASP_UPC_ALLOC, (size_t)60, &pts);
	PAIR(GASP_UPC_FREE, &pts);
	START(GASP_UPC_GLOBAL_LOCK_ALLOC);
	END(GASP_UPC_GLOBAL_LOCK_ALLOC, &lock);
	START(GASP_UPC_ALL_LOCK_ALLOC); /* 15 */
	END(GASP_UPC_ALL_LOCK_ALLOC, &lock);
	PAIR(GASP_UPC_LOCK, &lock);
	START(GASP_UPC_LOCK_ATTEMPT, &lock);
	END(GASP_UPC_LOCK_ATTEMPT, &lock, 1);
	PAIR(GASP_UPC_UNLOCK, &lock);
	PAIR(GASP_UPC_LOCK_FREE, &lock);
	PAIR(GASP_UPC_MEMCPY, &pts, &pts, (size_t)11); /* 20 */
	PAIR(GASP_UPC_MEMGET, &local, &pts, (size_t)12);
	PAIR(GASP_UPC_MEMPUT, &pts, &local, (size_t)13);
	PAIR(GASP_UPC_MEMSET, &pts, 5, (size_t)14);
}

static void accesses(void)
{
	gasp_upc_nb_handle_t handle = (gasp_upc_nb_handle_t)0xabc;

	PAIR(GASP_UPC_GET, 1, &local, &pts, (size_t)8); /* 24 */
	PAIR(GASP_UPC_PUT, 0, &pts, &local, (size_t)4);
	START(GASP_UPC_NB_GET_INIT, 1, &local, &pts, (size_t)16);
	END(GASP_UPC_NB_GET_INIT, 1, &local, &pts, (size_t)16, handle);
	PAIR(GASP_UPC_NB_GET_DATA, handle);
	START(GASP_UPC_NB_PUT_INIT, 1, &pts, &local, (size_t)17);
	END(GASP_UPC_NB_PUT_INIT, 1, &pts, &local, (size_t)17, handle);
	PAIR(GASP_UPC_NB_PUT_DATA, handle);
	PAIR(GASP_UPC_NB_SYNC, handle); /* 30 */
	ATOMIC(GASP_UPC_CACHE_MISS, (size_t)8, (size_t)64);
	ATOMIC(GASP_UPC_CACHE_HIT, (size_t)9);
	ATOMIC(GASP_UPC_CACHE_INVALIDATE, (size_t)2);
}

static void collectives(void)
{
	PAIR(GASP_UPC_ALL_BROADCAST, &pts, &pts, (size_t)21, 33); /* 34 */
	PAIR(GASP_UPC_ALL_SCATTER, &pts, &pts, (size_t)22, 33);
	PAIR(GASP_UPC_ALL_GATHER, &pts, &pts, (size_t)23, 33);
	PAIR(GASP_UPC_ALL_GATHER_ALL, &pts, &pts, (size_t)24, 33);
	PAIR(GASP_UPC_ALL_EXCHANGE, &pts, &pts, (size_t)25, 33);
	PAIR(GASP_UPC_ALL_PERMUTE, &pts, &pts, &pts, (size_t)26, 33);
	PAIR(GASP_UPC_ALL_REDUCE, &pts, &pts, 1, (size_t)27, (size_t)3,
	     (void *)0, 33, GASP_UPC_REDUCTION_D); /* 40 */
	PAIR(GASP_UPC_ALL_PREFIX_REDUCE, &pts, &pts, 2, (size_t)28, (size_t)3,
	     (void *)0, 33, GASP_UPC_REDUCTION_L);
}

static void user_events(void)
{
	unsigned plain = gasp_create_event(context, NULL, NULL);
	unsigned all = gasp_create_event(context, "step",
					 "%d %s %5.2f %lu %c %% %*x %p");
	unsigned bad = gasp_create_event(context, "bad", "%d %n %d");

	PAIR(plain); /* 42 */
	START(all, -3, "three", 0.125, 77ul, 'x', 4, 255u,
	      (void *)0x10); /* 43 */
	END(all, -4, (char *)NULL, -0.5, 78ul, 'y', 4, 254u, (void *)0x20);
	ATOMIC(bad, 5, &line, 6); /* 44 */
	ATOMIC(987654u, 1);	  /* 45: no such event: nothing is recorded */
}

/* Ten addresses, of a pair and a mark at one line: all at line 60. */
static void addresses(void)
{
	unsigned e =
		gasp_create_event(context, "addresses", "%p%p%p%p%p%p%p%p%p%p");
	static const gasp_evttype_t types[] = { GASP_START, GASP_END,
						GASP_ATOMIC };

	for (size_t i = 0; i < 6; i++) {
		char *p = (char *)(0x7f0000000000 + 100 * i);

		notify(context, e, types[i % 3], FILE_NAME, 60, 0, p, p + 1,
		       p + 2, p + 3, p + 4, p + 5, p + 6, p + 7, p + 8, p + 9);
	}
}

static void control(void)
{
	printf("%d", gasp_control(context, 0) != 0);
	printf("%d", gasp_control(context, 0));
	PAIR(GASP_UPC_FENCE); /* 46: not recorded */
	printf("%d", gasp_control(context, 5));
	printf("%d\n", gasp_control(context, 1));
	START(GASP_UPC_BARRIER, 0, 0); /* 47 */
	gasp_control(context, 0);
	END(GASP_UPC_BARRIER, 0, 0); /* lost: the barrier stays open */
	gasp_control(context, 1);
	END(GASP_UPC_FORALL); /* an end without a start */
}

int main(int argc, char **argv)
{
	context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	named = argc > 1 ? atoi(argv[1]) : 0;
	errno = 123;
	c_events();
	synchronization();
	library();
	accesses();
	collectives();
	user_events();
	control();
	addresses();
	START(GASP_UPC_COLLECTIVE_EXIT, 6); /* 48 */
	END(GASP_UPC_COLLECTIVE_EXIT, 6);
	ATOMIC(GASP_UPC_NONCOLLECTIVE_EXIT, 7); /* 49 */
	return errno == 123 ? 0 : 1;
}
