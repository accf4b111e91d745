/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of any bytes, looked at: every record of it is read. */
#include "tests/fuzz/fuzz.h"

#include "importer/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct gaspdb_input_options options = { .path = fuzz_folder("run") };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;

	fuzz_write(fuzz_path("run/node-100-0.gasplog"), data, n);
	gaspdb_inspect(&inspection, &options, &err);
	gaspdb_inspection_free(&inspection);
	return 0;
}
