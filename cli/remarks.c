/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader of an analysis should know of the data behind it. */
#include "remarks.h"

#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "text.h"

/*
 * What counts is what could have been matched: neither cancelled nor sent to
 * nobody, nor a receive from anyone that nothing completed.
 */
#define COUNTED "outcome IN ('matched', 'unmatched', 'not recorded')"

/* Matched operations and bytes of one direction, and all of them. */
struct coverage {
	int64_t matched, all, matched_bytes, all_bytes;
};

static struct coverage read_coverage(struct gaspdb_database *db,
				     const char *direction)
{
	struct coverage c = { 0 };
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(
		    db->sql,
		    "SELECT total(operations) FILTER "
		    "    (WHERE outcome = 'matched'), total(operations), "
		    "  total(bytes) FILTER (WHERE outcome = 'matched'), "
		    "  total(bytes) "
		    "FROM p2p_total WHERE direction = ?1 AND " COUNTED,
		    -1, &stmt, NULL) != SQLITE_OK)
		return c;
	sqlite3_bind_text(stmt, 1, direction, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		c.matched = sqlite3_column_int64(stmt, 0);
		c.all = sqlite3_column_int64(stmt, 1);
		c.matched_bytes = sqlite3_column_int64(stmt, 2);
		c.all_bytes = sqlite3_column_int64(stmt, 3);
	}
	sqlite3_finalize(stmt);
	return c;
}

char *gaspdb_remarks_coverage(struct gaspdb_database *db)
{
	struct coverage s = read_coverage(db, "send");
	struct coverage r = read_coverage(db, "receive");
	char bytes[GASPDB_HUMAN_BYTES], sends[GASPDB_HUMAN_BYTES];
	char receives[GASPDB_HUMAN_BYTES], n_sends[GASPDB_HUMAN_BYTES];
	char n_receives[GASPDB_HUMAN_BYTES], size[GASPDB_HUMAN_BYTES];

	if (s.all + r.all == 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		"matched: %s of %s sends, %s of %s receives, %s of %s",
		gaspdb_human_share(sends, (double)s.matched, (double)s.all),
		gaspdb_human_count(n_sends, s.all),
		gaspdb_human_share(receives, (double)r.matched, (double)r.all),
		gaspdb_human_count(n_receives, r.all),
		gaspdb_human_share(bytes, (double)s.matched_bytes,
				   (double)s.all_bytes),
		gaspdb_human_size(size, s.all_bytes));
}

char *gaspdb_remarks_threads(struct gaspdb_database *db)
{
	char text[GASPDB_HUMAN_BYTES], all[GASPDB_HUMAN_BYTES];
	int64_t n = gaspdb_database_integer(
		db, "SELECT count(*) FROM thread WHERE NOT complete", 0);

	if (n == 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		"%s of %s threads %s no whole log: what it lacks is unknown, "
		"not zero",
		gaspdb_human_count(text, n),
		gaspdb_human_count(
			all, gaspdb_database_integer(
				     db, "SELECT count(*) FROM thread", 0)),
		gaspdb_human_plural(n, "has", "have"));
}

/* "clock contradiction (3), mismatched collective (1)", or "" */
static char *warnings(struct gaspdb_database *db)
{
	return gaspdb_database_text(
		db, "SELECT group_concat(kind || ' (' || cases || ')', ', ') "
		    "FROM (SELECT kind, sum(count) AS cases FROM quality "
		    "  WHERE severity = 'warning' GROUP BY kind "
		    "  ORDER BY kind)");
}

static bool reads_messages(const struct gaspdb_database *db)
{
	static const char *const tables[] = { "message", "message_total", "p2p",
					      "p2p_total" };

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (gaspdb_database_has_read(db, tables[i]))
			return true;
	return false;
}

void gaspdb_remarks_print(struct gaspdb_database *db)
{
	bool of_messages = reads_messages(db);
	bool of_quality = gaspdb_database_has_read(db, "quality");
	char *threads = gaspdb_remarks_threads(db);
	char *coverage = of_messages ? gaspdb_remarks_coverage(db) : NULL;
	char *affected = of_quality ? NULL : warnings(db);

	if (*threads)
		gaspdb_print_error("%s", threads);
	if (coverage && *coverage)
		gaspdb_print_error("%s", coverage);
	if (affected && *affected)
		gaspdb_print_error("figures may be affected: %s; 'gaspdb "
				   "analyze quality' tells more",
				   affected);
	free(threads);
	free(coverage);
	free(affected);
}
