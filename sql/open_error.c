/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnosis of a file that SQLite cannot open although open() can. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sql/sql.h"

enum { PATH_SHOWN = 300, SUFFIX_BYTES = 8 }; /* "-journal" */

/* Bytes of the absolute path. */
static size_t length_of(const char *path)
{
	char *folder = *path == '/' ? NULL : getcwd(NULL, 0);
	const size_t n = strlen(path) + (folder ? strlen(folder) + 1 : 0);

	free(folder);
	return n;
}

enum gaspdb_status gaspdb_sql_fail_open(sqlite3 *db, const char *path,
					struct gaspdb_error *err)
{
	const sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	const int most = system ? system->mxPathname - SUFFIX_BYTES : 0;
	const size_t n = length_of(path);

	if (most > 0 && n > (size_t)most)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "cannot open '%.*s': its path has %zu "
				   "bytes, and SQLite takes %d at most",
				   PATH_SHOWN, path, n, most);
	return gaspdb_fail(err, GASPDB_FAILED, "cannot open '%.*s': %s",
			   PATH_SHOWN, path,
			   db ? sqlite3_errmsg(db) : "out of memory");
}
