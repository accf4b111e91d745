/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans of the critical path and of sums of waits. */
#include "cli/html/sums.h"

#include <stdlib.h>

#include "cli/html/chunk.h"
#include "cli/html/longest.h"
#include "cli/output/text.h"
#include "common/sum.h"
#include "common/value.h"
#include "sql/columns.h"
#include "sql/page/page.h"

enum { SEGMENTS_MAX = 20000, THREADS_MAX = 1 << 22 };

/* Sums of a thread: the columns of page_thread. */
enum { PATH_NS, WAITS, WAITED_NS, CAUSED, BLAMED_NS, N_SUMS };
struct thread {
	int64_t sums[N_SUMS];
};

struct sums {
	struct gaspdb_report *r;
	struct thread *threads; /* by thread.id */
	int64_t n_threads;
	struct gaspdb_longest segments;
	int64_t running; /* the word for that kind */
};

static void add(struct sums *s, int64_t thread, int sum, int64_t value)
{
	if (thread >= 0 && thread < s->n_threads)
		gaspdb_add_to(&s->threads[thread].sums[sum], value);
}

/* --- the critical path -----------------------------------------------------
 */

static bool add_segment(void *user, const int64_t *segment)
{
	struct sums *s = user;
	const int64_t ns =
		(int64_t)((uint64_t)segment[GASPDB_CRITICAL_PATH_END] -
			  (uint64_t)segment[GASPDB_CRITICAL_PATH_START]);

	if (segment[GASPDB_CRITICAL_PATH_KIND] == s->running)
		add(s, segment[GASPDB_CRITICAL_PATH_THREAD], PATH_NS, ns);
	gaspdb_longest_add(&s->segments, ns, segment[GASPDB_CRITICAL_PATH_ID]);
	return true;
}

static void read_path(struct sums *s)
{
	gaspdb_chunk_scan(s->r, GASPDB_TABLE(critical_path),
			  GASPDB_CRITICAL_PATH_END + 1, add_segment, s);
}

/* --- waits -----------------------------------------------------------------
 */

/* Columns: thread, thread waited for, waits, time. */
static void read_waits(struct sums *s)
{
	sqlite3_stmt *stmt =
		gaspdb_chunk_prepare(s->r, gaspdb_sql_page_wait_sums);

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		const bool known = sqlite3_column_type(stmt, 1) != SQLITE_NULL;
		const int64_t ends[2] = {
			sqlite3_column_int64(stmt, 0),
			known ? sqlite3_column_int64(stmt, 1) : -1,
		};

		for (int i = 0; i < 2; i++) {
			add(s, ends[i], i ? CAUSED : WAITS,
			    sqlite3_column_int64(stmt, 2));
			add(s, ends[i], i ? BLAMED_NS : WAITED_NS,
			    sqlite3_column_int64(stmt, 3));
		}
	}
	sqlite3_finalize(stmt);
}

/* --- the tables ------------------------------------------------------------
 */

static void insert_threads(const struct sums *s)
{
	sqlite3_stmt *stmt =
		gaspdb_chunk_prepare(s->r, gaspdb_sql_page_add_thread);

	for (int64_t id = 0; stmt && id < s->n_threads; id++) {
		bool any = false;

		sqlite3_bind_int64(stmt, 1, id);
		for (int i = 0; i < N_SUMS; i++) {
			sqlite3_bind_int64(stmt, i + 2, s->threads[id].sums[i]);
			any |= s->threads[id].sums[i] != 0;
		}
		if (any)
			sqlite3_step(stmt);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
}

void gaspdb_sums_read(struct gaspdb_report *r)
{
	const int64_t last =
		gaspdb_database_integer(r->db, "SELECT max(id) FROM thread", 0);
	struct sums s = { .r = r,
			  .n_threads =
				  last >= 0 && last < THREADS_MAX ? last + 1 : 1,
			  .segments = gaspdb_longest_new(SEGMENTS_MAX),
			  .running = gaspdb_word("running") };

	s.threads = gaspdb_memory_new((size_t)s.n_threads, sizeof *s.threads);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_threads);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_segments);
	read_path(&s);
	read_waits(&s);
	gaspdb_chunk_execute(r, "SAVEPOINT page");
	insert_threads(&s);
	gaspdb_longest_insert(&s.segments, r, gaspdb_sql_page_add_segment);
	gaspdb_chunk_execute(r, "RELEASE page");
	free(s.segments.list);
	free(s.threads);
}
