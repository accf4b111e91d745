/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory limit for 7z archives. The list of entries at the end of a 7z file is
 * compressed, and libarchive allocates whatever size it states: a file of a few
 * KiB can request any number of GiB. So the process's address space is limited
 * while one is read. Where the memory in use is unknown, 7z archives are not
 * read.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "importer/input/unpack.h"

/*
 * Bytes beyond those in use; the strongest compression needs a quarter of them.
 */
#define BYTES ((rlim_t)1 << 28)

bool gaspdb_seven_begins(const struct gaspdb_unpack *u)
{
	static const char magic[] = {
		'7', 'z', '\xbc', '\xaf', '\x27', '\x1c'
	};

	return u->n_head >= sizeof magic &&
	       !memcmp(u->chunk, magic, sizeof magic);
}

/* Address space in use; 0: unknown. */
static rlim_t bytes_in_use(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

const char *gaspdb_seven_why_not(const struct gaspdb_unpack *u)
{
	return gaspdb_seven_begins(u) && !bytes_in_use()
		       ? "a 7z archive, which is not read where there is no "
			 "/proc to tell the memory in use: unpack it, and give "
			 "the folder"
		       : NULL;
}

void gaspdb_seven_set(struct gaspdb_unpack *u)
{
	const rlim_t used = bytes_in_use();
	struct rlimit less;

	archive_read_support_format_7zip(u->a);
	u->solid = true;
	u->limited = !getrlimit(RLIMIT_AS, &u->memory);
	if (!u->limited)
		return;
	less = u->memory;
	if (less.rlim_cur > used + BYTES)
		less.rlim_cur = used + BYTES;
	setrlimit(RLIMIT_AS, &less);
}

void gaspdb_seven_end(struct gaspdb_unpack *u)
{
	if (u->limited)
		setrlimit(RLIMIT_AS, &u->memory);
}
