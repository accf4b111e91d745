/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of any bytes, beside a good one of the same run: looked at, imported.
 */
#include "tests/fuzz/fuzz.h"

#include "cli/import/make.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_sqlite();
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
