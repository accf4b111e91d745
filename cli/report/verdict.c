/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: the summary, with the run's facts, the costliest findings and what
   fixing them saves, and the limits of the data. */
#include "cli/report/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/facts.h"
#include "cli/report/report.h"

enum { INDENT = 2, CAUSE = 5 };

/* " in update(), after a.c:1, before the next :9" of "computation in update()
 * ..." */
static const char *computed_where(const struct gaspdb_finding *f)
{
	static const char word[] = "computation";
	const size_t n = sizeof word - 1;

	return strncmp(f->reason, word, n) ? "" : f->reason + n;
}

/* Length of the file's name in "a.c:10". */
static size_t file_length(const char *location)
{
	const char *colon = strrchr(location, ':');

	return colon ? (size_t)(colon - location) : 0;
}

/* Place of an effect in a list; only the line if in the same file as the last.
   With call stacks its functions follow. */
static char *next_place(const struct gaspdb_finding *e, const char *last)
{
	const size_t n = file_length(e->waiting_location);
	const bool same = n && n == file_length(last) &&
			  !strncmp(last, e->waiting_location, n);

	char *functions = gaspdb_finding_functions(e);
	char *text = gaspdb_text_format("%s%s (%s)%s", *last ? ", " : " at ",
					e->waiting_location + (same ? n : 0),
					e->waiting_operation, functions);

	free(functions);
	return text;
}

/* Places of the effects of an imbalance: " at a.c:10 (MPI_Recv), :41
   (MPI_Allreduce) and elsewhere". */
static char *places(const struct gaspdb_findings *all,
		    const struct gaspdb_finding *f)
{
	enum { MOST = 3 };
	const char *last = "";
	char *list = gaspdb_text_copy("", 0);
	int n = 0;

	for (size_t i = all->n_leads; i < all->n && n <= MOST; i++) {
		const struct gaspdb_finding *e = &all->list[i];

		if (e->effect_of != f->number || !*e->waiting_location)
			continue;
		char *place = n++ < MOST ? next_place(e, last)
					 : gaspdb_text_format(" and elsewhere");
		char *longer = gaspdb_text_format("%s%s", list, place);
		free(place);
		free(list);
		list = longer;
		last = e->waiting_location;
	}
	return list;
}

/* "rank 1 computes 18.3 s more than the mean in update(); the others wait 23.1
   s for it at a.c:30 (MPI_Recv)" */
static char *imbalance(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char excess[GASPDB_HUMAN_BYTES], lost[GASPDB_HUMAN_BYTES];
	char *who = gaspdb_report_thread(r, f->thread);
	char *at = places(gaspdb_report_findings(r), f);
	char *caller = gaspdb_finding_reason_caller(f);
	char *text = gaspdb_text_format(
		"%s computes %s more than the mean%s%s; the others wait %s for "
		"it%s",
		who, gaspdb_human_time(excess, f->excess_ns), computed_where(f),
		caller, gaspdb_human_time(lost, f->lost_ns), at);

	free(caller);
	free(at);
	free(who);
	return text;
}

/* "; reason: computation after a.c:1, before the next :9 (75.0 %)" */
static char *reason(const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES], *caller, *text;

	if (!*f->reason || f->reason_share <= 0)
		return gaspdb_text_copy("", 0);
	if (!strcmp(f->reason, "not explained"))
		return gaspdb_text_format("; why is not explained");
	caller = gaspdb_finding_reason_caller(f);
	text = gaspdb_text_format(
		"; reason: %s (%s)%s", f->reason,
		gaspdb_human_share(share, f->reason_share, 100), caller);
	free(caller);
	return text;
}

/* "rank 2 is waited for", "4 ranks are waited for by turns, most rank 1 (60
   %)," */
static char *waited_for(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char count[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	char *who, *text;

	who = gaspdb_report_thread(r, f->thread);
	if (!strcmp(f->pattern, "always"))
		text = gaspdb_text_format("%s is waited for", who);
	else if (gaspdb_finding_is_alike(f))
		text = gaspdb_text_format("%s %s are waited for by turns,",
					  gaspdb_human_count(count, f->threads),
					  r->words.threads);
	else
		text = gaspdb_text_format(
			"%s %s are waited for by turns, most %s (%s),",
			gaspdb_human_count(count, f->threads), r->words.threads,
			who, gaspdb_human_share(share, f->thread_share, 100));
	free(who);
	return text;
}

/* "1.2 s of waiting at a.c:10 (MPI_Barrier), for whom is not known" */
static char *wait_for_unknown(const struct gaspdb_finding *f)
{
	char lost[GASPDB_HUMAN_BYTES];
	char *at = gaspdb_finding_waiting_place(f);
	char *text =
		gaspdb_text_format("%s of waiting%s, for whom is not known",
				   gaspdb_human_time(lost, f->lost_ns), at);

	free(at);
	return text;
}

/* Sentence about a wait: for whom, where, for which call, and why. */
static char *wait(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	char lost[GASPDB_HUMAN_BYTES];
	char *who = waited_for(r, f), *why = reason(f);
	char *at = gaspdb_finding_waiting_place(f);
	char *call = gaspdb_finding_is_elsewhere(f) ? gaspdb_finding_place(f)
						    : gaspdb_text_copy("", 0);
	char *text = gaspdb_text_format(
		"%s %s%s%s%s%s", who, gaspdb_human_time(lost, f->lost_ns), at,
		*call ? ", for the call" : "", call, why);

	free(call);
	free(at);
	free(why);
	free(who);
	return text;
}

/* "fine-grained put at p.c:10 (shmem_p): 1.2 s" */
static char *cost(const struct gaspdb_finding *f)
{
	char lost[GASPDB_HUMAN_BYTES];
	char *at = gaspdb_finding_place(f);
	char *text = gaspdb_text_format("%s%s: %s", f->kind, at,
					gaspdb_human_time(lost, f->lost_ns));

	free(at);
	return text;
}

/* "Fixing it saves at most 1.9 s (19.0 %) of the run; equal shares of the
   work, about 933 ms." */
static char *saves(const struct gaspdb_finding *f)
{
	char time[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	char equal[GASPDB_HUMAN_BYTES];
	char *off, *text;
	const bool shares =
		f->equal_share_ns >= 0 && f->equal_share_ns < f->on_path_ns;

	if (f->on_path_ns < 0 && f->saving_ns < 0)
		return gaspdb_text_copy("", 0);
	if (f->on_path_ns < 0)
		return gaspdb_text_format(
			" About %s of that could be saved.",
			gaspdb_human_time(time, f->saving_ns));
	if (f->on_path_ns == 0)
		return gaspdb_text_format(
			" Removing it would not shorten the run.");
	off = gaspdb_finding_error(f->on_path_error_ns);
	text = gaspdb_text_format(
		" Fixing it saves %s %s%s (%s) of the run%s%s.",
		f->at_most == 1 ? "at most" : "about",
		gaspdb_human_time(time, f->on_path_ns), off,
		gaspdb_human_share(share, f->on_path_share, 100),
		shares ? "; equal shares of the work, about " : "",
		shares ? gaspdb_human_time(equal, f->equal_share_ns) : "");
	free(off);
	return text;
}

static char *sentence(struct gaspdb_report *r, const struct gaspdb_finding *f)
{
	if (gaspdb_finding_is_imbalance(f))
		return imbalance(r, f);
	if (!gaspdb_finding_is_wait(f) || !strcmp(f->kind, "lock hand-over"))
		return cost(f);
	return f->thread < 0 ? wait_for_unknown(f) : wait(r, f);
}

char *gaspdb_verdict_cause(struct gaspdb_report *r,
			   const struct gaspdb_finding *f)
{
	char *what = sentence(r, f);
	char *saved = saves(f);
	char *text = gaspdb_text_format("%s.%s", what, saved);

	free(saved);
	free(what);
	return text;
}

/* Is the finding in the summary? The first always; others if they matter for
   the run's length, or if that is unknown, for all threads' time. */
static bool is_in_summary(const struct gaspdb_finding *f, size_t i)
{
	enum { LEAST = 5 /* % */ };

	if (i == 0)
		return true;
	return (f->on_path_ns < 0 ? f->share : f->on_path_share) >= LEAST;
}

size_t gaspdb_verdict_causes(struct gaspdb_report *r)
{
	enum { MOST = 3 };
	const struct gaspdb_findings *all = gaspdb_report_findings(r);
	size_t n = 0;

	while (n < all->n_leads && n < MOST && is_in_summary(&all->list[n], n))
		n++;
	return n;
}

static void print_causes(struct gaspdb_report *r)
{
	r->n_in_summary = gaspdb_verdict_causes(r);
	for (size_t i = 0; i < r->n_in_summary; i++) {
		char *text = gaspdb_verdict_cause(
			r, &gaspdb_report_findings(r)->list[i]);
		const int n = fprintf(r->out, "  %zu. ", i + 1);
		gaspdb_report_wrap(r->out, text, n, CAUSE);
		free(text);
	}
}

static void print_sentence(struct gaspdb_report *r, char *sentence)
{
	if (*sentence) {
		fprintf(r->out, "%*s", INDENT, "");
		gaspdb_report_wrap(r->out, sentence, INDENT, INDENT);
	}
	free(sentence);
}

char *gaspdb_verdict_nothing(struct gaspdb_report *r)
{
	if (r->is_profile)
		return gaspdb_text_format(
			"Recorded as a profile: the time inside calls is known, "
			"and its spread over %s. Waiting, who causes it and "
			"what it costs need a trace (gaspdb record "
			"--mode=trace). What takes the time follows.",
			r->words.threads);
	if (!gaspdb_report_sees_all(r))
		return gaspdb_text_format(
			"Nothing is found that takes 1 %% of all %s' time or "
			"of the run in what was seen, which is not all. What "
			"takes the time follows.",
			r->words.threads);
	return gaspdb_text_format(
		"Nothing is found that takes 1 %% of all %s' time or of the "
		"run: no costly access, and no known waiting (waiting in test "
		"loops is not measured). What takes the time follows.",
		r->words.threads);
}

/* Prints parts of a line, broken where the next one does not fit. */
static void print_parts(struct gaspdb_report *r, char **parts, size_t n)
{
	enum { GAP = 3 };
	const int page = gaspdb_report_width(r->out);
	int column = INDENT;

	fprintf(r->out, "%*s", INDENT, "");
	for (size_t i = 0; i < n; i++) {
		const int width = (int)gaspdb_text_width(parts[i]);
		const bool first = column == INDENT;

		if (!width)
			continue;
		if (!first && column + GAP + width > page) {
			fprintf(r->out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			column += fprintf(r->out, "%*s", GAP, "");
		}
		fputs(parts[i], r->out);
		column += width;
	}
	putc('\n', r->out);
}

/* "heat2d   4 ranks, MPI (Open MPI 4.1.4), 1 host with 2 processors   23.1 s
   parallel efficiency 41 %" */
static void print_head(struct gaspdb_report *r)
{
	char *parts[] = { gaspdb_facts_program(r), gaspdb_facts_size(r),
			  gaspdb_facts_time(r), gaspdb_facts_efficiency(r) };
	const size_t n = sizeof parts / sizeof *parts;

	print_parts(r, parts, n);
	for (size_t i = 0; i < n; i++)
		free(parts[i]);
}

/* Prints the summary; without causes for a run that hangs, because the next
   section explains it. */
bool gaspdb_report_summary(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section)
{
	const bool hangs = gaspdb_report_is_hung(r);

	(void)section;
	r->has_top = true;
	print_head(r);
	if (!hangs && gaspdb_report_findings(r)->n_leads)
		print_causes(r);
	else if (!hangs && gaspdb_report_findings(r)->good)
		print_sentence(r, gaspdb_verdict_nothing(r));
	print_sentence(r, gaspdb_facts_limits(r));
	return true;
}
