/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: facts of the run in a few words each. */
#include "cli/report/facts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/database/remarks.h"
#include "cli/report/report.h"
#include "cli/output/text.h"

/* A query's text, made safe and cut to at most width columns. */
static char *shown(struct gaspdb_report *r, const char *query, size_t width)
{
	char *text = gaspdb_database_text(r->db, query);
	char *safe = gaspdb_text_safe(text, strlen(text));
	char *cut = gaspdb_text_cut(safe, width, GASPDB_TEXT_BEGINNING);

	free(safe);
	free(text);
	return cut;
}

char *gaspdb_facts_program(struct gaspdb_report *r)
{
	enum { WIDTH = 48 };

	return shown(r,
		     "SELECT group_concat(iif(n > 3, '...', name), ', ') FROM "
		     "(SELECT name, row_number() OVER () AS n FROM (SELECT "
		     "DISTINCT replace(value, rtrim(value, "
		     "replace(value, '/', '')), '') AS name FROM "
		     "(SELECT thread_id, value FROM thread_meta WHERE "
		     "key = 'program' UNION ALL SELECT NULL, value FROM meta "
		     "WHERE key = 'program' AND NOT EXISTS (SELECT 1 FROM "
		     "thread_meta WHERE key = 'program')) "
		     "ORDER BY thread_id LIMIT 4))",
		     WIDTH);
}

char *gaspdb_facts_model(struct gaspdb_report *r)
{
	enum { WIDTH = 40 };

	return shown(r,
		     "SELECT group_concat(model, ', ') FROM ("
		     "SELECT substr(model, 1, instr(model || '+', '+') - 1) "
		     "AS model FROM thread WHERE model <> 'C' UNION "
		     "SELECT o.model FROM profile p "
		     "JOIN source s ON s.id = p.source_id "
		     "JOIN operation o ON o.id = s.operation_id "
		     "JOIN model_word USING(model) ORDER BY 1)",
		     WIDTH);
}

/* Library's own name ("Open MPI v4.1.4", "MPICH Version: 4.0.2"), without the
   word for a version. */
char *gaspdb_facts_library(struct gaspdb_report *r)
{
	enum { WIDTH = 60 };

	return shown(r,
		     "SELECT group_concat(name, ', ') FROM (SELECT DISTINCT "
		     "replace(iif(value GLOB '* v[0-9]*', "
		     "replace(value, ' v', ' '), value), ' Version: ', ' ') AS "
		     "name FROM thread_meta WHERE key = 'runtime' "
		     "ORDER BY 1 LIMIT 3)",
		     WIDTH);
}

char *gaspdb_facts_hosts(struct gaspdb_report *r)
{
	return gaspdb_database_text(
		r->db,
		"SELECT n || iif(n = 1, ' host', ' hosts') || "
		"iif(least > 0, ' with ' || iif(least = most, least, total) || "
		"iif(least = most AND least = 1, ' processor', ' processors') "
		"|| iif(n = 1, '', iif(least = most, ' each', ' in all')), '') "
		"FROM (SELECT count(*) AS n, coalesce(min(coalesce(processors, "
		"0)), 0) AS least, max(processors) AS most, sum(processors) AS "
		"total FROM processors) WHERE n > 0");
}

char *gaspdb_facts_size(struct gaspdb_report *r)
{
	char processes[GASPDB_HUMAN_BYTES], threads[GASPDB_HUMAN_BYTES];
	const bool several = r->n_processes != r->n_threads;
	char *model = gaspdb_facts_model(r), *library = gaspdb_facts_library(r);
	char *where = gaspdb_facts_hosts(r);
	char *text = gaspdb_text_format(
		"%s %s%s%s%s%s%s%s%s%s%s%s",
		gaspdb_human_count(processes, r->n_processes),
		gaspdb_run_words_processes(&r->words, r->n_processes),
		several ? " with " : "",
		several ? gaspdb_human_count(threads, r->n_threads) : "",
		several ? " threads" : "", *model ? ", " : "", model,
		*library && *model ? " ("
		: *library	   ? ", "
				   : "",
		library, *library && *model ? ")" : "", *where ? ", " : "",
		where);

	free(where);
	free(library);
	free(model);
	return text;
}

char *gaspdb_facts_time(struct gaspdb_report *r)
{
	char time[GASPDB_HUMAN_BYTES];

	return gaspdb_text_format("%s%s", r->is_cut ? "at least " : "",
				  gaspdb_human_time(time, r->duration_ns));
}

char *gaspdb_facts_efficiency(struct gaspdb_report *r)
{
	char share[GASPDB_HUMAN_BYTES];
	const double percent = gaspdb_report_efficiencies(r)->parallel;

	if (percent < 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format("parallel efficiency %s",
				  gaspdb_human_share(share, percent, 100));
}

/* Threads and processors of each host; equal hosts are combined. */
char *gaspdb_facts_processors(struct gaspdb_report *r)
{
	return gaspdb_database_text(
		r->db,
		"SELECT group_concat(n_threads || ' ' || "
		"iif(n_threads = 1, thread, threads) || ' on ' || processors "
		"|| ' processor' || iif(processors = 1, '', 's') || "
		"iif(n > 1, ' of each of ' || n || ' hosts', ''), '; ') "
		"FROM (SELECT threads AS n_threads, processors, count(*) AS n "
		"FROM processors WHERE processors > 0 GROUP BY 1, 2 "
		"ORDER BY 1.0 * threads / processors DESC, 1 LIMIT 4), "
		"run_word");
}

/* The sum of which a profile does not know where it was. */
static char *somewhere_without_processor(struct gaspdb_report *r)
{
	char time[GASPDB_HUMAN_BYTES];
	const int64_t ns = gaspdb_database_integer(
		r->db, "SELECT sum(unserved_ns) FROM processor_use", 0);
	char *processors, *text;

	/* less is normal system activity */
	if (ns / 2 <= r->duration_ns / 200)
		return gaspdb_text_copy("", 0);
	processors = gaspdb_facts_processors(r);
	text = gaspdb_text_format(
		"Time without a processor%s%s%s: %s of the %s' time, in calls "
		"and between them; what follows contains it. ",
		*processors ? " (" : "", processors, *processors ? ")" : "",
		gaspdb_human_time(time, ns), r->words.threads);
	free(processors);
	return text;
}

/* "Time without a processor (4 ranks on 2 processors): 1.0 s between calls,
 * ..."
 */
static char *without_processor(struct gaspdb_report *r)
{
	char computing[GASPDB_HUMAN_BYTES], waiting[GASPDB_HUMAN_BYTES];
	const int64_t computing_ns = gaspdb_database_integer(
		r->db,
		"SELECT sum(time_ns) FROM category_time "
		"WHERE category = 'no processor'",
		0);
	const int64_t waiting_ns = gaspdb_database_integer(
		r->db, "SELECT sum(unserved_ns) FROM wait_total", 0);
	char *processors, *text;

	if (r->is_profile)
		return somewhere_without_processor(r);
	if (computing_ns / 2 + waiting_ns / 2 <= r->duration_ns / 200)
		return gaspdb_text_copy("", 0);
	processors = gaspdb_facts_processors(r);
	text = gaspdb_text_format(
		"Time without a processor%s%s%s: %s between calls, and %s of "
		"all waiting; it is in no finding. ",
		*processors ? " (" : "", processors, *processors ? ")" : "",
		gaspdb_human_time(computing, computing_ns),
		gaspdb_human_time(waiting, waiting_ns));
	free(processors);
	return text;
}

char *gaspdb_facts_off(struct gaspdb_report *r)
{
	char share[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	const int64_t events = gaspdb_database_integer(
		r->db,
		"SELECT sum(count) FROM quality WHERE kind = 'recording off'",
		0);
	const int64_t off_ns = gaspdb_database_integer(
		r->db,
		"SELECT sum(end_ns - start_ns) FROM gap WHERE kind = 'off'",
		0);
	const int64_t all_ns = gaspdb_database_integer(
		r->db, "SELECT sum(last_ns - first_ns) FROM thread", 0);
	char *phase = gaspdb_remarks_values(r->db, "phase");
	char *start = gaspdb_remarks_values(r->db, "start");
	char *text =
		events <= 0
			? gaspdb_text_copy("", 0)
			: gaspdb_text_format(
				  "for %s of the %s' time%s%s%s%s%s%s; %s raw "
				  "events came then",
				  gaspdb_human_share(share, (double)off_ns,
						     (double)all_ns),
				  r->words.threads,
				  *phase || *start ? " (" : "",
				  *start ? "--start=" : "", start,
				  *phase ? *start ? ", --phase=" : "--phase="
					 : "",
				  phase, *phase || *start ? ")" : "",
				  gaspdb_human_count(count, events));

	free(start);
	free(phase);
	return text;
}

/* "Recording was switched off for ... " */
static char *switched_off(struct gaspdb_report *r)
{
	char *off = gaspdb_facts_off(r);
	char *text = gaspdb_text_format(
		"%s%s%s", *off ? "Recording was switched off " : "", off,
		*off ? ". " : "");

	free(off);
	return text;
}

/* "Left out: --except=MPI_Test. " */
static char *masked(struct gaspdb_report *r)
{
	char *only = gaspdb_remarks_values(r->db, "only");
	char *except = gaspdb_remarks_values(r->db, "except");
	char *filter = gaspdb_remarks_values(r->db, "filter");
	char *text =
		gaspdb_database_integer(
			r->db, "SELECT sum(masked) FROM recording", 0) > 0
			? gaspdb_text_format(
				  "Left out:%s%s%s%s%s%s. ",
				  *only ? " what is not --only=" : "", only,
				  *except ? " --except=" : "", except,
				  *filter ? " --filter=" : "", filter)
			: gaspdb_text_copy("", 0);

	free(filter);
	free(except);
	free(only);
	return text;
}

/* "Data complete." */
static char *data(struct gaspdb_report *r)
{
	char *threads = gaspdb_remarks_threads(r->db);
	char *losses = gaspdb_remarks_defects(r->db, "loss");
	char *warnings = gaspdb_remarks_defects(r->db, "warning");
	const bool lost = *threads || *losses;
	char *text = gaspdb_text_format(
		"%s%s%s%s%s.", lost ? "Data incomplete: " : "Data complete",
		*threads ? threads : losses,
		*warnings && lost ? ". Figures"
		: *warnings	  ? ", but figures"
				  : "",
		*warnings ? " may be affected: " : "", warnings);

	free(warnings);
	free(losses);
	free(threads);
	return text;
}

char *gaspdb_facts_limits(struct gaspdb_report *r)
{
	char *processors = without_processor(r), *left_out = masked(r);
	char *unseen = gaspdb_report_unseen_briefly(r), *whole = data(r);
	char *off = switched_off(r);
	char *text = gaspdb_text_format("%s%s%s%s%s", processors, unseen,
					left_out, off, whole);

	free(off);
	free(whole);
	free(unseen);
	free(left_out);
	free(processors);
	return text;
}
