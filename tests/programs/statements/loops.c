/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * C and C++: ranges of several statements, and loops in ranges, each executed
 * as often as the argument says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

APART double straight(int n)
{
	double s = 0, x, y, z;

	for (int k = 1; k <= n; k++) {
#pragma gaspdb statement "straight"
		x = k * 2.0 + s * 1e-3;
		y = x * x + k;
		z = x + y;
		s = s + z * 1e-2;
#pragma gaspdb end
	}
	return s;
}

APART double joined(int n)
{
	double s = 0, x, y;

	for (int k = 1; k <= n; k++) {
		if (k % 3 == 0)
			s += 1;
		else
			s *= 0.5;
#pragma gaspdb statement "joined"
		x = k * 2.0 + s * 1e-3;
		if (x > 20)
			y = x * x;
		else
			y = -x;
		s = s + y * 1e-2;
#pragma gaspdb end
	}
	return s;
}

APART double nested(int n)
{
	double s = 0, x;

	for (int k = 1; k <= n; k++) {
#pragma gaspdb statement "nested"
		for (int i = 0; i < n + 3; i++) {
			x = i + s * 1e-3;
			s = s + fabs(x) * 1e-2;
		}
#pragma gaspdb end
		s *= 0.9;
	}
	return s;
}

/* Loops that begin with the range: do, and goto. */
APART double repeated(int n)
{
	double s = 0, x;

	for (int k = 1; k <= n; k++) {
		x = k + 10;
#pragma gaspdb statement "repeated"
		do {
			x *= 0.5;
			s += x;
		} while (x > 1);
#pragma gaspdb end
	}
	return s;
}

APART double again(int n)
{
	double s = 0;
	int k;

	for (int j = 0; j < n; j++) {
		k = 0;
#pragma gaspdb statement "again"
	again:
		s += k * 0.5;
		if (++k < n)
			goto again;
#pragma gaspdb end
	}
	return s;
}

/* A loop that the range is all of. */
APART double body(int n)
{
	double s = 0;
	int k = 0;

	do {
#pragma gaspdb statement "body"
		s += k * 0.5;
		s *= 0.99;
#pragma gaspdb end
	} while (++k < n);
	return s;
}

APART double cases(int n)
{
	double s = 0;

	for (int k = 1; k <= n; k++) {
#pragma gaspdb statement "cases"
		switch (k % 4) {
		case 0:
			s += 1;
			break;
		case 1:
			s -= k;
			break;
		case 2:
			s *= 0.5;
			break;
		default:
			s += sqrt(k);
		}
#pragma gaspdb end
	}
	return s;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	printf("%g %g %g %g %g %g %g\n", straight(n), joined(n), nested(n),
	       repeated(n), again(n), body(n), cases(n));
	return 0;
}
