/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of the report: what ran, when, where, how long. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "remarks.h"
#include "report.h"
#include "text.h"

static void print_fact(struct gaspdb_report *r, const char *key,
		       const char *value)
{
	enum { INDENT = 14 };

	if (!*value)
		return;
	fprintf(r->out, "  %-*s", INDENT - 2, key);
	gaspdb_report_wrap(r->out, value, INDENT, INDENT);
}

static void print_query(struct gaspdb_report *r, const char *key,
			const char *query)
{
	char *value = gaspdb_database_text(r->db, query);

	print_fact(r, key, value);
	free(value);
}

#define META(key) "(SELECT value FROM meta WHERE key = '" key "')"

/* Of several programs each. */
static void print_programs(struct gaspdb_report *r)
{
	char *program = gaspdb_remarks_values(r->db, "program");
	char *arguments = gaspdb_remarks_values(r->db, "arguments");

	print_fact(r, "program", program);
	/* What was typed; the first word is most often the program again. */
	if (strcmp(arguments, program))
		print_fact(r, "arguments", arguments);
	free(arguments);
	free(program);
}

static void print_threads(struct gaspdb_report *r)
{
	char threads[GASPDB_HUMAN_BYTES], processes[GASPDB_HUMAN_BYTES];
	char events[GASPDB_HUMAN_BYTES], logged[GASPDB_HUMAN_BYTES];
	int64_t n_events = gaspdb_database_integer(
		r->db, "SELECT sum(last_event - first_event + 1) FROM thread",
		0);
	char *many = r->n_processes == r->n_threads
			     ? gaspdb_text_copy("", 0)
			     : gaspdb_text_format(
				       " in %s processes",
				       gaspdb_human_count(processes,
							  r->n_processes));
	const int64_t n_logged = gaspdb_database_integer(
		r->db, "SELECT count(first_ns) FROM thread", 0);
	char *part = n_logged == r->n_threads
			     ? gaspdb_text_copy("", 0)
			     : gaspdb_text_format(
				       "%s of ",
				       gaspdb_human_count(logged, n_logged));
	char *value = gaspdb_text_format(
		"%s%s %s%s, %s %s", part,
		gaspdb_human_count(threads, r->n_threads),
		gaspdb_human_plural(r->n_threads, "thread", "threads"), many,
		gaspdb_human_count(events, n_events),
		gaspdb_human_plural(n_events, "event", "events"));

	print_fact(r, "recorded", value);
	free(value);
	free(part);
	free(many);
}

static void print_times(struct gaspdb_report *r)
{
	char duration[GASPDB_HUMAN_BYTES];
	char *start = gaspdb_database_text(r->db, "SELECT " META("start_time"));
	char *status = gaspdb_remarks_status(r->db);
	char *value = gaspdb_text_format(
		"%s%s%s%s%s%s", start, *start ? ", took " : "",
		r->is_cut ? "at least " : "",
		gaspdb_human_time(duration, r->duration_ns),
		*status ? ", exit status " : "", status);

	print_fact(r, *start ? "started" : "took", value);
	free(value);
	free(status);
	free(start);
}

/* Who shares how many processors: hosts that are alike together. */
static const char processors_sql[] =
	"WITH what AS (SELECT CASE WHEN count(*) > "
	"count(DISTINCT coalesce(rank, -1 - id)) THEN 'thread' "
	"WHEN min(model) = 'MPI' AND max(model) = 'MPI' THEN 'rank' "
	"WHEN min(model) = 'OpenSHMEM' AND max(model) = 'OpenSHMEM' THEN 'PE' "
	"ELSE 'thread' END AS one FROM thread WHERE first_ns IS NOT NULL) "
	"SELECT group_concat(threads || ' ' || one || iif(threads = 1, '', 's')"
	" || ' on ' || processors || ' processor' || "
	"iif(processors = 1, '', 's') || "
	"iif(n > 1, ' of each of ' || n || ' hosts', ''), '; ') "
	"FROM (SELECT threads, processors, count(*) AS n FROM processors "
	"WHERE processors > 0 GROUP BY 1, 2 "
	"ORDER BY 1.0 * threads / processors DESC, 1 LIMIT 4), what";

static void print_processors(struct gaspdb_report *r)
{
	char computing[GASPDB_HUMAN_BYTES], waiting[GASPDB_HUMAN_BYTES];
	const int64_t computing_ns = gaspdb_database_integer(
		r->db,
		"SELECT sum(time_ns) FROM category_time "
		"WHERE category = 'no processor'",
		0);
	const int64_t waiting_ns = gaspdb_database_integer(
		r->db, "SELECT sum(unserved_ns) FROM wait_total", 0);
	char *processors = gaspdb_database_text(r->db, processors_sql);
	char *value = gaspdb_text_format(
		"%s: %s between calls, and %s of all waiting, is time in which "
		"a thread was ready but had no processor; it is in no finding",
		processors, gaspdb_human_time(computing, computing_ns),
		gaspdb_human_time(waiting, waiting_ns));

	/* Less is what any system's own work takes. */
	print_fact(r, "processors",
		   computing_ns / 2 + waiting_ns / 2 > r->duration_ns / 200
			   ? value
			   : processors);
	free(value);
	free(processors);
}

/* What was not recorded because nobody wanted it. */
static void print_left_out(struct gaspdb_report *r)
{
	char count[GASPDB_HUMAN_BYTES], all[GASPDB_HUMAN_BYTES];
	int64_t masked = gaspdb_database_integer(
		r->db, "SELECT sum(masked) FROM recording", 0);
	int64_t full = gaspdb_database_integer(
		r->db,
		"SELECT count(DISTINCT thread_id) FROM quality "
		"WHERE kind = 'size limit'",
		0);
	char *only = gaspdb_remarks_values(r->db, "only");
	char *except = gaspdb_remarks_values(r->db, "except");
	char *mask = gaspdb_text_format("%s raw events by%s%s%s%s",
					gaspdb_human_count(count, masked),
					*only ? " --only=" : "", only,
					*except ? " --except=" : "", except);
	char *stopped = gaspdb_text_format(
		"%s of %s %s: its log was full",
		gaspdb_human_count(count, full),
		gaspdb_human_count(all, r->n_threads),
		gaspdb_human_plural(r->n_threads, "thread", "threads"));

	if (masked > 0)
		print_fact(r, "left out", mask);
	if (full > 0)
		print_fact(r, "stopped", stopped);
	free(stopped);
	free(mask);
	free(except);
	free(only);
}

void gaspdb_report_run(struct gaspdb_report *r)
{
	const size_t longest = (size_t)gaspdb_report_width(r->out) - 20;
	char *path = gaspdb_text_safe(r->db->path, strlen(r->db->path));
	char *shown = gaspdb_text_cut(path, longest, GASPDB_TEXT_END);

	fprintf(r->out, "gaspdb report of %s\n", shown);
	free(shown);
	free(path);
	gaspdb_report_title(r, "The run");
	print_programs(r);
	print_times(r);
	print_threads(r);
	char *overhead = gaspdb_report_overhead(r);
	print_fact(r, "recording", overhead);
	free(overhead);
	print_left_out(r);
	char *incomplete = gaspdb_remarks_threads(r->db);
	print_fact(r, "incomplete", incomplete);
	free(incomplete);
	print_query(
		r, "hosts",
		"SELECT group_concat(host || ' (' || n || CASE n WHEN 1 THEN ' thread)' ELSE ' threads)' END, ', ') FROM "
		"(SELECT host, count(*) AS n FROM thread WHERE host IS NOT "
		"NULL GROUP BY host ORDER BY host LIMIT 20)");
	print_processors(r);
	print_query(r, "runtime",
		    "SELECT group_concat(value, ', ') FROM (SELECT DISTINCT "
		    "value FROM thread_meta WHERE key = 'runtime' ORDER BY 1)");
}
