/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats that are recognised but not read. */
#include <string.h>

#include "importer/input/unpack.h"

/* Signatures, with what to report and advise. */
static const struct known {
	size_t at, n;
	const char *magic, *what;
} known[] = {
#define ARCHIVE ", which is not read here: unpack it, and give the folder"
	{ 0, 6, "Rar!\x1a\x07", "a RAR archive" ARCHIVE },
	{ 0, 4, "MSCF", "a cabinet file (.cab)" ARCHIVE },
	{ 0, 4, "xar!", "a xar archive" ARCHIVE },
	{ 0, 8, "!<arch>\n", "an ar archive" ARCHIVE },
	{ 0, 5, "WARC/", "a web archive" ARCHIVE },
	{ 2, 3, "-lh", "an LHA archive" ARCHIVE },
	{ 32769, 5, "CD001", "an ISO image" ARCHIVE },
#undef ARCHIVE
#define PACKED ", which is not read here: decompress it first"
	{ 0, 2, "\x1f\x9d", "compressed by compress" PACKED },
	{ 0, 4, "LRZI", "compressed by lrzip" PACKED },
	{ 0, 4, "\x89LZO", "compressed by lzop" PACKED },
#undef PACKED
	{ 0, 16, "SQLite format 3",
	  "an SQLite file and no run: gaspdb report, "
	  "analyze and shell take an imported one" },
};

const char *gaspdb_unpack_known(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct known *k = &known[i];

		if (k->at + k->n <= n && !memcmp(head + k->at, k->magic, k->n))
			return k->what;
	}
	return NULL;
}
