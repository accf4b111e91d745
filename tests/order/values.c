/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that a wrong byte order changes, as a GASP runtime would raise them:
 * calls of inner() and outer(), compiled with -finstrument-functions; a user
 * event with arguments of each size; PUTS puts of 1, 2, 3 ... bytes, in several
 * blocks. With an argument the program is killed then.
 * tests/e2e/order_s390x.sh knows the values.
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <limits.h>
#include <signal.h>
#include <stdint.h>

#define PUTS 30000

#define QUIET __attribute__((no_instrument_function))

static volatile int sum;
static char pts, local; /* stand for a pointer-to-shared and for memory */

__attribute__((noinline)) static void inner(int n)
{
	sum += n; /* INNER */
}

__attribute__((noinline)) static void outer(int n)
{
	inner(n); /* OUTER */
	inner(n + 1);
	sum += 1;
}

QUIET static void user_event(gasp_context_t c)
{
	unsigned e = gasp_create_event(
		c, "sizes", "%d %ld %hhd %hu %u %llu %f %f %s %c %p");

	gasp_event_notify(c, e, GASP_ATOMIC, "values.upc", 7, 0, -2,
			  LONG_MIN + 1, 0x1234, 0x56789, 0xfedcba98u,
			  0x0102030405060708ull, -0.15625, 1e300, "text", 'z',
			  (void *)(uintptr_t)0x7fedcba98765);
}

QUIET static void puts_of_bytes(gasp_context_t c)
{
	for (size_t i = 1; i <= PUTS; i++) {
		gasp_event_notify(c, GASP_UPC_PUT, GASP_START, "values.upc", 8,
				  0, 1, &pts, &local, i);
		gasp_event_notify(c, GASP_UPC_PUT, GASP_END, "values.upc", 8, 0,
				  1, &pts, &local, i);
	}
}

QUIET int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);

	for (int i = 0; i < 5; i++)
		outer(i);
	user_event(c);
	puts_of_bytes(c);
	if (argc > 1)
		raise(SIGKILL);
	return sum == 30 ? 0 : 1;
}
