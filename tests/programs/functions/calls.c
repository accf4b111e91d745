/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that call each other, end and are left in known numbers:
 *
 *	calls recursion | jump | leave | thread | inlined | off
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <pupc.h>

#define CALLED __attribute__((noinline))

static jmp_buf target;
static volatile int sum;

CALLED static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

CALLED static void deep(int n)
{
	if (n < 0)
		return;
	if (n == 0)
		longjmp(target, 1);
	deep(n - 1);
	sum++; /* so that no call is a jump */
}

/* Calls again where the first call was left. */
CALLED static void jump(int n)
{
	if (!setjmp(target))
		deep(n);
	deep(-1);
}

/* Recursive, and left by its innermost call to its outermost. */
CALLED static void again(int n)
{
	if (n == 3 && setjmp(target))
		return;
	if (n == 0)
		longjmp(target, 1);
	again(n - 1);
	sum++;
}

static inline __attribute__((always_inline)) int twice(int n)
{
	return 2 * n;
}

CALLED static int caller(int n)
{
	return twice(n) + twice(n + 1);
}

CALLED static void leave(void)
{
	exit(0);
}

CALLED static void switch_off(void)
{
	pupc_control(0);
	sum += fib(5);
}

CALLED static void *thread(void *user)
{
	sum += fib(4);
	return user;
}

static void threads(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++) {
		if (pthread_create(&t, NULL, thread, NULL))
			abort();
		pthread_join(t, NULL);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "recursion"))
		sum = fib(10);
	else if (!strcmp(mode, "jump"))
		jump(3), jump(5), again(3);
	else if (!strcmp(mode, "leave"))
		leave();
	else if (!strcmp(mode, "thread"))
		threads();
	else if (!strcmp(mode, "inlined"))
		sum = caller(1);
	else if (!strcmp(mode, "off"))
		switch_off(), pupc_control(1), sum = fib(2);
	return 0;
}
