/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: the costliest findings, who causes them, and what to try. For
   findings in the summary (verdict.c) only the rest. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/report.h"
#include "cli/report/verdict.h"

enum { INDENT = 5 };

static void print_line(struct gaspdb_report *r, char *line)
{
	fprintf(r->out, "%*s", INDENT, "");
	gaspdb_report_wrap(r->out, line, INDENT, INDENT + 2);
	free(line);
}

/* " at a.c:10 (MPI_Recv)", ": computation after a.c:20, before the next :10"
 */
static char *where(const struct gaspdb_finding *f)
{
	if (gaspdb_finding_is_imbalance(f))
		return gaspdb_text_format(": %s", f->reason);
	if (gaspdb_finding_is_wait(f))
		return gaspdb_finding_waiting_place(f);
	return gaspdb_finding_place(f);
}

/* Prints "1. late sender at a.c:10 (MPI_Recv)"; in_summary: "1. late sender: a
   receiver waits for ...". */
static void print_head(struct gaspdb_report *r, const struct gaspdb_finding *f,
		       size_t i, bool in_summary)
{
	/* the summary has an imbalance's meaning */
	const bool means = *f->meaning && !gaspdb_finding_is_imbalance(f);
	char *place = where(f);
	char *line = in_summary ? gaspdb_text_format("%s%s%s", f->kind,
						     means ? ": " : "",
						     means ? f->meaning : "")
				: gaspdb_text_format("%s%s", f->kind, place);
	const int n = fprintf(r->out, "  %zu. ", i);

	gaspdb_report_wrap(r->out, line, n, INDENT + 2);
	if (*f->meaning && !in_summary)
		print_line(r, gaspdb_text_format("%s", f->meaning));
	free(line);
	free(place);
}

/* ", in 24 waits of up to 84 ms" */
static char *waits(const struct gaspdb_finding *f)
{
	char cases[GASPDB_HUMAN_BYTES], longest[GASPDB_HUMAN_BYTES];

	if (f->longest_ns < 0 || f->cases < 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		", in %s %s of up to %s", gaspdb_human_count(cases, f->cases),
		gaspdb_human_plural(f->cases, "wait", "waits"),
		gaspdb_human_time(longest, f->longest_ns));
}

/* "; about 1.1 s of that could be saved" */
static char *saving(const struct gaspdb_finding *f)
{
	char time[GASPDB_HUMAN_BYTES];

	if (f->saving_ns >= f->lost_ns)
		return gaspdb_text_format("; all of that could be saved");
	return gaspdb_text_format("; about %s of that could be saved",
				  gaspdb_human_time(time, f->saving_ns));
}

/* "1.2 s +- 3 us lost, 12 % of all ranks' time, in 24 waits of up to 84 ms"; where
   less can be saved than is spent, "takes 1.2 s, 12 % of all ranks' time" */
static void print_loss(struct gaspdb_report *r, const struct gaspdb_finding *f,
		       bool in_summary)
{
	char lost[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	const bool known = f->saving_ns >= 0;
	char *detail = known ? saving(f) : waits(f);
	char *off = gaspdb_finding_error(f->error_ns);
	char *time = in_summary ? gaspdb_text_copy("", 0)
				: gaspdb_text_format(
					  "%s%s%s%s, ", known ? "takes " : "",
					  gaspdb_human_time(lost, f->lost_ns),
					  off, known ? "" : " lost");

	print_line(r,
		   gaspdb_text_format("%s%s of all %s' time%s", time,
				      gaspdb_human_share(share, f->share, 100),
				      r->words.threads, detail));
	free(time);
	free(off);
	free(detail);
}

/* ", about 0.4 s with equal shares of the work" */
static char *equal_share(const struct gaspdb_finding *f)
{
	char time[GASPDB_HUMAN_BYTES];

	if (f->equal_share_ns < 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		", about %s with equal shares of the work for all",
		gaspdb_human_time(time, f->equal_share_ns));
}

/* "fixing this saves at most 0.7 s +- 3 us (20 %) of the run" */
static void print_path(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char time[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	char *equal, *off;

	if (f->on_path_ns < 0)
		return;
	if (f->on_path_ns == 0) {
		print_line(r, gaspdb_text_format(
				      "removing it would not shorten the run"));
		return;
	}
	equal = equal_share(f);
	off = gaspdb_finding_error(f->on_path_error_ns);
	print_line(r, gaspdb_text_format(
			      "fixing this saves %s %s%s (%s) of the run%s",
			      f->at_most == 1 ? "at most" : "about",
			      gaspdb_human_time(time, f->on_path_ns), off,
			      gaspdb_human_share(share, f->on_path_share, 100),
			      equal));
	free(off);
	free(equal);
}

/* " equally", ", rank 3 most (60 %)" */
static char *mostly(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES];
	char *name, *text;

	if (gaspdb_finding_is_alike(f))
		return gaspdb_text_format(" equally");
	name = gaspdb_report_thread(r, f->thread);
	text = gaspdb_text_format(
		", %s most (%s)", name,
		gaspdb_human_share(share, f->thread_share, 100));
	free(name);
	return text;
}

/* "all", "60 %" */
static const char *part(char share[GASPDB_HUMAN_BYTES], double percent)
{
	gaspdb_human_share(share, percent, 100);
	return strcmp(share, "100 %") ? share : "all";
}

/* "rank 3 causes 60 % of this waiting", "2 ranks cause it equally" */
static char *causer(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	char *who, *line;

	if (!strcmp(f->pattern, "always")) {
		who = gaspdb_report_thread(r, f->thread);
		line = gaspdb_text_format("%s causes %s of this waiting", who,
					  part(share, f->thread_share));
	} else {
		who = mostly(r, f);
		line = gaspdb_text_format("%s %s cause it%s",
					  gaspdb_human_count(count, f->threads),
					  r->words.threads, who);
	}
	free(who);
	return line;
}

/* Prints the causer, and ", by its call at b.c:20 (MPI_Send)". */
static void print_causer(struct gaspdb_report *r,
			 const struct gaspdb_finding *f)
{
	const bool always = !strcmp(f->pattern, "always");
	char *place = gaspdb_finding_is_elsewhere(f) ? gaspdb_finding_place(f)
						     : gaspdb_text_copy("", 0);
	char *who = causer(r, f);
	const char *call = always ? ", by its call" : ", by their calls";

	print_line(r, gaspdb_text_format("%s%s%s", who, *place ? call : "",
					 place));
	free(who);
	free(place);
}

/* "4 ranks do it, rank 3 most (60 %)" */
static void print_doers(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char count[GASPDB_HUMAN_BYTES];
	/* the thread that sees a word late is not to blame */
	const bool waiting = strcmp(f->kind, "slow delivery") == 0;
	char *who;

	if (f->threads <= 1) {
		who = gaspdb_report_thread(r, f->thread);
		print_line(r,
			   gaspdb_text_format("%s %s", who,
					      waiting ? "waits" : "does it"));
	} else {
		who = mostly(r, f);
		print_line(r, gaspdb_text_format(
				      "%s %s %s%s",
				      gaspdb_human_count(count, f->threads),
				      r->words.threads,
				      waiting ? "wait" : "do it", who));
	}
	free(who);
}

/* "rank 1 computes 18.3 s more there than the ranks' mean" */
static void print_excess(struct gaspdb_report *r,
			 const struct gaspdb_finding *f)
{
	char time[GASPDB_HUMAN_BYTES];
	char *who = gaspdb_report_thread(r, f->thread);

	print_line(r, gaspdb_text_format(
			      "%s computes %s more there than the %s' mean",
			      who, gaspdb_human_time(time, f->excess_ns),
			      r->words.threads));
	free(who);
}

/* "rank 2 owns what they access (60 %)" */
static void print_owner(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES];
	char *who = gaspdb_report_thread(r, f->thread);

	print_line(r, gaspdb_text_format(
			      "%s owns what they access (%s)", who,
			      gaspdb_human_share(share, f->thread_share, 100)));
	free(who);
}

static void print_blame(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	if (gaspdb_finding_is_imbalance(f)) {
		print_excess(r, f);
	} else if (f->thread < 0) {
		if (gaspdb_finding_is_wait(f) &&
		    strcmp(f->kind, "lock hand-over"))
			print_line(r, gaspdb_text_format(
					      "who is waited for is not "
					      "known"));
	} else if (!strcmp(f->kind, "hot owner")) {
		print_owner(r, f);
	} else if (gaspdb_finding_is_wait(f)) {
		print_causer(r, f);
	} else {
		print_doers(r, f);
	}
}

/* "because: computation after a.c:1, before the next :9 (87 % of that)", "87 %
   of it is unexplained" */
static void print_reason(struct gaspdb_report *r,
			 const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES];
	char *caller = gaspdb_finding_reason_caller(f);

	gaspdb_human_share(share, f->reason_share, 100);
	if (*f->reason && f->reason_share <= 0)
		print_line(r, gaspdb_finding_times(f->reason));
	else if (!strcmp(f->reason, "not explained"))
		print_line(r, gaspdb_text_format("%s of it is unexplained",
						 share));
	else if (*f->reason)
		print_line(r, gaspdb_text_format(
				      "because: %s (%s of that)%s%s%s%s%s",
				      f->reason, share, caller,
				      *f->because ? ", see: " : "", f->because,
				      *f->because_location ? " at " : "",
				      f->because_location));
	free(caller);
}

/* "most of it in sum(), called by solve() (60 % of the waiting)" */
static void print_functions(struct gaspdb_report *r,
			    const struct gaspdb_finding *f)
{
	char *functions = gaspdb_finding_functions(f);

	if (*functions)
		print_line(r, gaspdb_text_format("most of it%s", functions));
	free(functions);
}

static void print_effects(struct gaspdb_report *r,
			  const struct gaspdb_finding *f)
{
	char *effects = gaspdb_finding_times(f->effects);

	print_line(r, gaspdb_text_format("%s: %s",
					 gaspdb_finding_is_imbalance(f)
						 ? "the waiting"
						 : "leads to",
					 effects));
	free(effects);
	if (gaspdb_finding_is_imbalance(f))
		print_functions(r, f);
}

/* Does one imbalance delay one call? Then the summary has all of it. */
static bool is_one_effect(const struct gaspdb_finding *f)
{
	return gaspdb_finding_is_imbalance(f) && !strchr(f->effects, ';');
}

/* Prints what the summary does not have. */
static void print_rest(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	const bool imbalance = gaspdb_finding_is_imbalance(f);

	print_loss(r, f, true);
	if (*f->object)
		print_line(r, gaspdb_text_format("the lock is %s", f->object));
	if (!imbalance && !gaspdb_finding_is_wait(f))
		print_blame(r, f);
	if (!imbalance && f->reason_share <= 0 && *f->reason)
		print_line(r, gaspdb_finding_times(f->reason));
	if (*f->because)
		print_line(r, gaspdb_text_format(
				      "the reason has a finding of its own: "
				      "%s%s%s",
				      f->because,
				      *f->because_location ? " at " : "",
				      f->because_location));
}

static void print_whole(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	print_loss(r, f, false);
	print_path(r, f);
	if (*f->object)
		print_line(r, gaspdb_text_format("the lock is %s", f->object));
	print_blame(r, f);
	if (!gaspdb_finding_is_imbalance(f))
		print_reason(r, f);
}

static void print_finding(struct gaspdb_report *r,
			  const struct gaspdb_finding *f, size_t i,
			  bool in_summary)
{
	print_head(r, f, i, in_summary);
	if (in_summary)
		print_rest(r, f);
	else
		print_whole(r, f);
	if (*f->effects && !(in_summary && is_one_effect(f)))
		print_effects(r, f);
	if (*f->advice)
		print_line(r, gaspdb_text_format("try: %s", f->advice));
	if (*f->holds_when)
		print_line(r, gaspdb_text_format("only if: %s", f->holds_when));
	if (*f->more)
		print_line(r, gaspdb_text_format("see: gaspdb analyze %s %s",
						 f->more, r->file));
}

char *gaspdb_report_unseen_waits(struct gaspdb_report *r)
{
	return r->n_processes == r->n_threads
		       ? NULL
		       : gaspdb_text_format(
				 "Threads of one %s wait for each other where "
				 "nothing is recorded (pthread_join, OpenMP), "
				 "so how much shorter the run can get is not "
				 "known; what lost most comes first",
				 r->words.process);
}

static bool print_nothing(struct gaspdb_report *r,
			  const struct gaspdb_report_section *section)
{
	char *sentence = gaspdb_verdict_nothing(r);

	gaspdb_report_title(r, section->title);
	fputs("  ", r->out);
	gaspdb_report_wrap(r->out, sentence, 2, 2);
	gaspdb_report_unseen_print(r, section->unseen);
	free(sentence);
	return true;
}

bool gaspdb_report_worst(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section)
{
	const struct gaspdb_findings *all = gaspdb_report_findings(r);
	const size_t most = (size_t)section->rows;

	if (!all->good || (!all->n_leads && r->has_top))
		return false;
	if (!all->n_leads)
		return print_nothing(r, section);
	gaspdb_report_head(r, section, NULL);
	for (size_t i = 0; i < all->n_leads && i < most; i++)
		print_finding(r, &all->list[i], i + 1, i < r->n_in_summary);
	gaspdb_report_more(r, section);
	return true;
}
