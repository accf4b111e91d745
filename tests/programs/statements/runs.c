/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Marked statements that are executed in known numbers, and left in every way:
 *
 *	runs loop | around | unrolled | inlined | early | goto | switch | nested | recursion | thread | jump | left | off | busy
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pupc.h>

#define CALLED __attribute__((noipa)) /* what is passed is not known */

static volatile int sum;
static jmp_buf target;

CALLED static void work(int n)
{
	sum += n;
}

CALLED static void loop(int n)
{
	for (int i = 0; i < n; i++) {
		work(1);
#pragma gaspdb statement "body"
		work(2);
		if (i % 3 == 0)
			continue;
		sum += i;
#pragma gaspdb end
		work(3);
	}
}

CALLED static int around(const int *a, int n)
{
	int total = 0;

#pragma gaspdb statement "all of the loop"
	for (int i = 0; i < n; i++)
		total += a[i];
#pragma gaspdb end
	return total;
}

CALLED static void around_while(int n)
{
#pragma gaspdb statement "while"
	while (n > 0) {
		work(n);
		n--;
	}
#pragma gaspdb end
	work(0);
}

CALLED static void forever(int n)
{
	while (1) {
#pragma gaspdb statement "ends the loop"
		if (n-- == 0)
			break;
		work(n);
#pragma gaspdb end
	}
}

CALLED static void unrolled(void)
{
	for (int i = 0; i < 3; i++) {
#pragma gaspdb statement "unrolled"
		sum += i;
#pragma gaspdb end
	}
}

static inline __attribute__((always_inline)) int twice(int n)
{
#pragma gaspdb statement "twice"
	sum += n;
	sum += n;
#pragma gaspdb end
	return sum;
}

static inline __attribute__((always_inline)) void add(int n)
{
	sum += n;
	work(n);
}

CALLED static int inlined(int n)
{
	int result = twice(n) + twice(n + 1);

#pragma gaspdb statement "calls what is inlined"
	add(n);
#pragma gaspdb end
	return result;
}

CALLED static int early(int n)
{
	int m = n;

#pragma gaspdb statement "returns"
	work(n);
	if (n == 1)
		return 1;
	if (n == 2)
		return sum;
	m += sum;
#pragma gaspdb end
	work(m);
	return m;
}

CALLED static void leaves(int n)
{
#pragma gaspdb statement "goto"
	work(n);
	if (n & 1)
		goto out;
	work(n + 1);
#pragma gaspdb end
	work(n + 2);
out:
	work(n + 3);
}

CALLED static void cases(int n)
{
	for (int i = 0; i < n; i++)
		switch (i & 3) {
		case 0:
			work(i);
			break;
		case 1:
#pragma gaspdb statement "case"
			work(i);
			sum++;
			break;
#pragma gaspdb end
		default:
			work(-i);
		}
}

CALLED static void nested(int n)
{
#pragma gaspdb statement "outer"
	for (int i = 0; i < n; i++) {
#pragma gaspdb statement "inner"
		work(i);
#pragma gaspdb end
		work(-i);
#pragma gaspdb statement "second"
		work(i);
#pragma gaspdb end
	}
#pragma gaspdb end
}

CALLED static void recursion(int n)
{
#pragma gaspdb statement "recursion"
	work(n);
	if (n > 0)
		recursion(n - 1);
	work(n);
#pragma gaspdb end
	work(-n);
}

CALLED static void *thread(void *user)
{
	loop(4);
	return user;
}

static void threads(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, thread, NULL))
			abort();
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

CALLED static void deep(int n)
{
	work(n);
	if (n > 0)
		deep(n - 1);
	else if (sum != -1)
		longjmp(target, 1);
	work(n);
}

/* Left by a longjmp to its own function. */
CALLED static void jump(int n)
{
	if (!setjmp(target)) {
#pragma gaspdb statement "jumps"
		work(n);
		deep(n);
		work(n);
#pragma gaspdb end
	}
#pragma gaspdb statement "after"
	work(n);
#pragma gaspdb end
}

/* The same, to its caller. */
CALLED static void leave(int n)
{
#pragma gaspdb statement "is left"
	work(n);
	deep(n);
	work(n);
#pragma gaspdb end
	work(n);
}

CALLED static void left(int n)
{
	volatile int i = 0;

	setjmp(target);
	if (i++ < n)
		leave(n);
#pragma gaspdb statement "after"
	work(n);
#pragma gaspdb end
}

CALLED static void off(void)
{
#pragma gaspdb statement "off"
	pupc_control(0);
	loop(2);
#pragma gaspdb end
	pupc_control(1);
	loop(2);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

CALLED static double spin(double s)
{
	const double from = seconds();
	double now = from;

	while (now - from < s)
		now = seconds();
	return now - from;
}

/* Prints the seconds of the statements by the program's own clock. */
static void busy(void)
{
	double own = 0;

	for (int i = 0; i < 10; i++) {
		spin(0.01);
#pragma gaspdb statement "busy"
		own += spin(0.02);
#pragma gaspdb end
		spin(0.01);
	}
	printf("%.9f\n", own);
}

#pragma pupc off
CALLED static void unseen(void)
{
#pragma gaspdb statement "unseen"
	work(1);
#pragma gaspdb end
}
#pragma pupc on

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	static const int a[10] = { 1, 2, 3 };

	if (!strcmp(mode, "loop"))
		loop(10);
	else if (!strcmp(mode, "around"))
		sum = around(a, 10), sum = around(a, 0), around_while(5), around_while(0), forever(4);
	else if (!strcmp(mode, "unrolled"))
		unrolled();
	else if (!strcmp(mode, "inlined"))
		sum = inlined(1);
	else if (!strcmp(mode, "early"))
		for (int i = 0; i < 6; i++)
			sum = early(i);
	else if (!strcmp(mode, "goto"))
		for (int i = 0; i < 6; i++)
			leaves(i);
	else if (!strcmp(mode, "switch"))
		cases(9);
	else if (!strcmp(mode, "nested"))
		nested(3);
	else if (!strcmp(mode, "recursion"))
		recursion(4);
	else if (!strcmp(mode, "thread"))
		threads();
	else if (!strcmp(mode, "jump"))
		jump(3), jump(0);
	else if (!strcmp(mode, "left"))
		left(2);
	else if (!strcmp(mode, "off"))
		off();
	else if (!strcmp(mode, "busy"))
		busy();
	unseen();
	return 0;
}
