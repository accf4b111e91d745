/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test of the page's time line in bins: sums over a row's cells are the time
   in calls and in waits that the run was made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/html/pyramid.h"
#include "tests/unit/util_log.h"

enum { RANKS = 3, TURNS = 10, TURN_NS = 100000, LEAVE_NS = 85000 };
/* When a rank comes to a turn's barrier. */
static const int64_t comes_ns[RANKS] = { 20000, 30000, 80000 };
enum {
	LAST_NS = 80000,
	FILE_AT_NS = 5000,
	FILE_NS = 4000
}; /* rank 1 writes a file, too */

static void add_rank(const char *run, int rank)
{
	struct log *l = log_rank(rank, RANKS);
	unsigned barrier =
		log_site(l,
			 log_op(l, "MPI_Barrier", "barrier", "synchronization",
				"team:u sequence:u", ""),
			 "a.c", 1);
	unsigned file = log_site(l,
				 log_op(l, "MPI_File_write", "file_write", "io",
					"team:u bytes:z", ""),
				 "a.c", 2);

	log_team(l, 1, 0, 0, rank, RANKS, "world", "world", 0);
	if (rank == 0)
		log_members(l, 1, 0, 0, 1, RANKS);
	for (int64_t turn = 0; turn < TURNS; turn++) {
		const uint64_t t = (uint64_t)(turn * TURN_NS);

		if (rank == 1) {
			log_start(l, t + FILE_AT_NS, file, ARGS(1, 8));
			log_end(l, t + FILE_AT_NS + FILE_NS, file, NONE);
		}
		log_start(l, t + (uint64_t)comes_ns[rank], barrier,
			  ARGS(1, turn));
		log_end(l, t + LEAVE_NS, barrier, NONE);
	}
	log_close(l);
	run_add(run, l);
}

/* --- the chunk -------------------------------------------------------------
 */

static unsigned digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	return (unsigned)(strchr(digits, c) - digits);
}

/* The bytes of a chunk in a page; the caller frees them. */
static char *read_chunk(const char *page, const char *id)
{
	const char *at = strstr(page, id);
	uLongf n = 1 << 22;
	char *bytes = malloc(n + 1);
	unsigned char *packed;
	size_t n_packed = 0;

	assert_non_null(at);
	assert_non_null(bytes);
	at = strchr(at, '>') + 1;
	packed = malloc(strlen(at));
	assert_non_null(packed);
	for (; *at != '<' && *at != '='; at += 4) {
		const unsigned v = digit(at[0]) << 18 | digit(at[1]) << 12 |
				   (at[2] == '=' ? 0 : digit(at[2]) << 6) |
				   (at[3] == '=' ? 0 : digit(at[3]));

		packed[n_packed++] = (unsigned char)(v >> 16);
		packed[n_packed++] = (unsigned char)(v >> 8);
		packed[n_packed++] = (unsigned char)v;
	}
	assert_int_equal(uncompress((Bytef *)bytes, &n, packed, n_packed),
			 Z_OK);
	bytes[n] = '\0';
	free(packed);
	return bytes;
}

static int64_t member(const char *head, const char *name)
{
	const char *at = strstr(head, name);

	assert_non_null(at);
	return strtoll(at + strlen(name), NULL, 10);
}

/* --- the sums --------------------------------------------------------------
 */

/* ns of a row in a column: parts of 255 of bins. Only bins that are cut by an
   end of a call are rounded. */
static void check_row(const uint8_t *cells, int64_t bins, int64_t bin_ns,
		      int64_t expected_ns, int64_t ends)
{
	int64_t parts = 0;

	for (int64_t i = 0; i < bins; i++)
		parts += cells[i];
	const double ns = (double)parts * (double)bin_ns / 255;
	const double rounding = (double)(ends * bin_ns) / 255;

	if (ns < (double)expected_ns - rounding ||
	    ns > (double)expected_ns + rounding)
		fail_msg("%.0f ns instead of %lld", ns, (long long)expected_ns);
}

static void check_cells(const char *chunk)
{
	const int64_t bins = member(chunk, "\"bins\":");
	const int64_t bin_ns = member(chunk, "\"bin_ns\":");
	const uint8_t *busy = (const uint8_t *)strchr(chunk, '\n') + 1;
	const uint8_t *wait = busy + RANKS * bins;

	assert_int_equal(member(chunk, "{\"rows\":"), RANKS * bins);
	assert_true(bins * bin_ns >=
		    (TURNS - 1) * TURN_NS + LEAVE_NS - FILE_AT_NS);
	for (int rank = 0; rank < RANKS; rank++) {
		const int64_t own_ns = rank == 1 ? FILE_NS : 0;

		check_row(busy + rank * bins, bins, bin_ns,
			  TURNS * (LEAVE_NS - comes_ns[rank] + own_ns),
			  4 * TURNS);
		check_row(wait + rank * bins, bins, bin_ns,
			  TURNS * (LAST_NS - comes_ns[rank]), 2 * TURNS);
	}
}

static void sums_of_cells(void **state)
{
	char *run = run_new(), *text = NULL, *chunk, path[400];
	struct gaspdb_windows *windows;
	struct gaspdb_database db;
	struct gaspdb_report r = { .db = &db };
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	for (int rank = 0; rank < RANKS; rank++)
		add_rank(run, rank);
	sqlite3_close(run_open(run));
	snprintf(path, sizeof path, "%s/db.sqlite", run);
	if (gaspdb_database_open(&db, path, &r.err))
		fail_msg("%s", r.err.msg);
	gaspdb_report_read(&r);
	windows = gaspdb_windows_new(&r);
	assert_int_equal(gaspdb_pyramid_write(&r, windows, out), GASPDB_OK);
	fclose(out);
	chunk = read_chunk(text, "data-chunk=\"pyramid\"");
	check_cells(chunk);
	free(chunk);
	free(text);
	gaspdb_windows_free(windows);
	gaspdb_report_free(&r);
	gaspdb_database_close(&db);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sums_of_cells) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
