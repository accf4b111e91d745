/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report's remarks on what is not recorded, beside the figures that lack
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/report/report.h"
#include "cli/output/text.h"

/* The kinds of calls in "RUNTIME: KINDS are not told; ..."; NULL: it names
   none. */
static char *kinds_of(const char *limits)
{
	const char *from = limits ? strstr(limits, ": ") : NULL;
	const char *until = from ? strstr(from, " are not told") : NULL;

	return until ? gaspdb_text_safe(from + 2, (size_t)(until - from - 2))
		     : NULL;
}

static char *untold_kinds(struct gaspdb_report *r)
{
	char *limits = gaspdb_database_text(
		r->db, "SELECT detail FROM quality "
		       "WHERE kind = 'limits of the runtime' "
		       "ORDER BY id LIMIT 1");
	char *kinds = kinds_of(limits);

	free(limits);
	return kinds;
}

static char *unseen_calls(const char *kinds)
{
	return kinds ? gaspdb_text_format(
			       "Not recorded by this UPC runtime, and "
			       "computation in these figures if the program "
			       "calls them: %s. Waiting in them is not known.",
			       kinds)
		     : NULL;
}

/* What the logs say that they lack, of processes alike
   once. */
static char *unseen_by_logs(struct gaspdb_report *r)
{
	char *details = gaspdb_database_text(
		r->db, "SELECT group_concat(detail, '. ') FROM (SELECT "
		       "max(detail) AS detail FROM quality "
		       "WHERE kind = 'calls not seen' "
		       "GROUP BY ltrim(detail, '0123456789') "
		       "ORDER BY count(*) DESC, detail LIMIT 3)");
	char *sentence = NULL;

	if (details && *details)
		sentence = gaspdb_text_format("Not recorded: %s.", details);
	free(details);
	return sentence;
}

static char *unknown_owners(struct gaspdb_report *r)
{
	char count[GASPDB_HUMAN_BYTES], time[GASPDB_HUMAN_BYTES];
	const int64_t n = gaspdb_database_integer(
		r->db, "SELECT sum(calls) FROM access_line WHERE remote = 2",
		0);
	const int64_t ns = gaspdb_database_integer(
		r->db, "SELECT sum(time_ns) FROM access_line WHERE remote = 2",
		0);

	if (n <= 0)
		return NULL;
	return gaspdb_text_format(
		"Not judged: %s %s (%s) to shared memory whose owner is not "
		"known. Their cost needs the upcalls (docs/upc.md).",
		gaspdb_human_count(count, n),
		gaspdb_human_plural(n, "access", "accesses"),
		gaspdb_human_time(time, ns));
}

/* Read once: several sections ask. */
static const struct gaspdb_unseen *unseen(struct gaspdb_report *r)
{
	struct gaspdb_unseen *u = &r->unseen;

	if (u->was_read)
		return u;
	u->was_read = true;
	u->kinds = untold_kinds(r);
	u->calls = unseen_calls(u->kinds);
	u->logs = unseen_by_logs(r);
	u->owners = unknown_owners(r);
	return u;
}

void gaspdb_report_unseen_free(struct gaspdb_report *r)
{
	free(r->unseen.kinds);
	free(r->unseen.calls);
	free(r->unseen.logs);
	free(r->unseen.owners);
}

size_t gaspdb_report_unseen(struct gaspdb_report *r, unsigned what,
			    const char *sentences[GASPDB_UNSEEN_SENTENCES])
{
	const struct gaspdb_unseen *u = unseen(r);
	size_t n = 0;

	if (what & GASPDB_UNSEEN_CALLS && u->calls)
		sentences[n++] = u->calls;
	if (what & GASPDB_UNSEEN_CALLS && u->logs)
		sentences[n++] = u->logs;
	if (what & GASPDB_UNSEEN_OWNERS && u->owners)
		sentences[n++] = u->owners;
	return n;
}

void gaspdb_report_unseen_print(struct gaspdb_report *r, unsigned what)
{
	const char *sentences[GASPDB_UNSEEN_SENTENCES];
	const size_t n = gaspdb_report_unseen(r, what, sentences);

	for (size_t i = 0; i < n; i++) {
		fputs("  ", r->out);
		gaspdb_report_wrap(r->out, sentences[i], 2, 2);
	}
}

char *gaspdb_report_unseen_briefly(struct gaspdb_report *r)
{
	const struct gaspdb_unseen *u = unseen(r);

	return gaspdb_text_format("%s%s%s%s%s",
				  u->kinds ? "Not recorded by this UPC "
					     "runtime: "
					   : "",
				  u->kinds ? u->kinds : "",
				  u->kinds ? ". " : "", u->logs ? u->logs : "",
				  u->logs ? " " : "");
}

bool gaspdb_report_sees_all(struct gaspdb_report *r)
{
	const struct gaspdb_unseen *u = unseen(r);

	return !u->calls && !u->logs && !u->owners;
}
