/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: cost of recording, in the run and by line. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/report/report.h"
#include "common/sum.h"
#include "cli/output/text.h"

/* Sums over the threads with known cost; in ns and per cent. */
struct overhead {
	int64_t known, unknown, ns, total_ns, worst_thread;
	double worst_share;
};

static void read_overhead(struct gaspdb_report *r, struct overhead *o)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, "overhead", NULL, -1);
	int thread = stmt ? gaspdb_report_find_column(stmt, "thread") : -1;
	int ns = stmt ? gaspdb_report_find_column(stmt, "overhead_ns") : -1;
	int total = stmt ? gaspdb_report_find_column(stmt, "total_ns") : -1;
	int share = stmt ? gaspdb_report_find_column(stmt, "share") : -1;

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		if (sqlite3_column_type(stmt, share) == SQLITE_NULL) {
			o->unknown++;
			continue;
		}
		if (o->known++ == 0) { /* rows begin with the worst */
			o->worst_thread = sqlite3_column_int64(stmt, thread);
			o->worst_share = sqlite3_column_double(stmt, share);
		}
		gaspdb_add_to(&o->ns, sqlite3_column_int64(stmt, ns));
		gaspdb_add_to(&o->total_ns, sqlite3_column_int64(stmt, total));
	}
	sqlite3_finalize(stmt);
}

bool gaspdb_report_overhead_sums(struct gaspdb_report *r, int64_t *ns,
				 int64_t *of_ns)
{
	struct overhead o = { 0 };

	read_overhead(r, &o);
	*ns = o.ns;
	*of_ns = o.total_ns;
	return o.known > 0;
}

char *gaspdb_report_overhead(struct gaspdb_report *r)
{
	char share[GASPDB_HUMAN_BYTES], worst[GASPDB_HUMAN_BYTES];
	char count[GASPDB_HUMAN_BYTES];
	struct overhead o = { 0 };

	read_overhead(r, &o);
	if (o.known + o.unknown == 0)
		return gaspdb_text_copy("", 0);
	if (o.known == 0)
		return gaspdb_text_format("cost not known: the logs do not "
					  "tell what recording an event takes");
	char *of_one =
		o.known == 1 ? gaspdb_text_copy("", 0)
			     : gaspdb_text_format(
				       " (worst: %s %lld, %s)", r->words.thread,
				       (long long)o.worst_thread,
				       gaspdb_human_share(worst, o.worst_share,
							  100));
	char *rest = o.unknown == 0
			     ? gaspdb_text_copy("", 0)
			     : gaspdb_text_format(
				       "; of %s %s not known",
				       gaspdb_human_count(count, o.unknown),
				       gaspdb_run_words_threads(&r->words,
								o.unknown));
	gaspdb_human_share(share, (double)o.ns, (double)o.total_ns);
	char *text = gaspdb_text_format("cost %s%s of the %s' time%s%s",
					*share == '<' ? "" : "about ", share,
					r->words.threads, of_one, rest);
	free(rest);
	free(of_one);
	return text;
}

/* Operations in the rows of the section, each once. */
static char *names(struct gaspdb_report *r)
{
	enum { MOST = 6 };
	sqlite3_stmt *stmt = gaspdb_report_query(r, "overhead-lines",
						 GASPDB_REPORT_OVERHEAD, MOST);
	int column = stmt ? gaspdb_report_find_column(stmt, "operation") : -1;
	char *list = gaspdb_text_copy("", 0);

	while (column >= 0 && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *name =
			(const char *)sqlite3_column_text(stmt, column);
		char *padded = gaspdb_text_format(",%s,", list);
		char *wanted = gaspdb_text_format(",%s,", name ? name : "");
		if (!strstr(padded, wanted)) {
			char *longer = gaspdb_text_format("%s%s%s", list,
							  *list ? "," : "",
							  name ? name : "");
			free(list);
			list = longer;
		}
		free(wanted);
		free(padded);
	}
	sqlite3_finalize(stmt);
	return list;
}

char *gaspdb_report_overhead_advice(struct gaspdb_report *r)
{
	char *list = names(r);
	char *text = gaspdb_text_format(
		"at least half of the time of these lines is gaspdb's own: do "
		"not judge the program by it; try: gaspdb record --except=%s",
		list);

	free(list);
	return text;
}
