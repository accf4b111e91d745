/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name is gone before anything is written: a kill leaves nothing. */
#include "analysis/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gaspdb_spool_fail(struct gaspdb_run *run)
{
	const char *database = sqlite3_db_filename(run->db, "main");

	if (run->status == GASPDB_OK)
		run->status = gaspdb_fail_errno(
			run->err, "cannot use a temporary file beside '%s'",
			database ? database : "");
}

/* Where the database is there is room; one in memory has no such place. */
static FILE *open_unnamed(const char *database)
{
	char *path;
	FILE *f;
	int fd;

	if (!database || !*database)
		return tmpfile();
	path = malloc(strlen(database) + sizeof("-XXXXXX"));
	if (!path)
		return NULL;
	strcpy(path, database);
	strcat(path, "-XXXXXX");
	fd = mkstemp(path);
	if (fd >= 0)
		unlink(path);
	free(path);
	f = fd >= 0 ? fdopen(fd, "w+") : NULL;
	if (!f && fd >= 0)
		close(fd);
	return f;
}

FILE *gaspdb_spool_open(struct gaspdb_run *run)
{
	FILE *f;

	if (run->status != GASPDB_OK)
		return NULL;
	f = open_unnamed(sqlite3_db_filename(run->db, "main"));
	if (f)
		setvbuf(f, NULL, _IOFBF, 1 << 16);
	if (!f)
		gaspdb_spool_fail(run);
	return f;
}

void gaspdb_spool_write(struct gaspdb_run *run, FILE *spool, const void *bytes,
			size_t n)
{
	if (run->status == GASPDB_OK &&
	    fwrite_unlocked(bytes, n, 1, spool) != 1)
		gaspdb_spool_fail(run);
}

bool gaspdb_spool_read(struct gaspdb_run *run, FILE *spool, void *bytes,
		       size_t n)
{
	if (run->status != GASPDB_OK)
		return false;
	errno = EIO; /* where it is only too short */
	if (fread_unlocked(bytes, n, 1, spool) != 1)
		gaspdb_spool_fail(run);
	return run->status == GASPDB_OK;
}

bool gaspdb_spool_read_at(struct gaspdb_run *run, FILE *spool, off_t offset,
			  void *bytes, size_t n)
{
	size_t done = 0;

	while (run->status == GASPDB_OK && done < n) {
		ssize_t part = pread(fileno(spool), (char *)bytes + done,
				     n - done, offset + (off_t)done);

		if (part == 0)
			errno = EIO;
		if (part <= 0)
			gaspdb_spool_fail(run);
		else
			done += (size_t)part;
	}
	return run->status == GASPDB_OK;
}
