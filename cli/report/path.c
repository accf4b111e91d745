/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: sentences about the critical path and the efficiencies. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/findings.h"
#include "cli/report/report.h"

/* Is it a category of unknown time? */
static bool is_unknown(const char *category)
{
	static const char *const unknown[] = { "not started", "ended",
					       "not recorded" };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (!category || !strcmp(category, unknown[i]))
			return true;
	return false;
}

/* Limits of the path: waits between threads of one process are not recorded. */
static char *limits(const struct gaspdb_report *r)
{
	return gaspdb_run_words_fill(
		&r->words,
		r->n_processes == r->n_threads
			? "Only work on the path can shorten the run, by at most "
			  "the time shown."
			: "Threads of one {process} wait for each other where "
			  "nothing is recorded (pthread_join, OpenMP): there "
			  "the path stays on the one that waits, in its "
			  "computation.");
}

static char *path_sentence(struct gaspdb_report *r, const char *what,
			   int64_t time_ns, int64_t error_ns)
{
	char run[GASPDB_HUMAN_BYTES], time[GASPDB_HUMAN_BYTES];
	char share[GASPDB_HUMAN_BYTES];
	char *safe = gaspdb_text_safe(what, strlen(what));
	char *bounds = limits(r);
	char *off = gaspdb_finding_error(error_ns);
	char *sentence = gaspdb_text_format(
		"Of the %s that %s, %s%s (%s) go through %s. %s "
		"mean: mean per %s, excluding waiting; imbalance: by how "
		"much the path's time exceeds that.",
		gaspdb_human_time(run, r->duration_ns),
		r->is_cut ? "were recorded" : "the program took",
		gaspdb_human_time(time, time_ns), off,
		gaspdb_human_share(share, (double)time_ns,
				   (double)r->duration_ns),
		safe, bounds, r->words.thread);

	free(off);
	free(bounds);
	free(safe);
	return sentence;
}

char *gaspdb_report_path(struct gaspdb_report *r, sqlite3_stmt *row)
{
	const int what = gaspdb_report_find_column(row, "what");
	const int ns = gaspdb_report_find_column(row, "time_ns");
	const int of = gaspdb_report_find_column(row, "category");
	const int error = gaspdb_report_find_column(row, "error_ns");
	const char *text =
		what < 0 ? NULL : (const char *)sqlite3_column_text(row, what);

	if (!text || ns < 0 || of < 0 || error < 0 ||
	    is_unknown((const char *)sqlite3_column_text(row, of)))
		return NULL;
	return path_sentence(r, text, sqlite3_column_int64(row, ns),
			     sqlite3_column_int64(row, error));
}

/* Efficiency factors, and the meaning of each as the smallest. */
static const struct {
	const char *efficiency, *loss;
	bool of_profile; /* without a trace its factors are not known */
} losses[] = {
	{ "load balance",
	  "{threads} that compute longer than others: see load-imbalance",
	  false },
	{ "serialization",
	  "{threads} that depend on each other: see critical-path",
	  false },
	{ "transfer",
	  "the calls themselves, waiting left out: see operations", false },
	{ "communication", "calls, and waiting in them: see call-times", true },
};

static void read_efficiency(struct gaspdb_report *r,
			    struct gaspdb_efficiencies *e, const char *name,
			    double percent, double *least)
{
	if (!strcmp(name, "parallel"))
		e->parallel = percent;
	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (!strcmp(name, losses[i].efficiency) && percent < *least &&
		    (r->is_profile || !losses[i].of_profile)) {
			e->loss = losses[i].loss;
			*least = percent;
		}
}

static void read_efficiencies(struct gaspdb_report *r,
			      struct gaspdb_efficiencies *e)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, "pop", NULL, -1);
	const int percent =
		stmt ? gaspdb_report_find_column(stmt, "percent") : -1;
	double least = 99.5;

	*e = (struct gaspdb_efficiencies){ .was_read = true, .parallel = -1 };
	while (percent >= 0 && sqlite3_step(stmt) == SQLITE_ROW)
		if (sqlite3_column_type(stmt, percent) != SQLITE_NULL)
			read_efficiency(r, e,
					gaspdb_report_text(stmt, "efficiency"),
					sqlite3_column_double(stmt, percent),
					&least);
	sqlite3_finalize(stmt);
}

const struct gaspdb_efficiencies *
gaspdb_report_efficiencies(struct gaspdb_report *r)
{
	if (!r->pop.was_read)
		read_efficiencies(r, &r->pop);
	return &r->pop;
}

char *gaspdb_report_efficiency(struct gaspdb_report *r)
{
	const char *loss = gaspdb_report_efficiencies(r)->loss;
	char *text = gaspdb_text_format(
		"%s%s%sparallel = load balance x communication; communication "
		"= serialization x transfer; 100 %%: nothing is lost",
		loss ? "Most is lost to " : "", loss ? loss : "",
		loss ? ". " : "");
	char *words = gaspdb_run_words_fill(&r->words, text);

	free(text);
	return words;
}
