/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of any bytes, beside a good one of the same run: looked at, imported.
 */
#include "tests/fuzz/fuzz.h"

#include "importer/import.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_sqlite();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct gaspdb_import_options options = { .run = fuzz_folder("run"),
						 .output = fuzz_path("log.db"),
						 .force = true };
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	fuzz_write(fuzz_path("run/node-100-0.gasplog"), data, n);
	gaspdb_import(&options, &result, &err);
	return 0;
}
