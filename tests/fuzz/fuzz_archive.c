/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anything as an archive: unpacked, and its logs looked at. */
#include "tests/fuzz/fuzz.h"

#include "importer/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *path = fuzz_path("archive");
	struct gaspdb_input_options options = { .path = path,
						.spool = fuzz_folder("."),
						.unpack_max = 1 << 24 };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;

	fuzz_write(path, data, n);
	gaspdb_inspect(&inspection, &options, &err);
	gaspdb_inspection_free(&inspection);
	return 0;
}
