/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swaplog FILE...: makes little-endian logs big-endian, in place. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/order/swap.h"

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "swaplog: %s: %s\n", path, why);
	return 1;
}

static int swap_file(const char *path)
{
	FILE *f = fopen(path, "r+b");
	unsigned char *bytes;
	long n;

	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0)
		return fail(path, "cannot open");
	bytes = malloc((size_t)n + 1);
	rewind(f);
	if (!bytes || fread(bytes, 1, (size_t)n, f) != (size_t)n)
		return fail(path, "cannot read");
	if (!swap_log(bytes, (size_t)n))
		return fail(path, "not a whole log");
	rewind(f);
	if (fwrite(bytes, 1, (size_t)n, f) != (size_t)n || fclose(f))
		return fail(path, "cannot write");
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (swap_file(argv[i]))
			return 1;
	return 0;
}
