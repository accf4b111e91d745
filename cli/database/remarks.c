/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remarks about the data behind an analysis. */
#include "cli/database/remarks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/database/analysis.h"
#include "cli/output/human.h"
#include "cli/output/text.h"

/* Matched operations and bytes of one direction. */
struct coverage {
	int64_t all, bytes;
	double share, byte_share; /* per cent */
};

static int find(const struct gaspdb_analysis *a, const char *name)
{
	int i = 0;

	while (a->columns[i].name && strcmp(a->columns[i].name, name))
		i++;
	return i;
}

/*
 * Reads the coverage from analysis matching: sends to c[0], receives to c[1].
 */
static void read_coverage(struct gaspdb_database *db, struct coverage c[2])
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find("matching");
	struct gaspdb_error err;
	sqlite3_stmt *stmt;

	if (!a || gaspdb_analysis_prepare(db, a, &stmt, &err) != GASPDB_OK)
		return;
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *direction = (const char *)sqlite3_column_text(
			stmt, find(a, "direction"));
		bool receives = direction && !strcmp(direction, "receive");
		struct coverage *to = &c[receives];
		/* the others cannot be matched */
		to->all = sqlite3_column_int64(stmt, find(a, "operations")) -
			  sqlite3_column_int64(stmt, find(a, "cancelled")) -
			  sqlite3_column_int64(stmt, find(a, "to_nobody"));
		to->share = sqlite3_column_double(stmt, find(a, "coverage"));
		to->bytes = sqlite3_column_int64(stmt, find(a, "bytes"));
		to->byte_share =
			sqlite3_column_double(stmt, find(a, "byte_coverage"));
	}
	sqlite3_finalize(stmt);
}

char *gaspdb_remarks_coverage(struct gaspdb_database *db)
{
	struct coverage c[2] = { 0 };
	char sends[GASPDB_HUMAN_BYTES], receives[GASPDB_HUMAN_BYTES];
	char n_sends[GASPDB_HUMAN_BYTES], n_receives[GASPDB_HUMAN_BYTES];
	char bytes[GASPDB_HUMAN_BYTES], size[GASPDB_HUMAN_BYTES];

	read_coverage(db, c);
	if (c[0].all + c[1].all == 0)
		return gaspdb_text_copy("", 0);
	char *data = c[0].bytes == 0
			     ? gaspdb_text_copy("", 0)
			     : gaspdb_text_format(
				       ", %s of %s",
				       gaspdb_human_share(bytes,
							  c[0].byte_share, 100),
				       gaspdb_human_size(size, c[0].bytes));
	char *sentence = gaspdb_text_format(
		"matched: %s of %s %s, %s of %s %s%s",
		gaspdb_human_share(sends, c[0].share, 100),
		gaspdb_human_count(n_sends, c[0].all),
		gaspdb_human_plural(c[0].all, "send", "sends"),
		gaspdb_human_share(receives, c[1].share, 100),
		gaspdb_human_count(n_receives, c[1].all),
		gaspdb_human_plural(c[1].all, "receive", "receives"), data);
	free(data);
	return sentence;
}

char *gaspdb_remarks_threads(struct gaspdb_database *db)
{
	char text[GASPDB_HUMAN_BYTES], all[GASPDB_HUMAN_BYTES];
	int64_t n = gaspdb_database_integer(
		db, "SELECT count(*) FROM thread WHERE NOT complete", 0);
	char *threads, *sentence;

	if (n == 0)
		return gaspdb_text_copy("", 0);
	threads = gaspdb_database_text(db, "SELECT threads FROM run_word");
	sentence = gaspdb_text_format(
		"%s of %s %s %s no whole log: what it lacks is unknown, "
		"not zero",
		gaspdb_human_count(text, n),
		gaspdb_human_count(
			all, gaspdb_database_integer(
				     db, "SELECT count(*) FROM thread", 0)),
		threads, gaspdb_human_plural(n, "has", "have"));
	free(threads);
	return sentence;
}

char *gaspdb_remarks_values(struct gaspdb_database *db, const char *key)
{
	char *query = gaspdb_text_format(
		"SELECT coalesce((SELECT CASE count(*) WHEN 1 THEN max(value) "
		"ELSE group_concat(value || ' (' || n || ' ' || "
		"iif(n = 1, thread, threads) || ')', ', ') || "
		"iif(max(of) > 20, ', ...', '') END "
		"FROM (SELECT value, count(*) AS n, count(*) OVER () AS of "
		"FROM thread_meta WHERE key = '%s' GROUP BY value "
		"ORDER BY min(thread_id) LIMIT 20), run_word), "
		"(SELECT value FROM meta WHERE key = '%s'))",
		key, key);
	char *value = gaspdb_database_text(db, query);

	free(query);
	return value;
}

char *gaspdb_remarks_status(struct gaspdb_database *db)
{
	int64_t status = gaspdb_database_integer(
		db, "SELECT value FROM meta WHERE key = 'exit_status'", -1);

	if (status < 0)
		return gaspdb_text_copy("", 0);
	if (status <= 128)
		return gaspdb_text_format("%lld", (long long)status);
	return gaspdb_text_format("%lld (signal %lld)", (long long)status,
				  (long long)status - 128);
}

char *gaspdb_remarks_worlds(struct gaspdb_database *db)
{
	return gaspdb_database_text(
		db,
		"SELECT group_concat('world ' || world || ': ' || iif(low < "
		"  high, 'ranks ' || low || ' to ' || high, 'rank ' || low), "
		"  ', ') "
		"FROM (SELECT CAST(m.value AS INTEGER) AS world, min(t.rank) "
		"  AS low, max(t.rank) AS high FROM thread_meta m JOIN thread t "
		"  ON t.id = m.thread_id WHERE m.key = 'world' "
		"  GROUP BY 1 ORDER BY 1 LIMIT 20)");
}

char *gaspdb_remarks_defects(struct gaspdb_database *db, const char *severity)
{
	char *query = gaspdb_text_format(
		"SELECT group_concat(kind || ' (' || cases || ')', ', ') "
		"FROM (SELECT kind, sum(count) AS cases FROM quality "
		"  WHERE severity = '%s' GROUP BY kind ORDER BY kind)",
		severity);
	char *list = gaspdb_database_text(db, query);

	free(query);
	return list;
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
	char *affected =
		of_quality ? NULL : gaspdb_remarks_defects(db, "warning");

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
