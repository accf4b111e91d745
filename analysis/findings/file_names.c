/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A location is a file's name without its folders, so that it is short.  Where
 * several files of the run have that name, what is called by it would be taken
 * for one line: these get as many of their folders as tell them apart, up to
 * 16; beyond that, and where one is the end of another, all of them.
 */
#include "analysis/findings/file_names.h"

#include "analysis/engine/run.h"

/* What is before the last slash, with it; of a text without one nothing. */
#define BEFORE(path) "rtrim(" path ", replace(" path ", '/', ''))"

enum gaspdb_status gaspdb_pass_file_names(struct gaspdb_run *run)
{
	gaspdb_exec(
		run,
		"WITH RECURSIVE path(path) AS (SELECT file FROM source "
		"  WHERE file IS NOT NULL UNION SELECT module FROM source "
		"  WHERE file IS NULL AND module IS NOT NULL), "
		"named(path, name) AS MATERIALIZED (SELECT path, "
		"  substr(path, 1 + length(" BEFORE(
			"path") ")) FROM path), "
				"same AS MATERIALIZED (SELECT path, name FROM named "
				"  WHERE name IN (SELECT name FROM named GROUP BY name "
				"  HAVING count(*) > 1)), "
				"tail(path, tail, rest, depth) AS (SELECT path, name, "
				"  rtrim(" BEFORE(
					"path") ", '/'), 0 FROM same "
						"  UNION ALL SELECT path, substr(rest, "
						"  1 + length(" BEFORE(
							"rest") ")) || '/' || tail, "
								"  rtrim(" BEFORE(
									"rest") ", '/'), depth + 1 FROM tail "
										"  WHERE rest <> '' AND depth < 16), "
										"found AS (SELECT path, tail, min(depth) FROM (SELECT path, "
										"  tail, depth FROM tail GROUP BY tail HAVING count(*) = 1) "
										"  GROUP BY path) "
										"INSERT INTO file_name SELECT s.path, coalesce(f.tail, s.path) "
										"FROM same s LEFT JOIN found f ON f.path = s.path");
	return run->status;
}
