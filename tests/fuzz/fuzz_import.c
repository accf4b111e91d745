/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of any bytes, beside a good one of the same run: looked at, imported.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/import/make.h"

/* The good log, of another host. */
static void write_other(void)
{
	static char bytes[1 << 16];
	FILE *f = fopen(FUZZ_TESTS
			"fuzz/corpus/beside/other-102-0.gasplog",
			"r");
	size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;

	if (!n)
		abort();
	fclose(f);
	fuzz_folder("run");
	fuzz_write(fuzz_path("run/other-102-0.gasplog"), bytes, n);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_sqlite();
	write_other();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct gaspdb_make_options options = {
		.import.run = fuzz_folder("run"),
		.output = fuzz_path("log.db"),
		.force = true
	};
	struct gaspdb_made made;
	struct gaspdb_error err;

	fuzz_write(fuzz_path("run/node-100-0.gasplog"), data, n);
	gaspdb_make(&options, &made, &err);
	return 0;
}
