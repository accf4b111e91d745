/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: the program, time and place of the run, and what was recorded. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/database/remarks.h"
#include "cli/report/report.h"
#include "cli/report/facts.h"
#include "cli/output/text.h"

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

/* Prints the program and arguments, each if there are several. */
static void print_programs(struct gaspdb_report *r)
{
	char *program = gaspdb_remarks_values(r->db, "program");
	char *arguments = gaspdb_remarks_values(r->db, "arguments");

	print_fact(r, "program", program);
	/* usually the program's name, with arguments */
	if (strcmp(arguments, program))
		print_fact(r, "arguments", arguments);
	free(arguments);
	free(program);
}

/* "19 events of 3 of 4 ranks" */
static void print_events(struct gaspdb_report *r)
{
	char events[GASPDB_HUMAN_BYTES], logged[GASPDB_HUMAN_BYTES];
	char threads[GASPDB_HUMAN_BYTES];
	const int64_t n_events = gaspdb_database_integer(
		r->db, "SELECT sum(last_event - first_event + 1) FROM thread",
		0);
	const int64_t n_raw = gaspdb_database_integer(
		r->db, "SELECT sum(raw_events) FROM recording", 0);
	const int64_t n_logged = gaspdb_database_integer(
		r->db, "SELECT count(first_ns) FROM thread", 0);
	char *part =
		n_logged == r->n_threads
			? gaspdb_text_copy("", 0)
			: gaspdb_text_format(
				  " of %s of %s %s",
				  gaspdb_human_count(logged, n_logged),
				  gaspdb_human_count(threads, r->n_threads),
				  gaspdb_run_words_threads(&r->words,
							   r->n_threads));
	char *value =
		r->is_profile
			? gaspdb_text_format(
				  "a profile of %s raw events%s",
				  gaspdb_human_count(events, n_raw), part)
			: gaspdb_text_format("%s %s%s",
					     gaspdb_human_count(events,
								n_events),
					     gaspdb_human_plural(n_events,
								 "event",
								 "events"),
					     part);

	print_fact(r, "recorded", value);
	free(value);
	free(part);
}

/* Prints start and exit status; the duration is in the summary. */
static void print_times(struct gaspdb_report *r)
{
	char *start = gaspdb_database_text(r->db, "SELECT " META("start_time"));
	char *status = gaspdb_remarks_status(r->db);

	print_fact(r, "started", start);
	print_fact(r, "exit status", status);
	free(status);
	free(start);
}

/* Prints what was not recorded because of masks or size limits. */
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
	char *filter = gaspdb_remarks_values(r->db, "filter");
	char *mask = gaspdb_text_format("%s raw events by%s%s%s%s%s%s",
					gaspdb_human_count(count, masked),
					*only ? " --only=" : "", only,
					*except ? " --except=" : "", except,
					*filter ? " --filter=" : "", filter);
	char *stopped = gaspdb_text_format(
		"%s of %s %s: its log was full",
		gaspdb_human_count(count, full),
		gaspdb_human_count(all, r->n_threads),
		gaspdb_run_words_threads(&r->words, r->n_threads));

	if (masked > 0)
		print_fact(r, "left out", mask);
	if (full > 0)
		print_fact(r, "stopped", stopped);
	free(stopped);
	free(mask);
	free(filter);
	free(except);
	free(only);
}

/* "of 3 of 4 other hosts within 40 us of node1's"; of the others messages may
   say little, and their wall clocks be better. */
static void print_clocks(struct gaspdb_report *r)
{
	char time[GASPDB_HUMAN_BYTES];
	const int64_t error_ns = gaspdb_database_integer(
		r->db,
		"SELECT max(error_ns) FROM host_clock JOIN host ON name = "
		"host WHERE drift_ppm IS NOT NULL",
		-1);
	char *hosts = gaspdb_database_text(
		r->db, "SELECT (count(drift_ppm) - 1) || ' of ' || (count(*) - "
		       "1) FROM host");
	char *reference = gaspdb_database_text(
		r->db, "SELECT host FROM thread WHERE host IS NOT NULL "
		       "ORDER BY id LIMIT 1");
	char *text = gaspdb_text_format(
		"of %s other hosts within %s of %s's", hosts,
		gaspdb_human_time(time, error_ns), reference);

	if (error_ns >= 0)
		print_fact(r, "clocks", text);
	free(text);
	free(reference);
	free(hosts);
}

/* Prints hosts; and processors and runtimes if there are different ones. */
static void print_places(struct gaspdb_report *r)
{
	char *processors = gaspdb_facts_processors(r);

	print_query(r, "hosts",
		    "SELECT group_concat(host || ' (' || n || ' ' || "
		    "iif(n = 1, thread, threads) || ')', ', ') FROM "
		    "(SELECT host, count(*) AS n FROM thread WHERE host IS NOT "
		    "NULL GROUP BY host ORDER BY host LIMIT 20), run_word");
	print_clocks(r);
	if (strchr(processors, ';'))
		print_fact(r, "processors", processors);
	free(processors);
	print_query(r, "runtime",
		    "SELECT iif(count(*) > 1, group_concat(value, ', '), '') "
		    "FROM (SELECT DISTINCT value FROM thread_meta "
		    "WHERE key = 'runtime' ORDER BY 1)");
}

bool gaspdb_report_run(struct gaspdb_report *r,
		       const struct gaspdb_report_section *section)
{
	gaspdb_report_title(r, section->title);
	print_programs(r);
	print_times(r);
	print_events(r);
	char *overhead = gaspdb_report_overhead(r);
	print_fact(r, "recording", overhead);
	free(overhead);
	print_left_out(r);
	char *off = gaspdb_facts_off(r);
	print_fact(r, "unrecorded", off);
	free(off);
	print_places(r);
	char *worlds = gaspdb_remarks_worlds(r->db);
	print_fact(r, "spawned", worlds);
	free(worlds);
	return true;
}
