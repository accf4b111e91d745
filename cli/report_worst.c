/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report: what costs most, whose doing it is, and what to try. */
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "report.h"
#include "text.h"

enum { INDENT = 5 };

/* One finding, as its row has it; texts "" where there is none. */
struct finding {
	const char *kind, *operation, *location;
	const char *waiting_operation, *waiting_location;
	const char *pattern, *reason, *because, *because_location, *object,
		*meaning, *advice, *holds_when, *effects, *more;
	/* -1: none */
	int64_t lost_ns, on_path_ns, at_most, equal_share_ns, cases, longest_ns,
		saving_ns, thread, threads, excess_ns, number;
	double share, on_path_share, thread_share, reason_share;
	char name[64]; /* the thread's */
};

static double real(sqlite3_stmt *stmt, const char *name)
{
	int i = gaspdb_report_find_column(stmt, name);

	return i < 0 ? 0 : sqlite3_column_double(stmt, i);
}

static void read_finding(sqlite3_stmt *stmt, struct finding *f)
{
	*f = (struct finding){
		.kind = gaspdb_report_text(stmt, "kind"),
		.operation = gaspdb_report_text(stmt, "operation"),
		.location = gaspdb_report_text(stmt, "location"),
		.waiting_operation =
			gaspdb_report_text(stmt, "waiting_operation"),
		.waiting_location =
			gaspdb_report_text(stmt, "waiting_location"),
		.pattern = gaspdb_report_text(stmt, "pattern"),
		.reason = gaspdb_report_text(stmt, "reason"),
		.because = gaspdb_report_text(stmt, "because"),
		.because_location =
			gaspdb_report_text(stmt, "because_location"),
		.object = gaspdb_report_text(stmt, "object"),
		.meaning = gaspdb_report_text(stmt, "meaning"),
		.advice = gaspdb_report_text(stmt, "advice"),
		.holds_when = gaspdb_report_text(stmt, "holds_when"),
		.effects = gaspdb_report_text(stmt, "effects"),
		.more = gaspdb_report_text(stmt, "more"),
		.lost_ns = gaspdb_report_integer(stmt, "lost_ns"),
		.on_path_ns = gaspdb_report_integer(stmt, "on_path_ns"),
		.at_most = gaspdb_report_integer(stmt, "at_most"),
		.equal_share_ns = gaspdb_report_integer(stmt, "equal_share_ns"),
		.cases = gaspdb_report_integer(stmt, "cases"),
		.longest_ns = gaspdb_report_integer(stmt, "longest_ns"),
		.saving_ns = gaspdb_report_integer(stmt, "saving_ns"),
		.thread = gaspdb_report_integer(stmt, "thread"),
		.threads = gaspdb_report_integer(stmt, "threads"),
		.excess_ns = gaspdb_report_integer(stmt, "excess_ns"),
		.number = gaspdb_report_integer(stmt, "number"),
		.share = real(stmt, "share"),
		.on_path_share = real(stmt, "on_path_share"),
		.thread_share = real(stmt, "thread_share"),
		.reason_share = real(stmt, "reason_share"),
	};
}

/* "thread 3"; "thread 3 of rank 1", where processes have several. */
static void name_thread(const struct gaspdb_report *r, struct finding *f)
{
	const int n = snprintf(f->name, sizeof f->name, "thread %lld",
			       (long long)f->thread);
	char *query, *rank;

	if (r->n_processes == r->n_threads)
		return;
	query = gaspdb_text_format(
		"SELECT ' of rank ' || rank FROM thread WHERE id = %lld",
		(long long)f->thread);
	rank = gaspdb_database_text(r->db, query);
	snprintf(f->name + n, sizeof f->name - (size_t)n, "%s", rank);
	free(rank);
	free(query);
}

/* " at a.c:10 (MPI_Recv)" */
static char *place(const char *location, const char *operation)
{
	if (!*location)
		return gaspdb_text_format("%s%s", *operation ? " in " : "",
					  operation);
	return gaspdb_text_format(" at %s%s%s%s", location,
				  *operation ? " (" : "", operation,
				  *operation ? ")" : "");
}

static void print_line(struct gaspdb_report *r, char *line)
{
	fprintf(r->out, "%*s", INDENT, "");
	gaspdb_report_wrap(r->out, line, INDENT, INDENT + 2);
	free(line);
}

/* A copy in which times ("38055200 ns") are as people read them. */
static char *times_in_words(const char *s)
{
	char *words = gaspdb_text_copy("", 0);

	while (*s) {
		char time[GASPDB_HUMAN_BYTES];
		size_t before = strcspn(s, "0123456789");
		size_t digits = strspn(s + before, "0123456789");
		bool is_time = digits && digits < 19 &&
			       !strncmp(s + before + digits, " ns", 3);
		if (is_time)
			gaspdb_human_time(time, atoll(s + before));
		char *longer = gaspdb_text_format(
			"%s%.*s%s", words,
			(int)(is_time ? before : before + digits), s,
			is_time ? time : "");
		free(words);
		words = longer;
		s += before + digits + (is_time ? 3 : 0);
	}
	return words;
}

static bool is_wait(const struct finding *f)
{
	return *f->waiting_operation || *f->waiting_location;
}

static bool is_imbalance(const struct finding *f)
{
	return f->excess_ns >= 0;
}

/* "1. late sender at a.c:10 (MPI_Recv)", "1. imbalance: computation between
   a.c:20 and a.c:10" */
static void print_head(struct gaspdb_report *r, const struct finding *f, int i)
{
	char *where = is_imbalance(f) ? gaspdb_text_format(": %s", f->reason)
		      : is_wait(f)
			      ? place(f->waiting_location, f->waiting_operation)
			      : place(f->location, f->operation);
	char *line = gaspdb_text_format("%s%s", f->kind, where);

	fprintf(r->out, "  %d. ", i);
	gaspdb_report_wrap(r->out, line, 5, INDENT + 2);
	free(line);
	free(where);
}

/* ", in 24 waits of up to 84 ms" */
static char *waits(const struct finding *f)
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
static char *saving(const struct finding *f)
{
	char time[GASPDB_HUMAN_BYTES];

	if (f->saving_ns >= f->lost_ns)
		return gaspdb_text_format("; all of that could be saved");
	return gaspdb_text_format("; about %s of that could be saved",
				  gaspdb_human_time(time, f->saving_ns));
}

/* "1.2 s lost, 12 % of all threads' time, in 24 waits of up to 84 ms"; where
   less can be saved than is spent, "takes 1.2 s, 12 % of all threads' time" */
static void print_loss(struct gaspdb_report *r, const struct finding *f)
{
	char lost[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	const bool known = f->saving_ns >= 0;
	char *detail = known ? saving(f) : waits(f);

	print_line(r,
		   gaspdb_text_format("%s%s%s, %s of all threads' time%s",
				      known ? "takes " : "",
				      gaspdb_human_time(lost, f->lost_ns),
				      known ? "" : " lost",
				      gaspdb_human_share(share, f->share, 100),
				      detail));
	free(detail);
}

/* ", about 0.4 s with equal shares of the work" */
static char *equal_share(const struct finding *f)
{
	char time[GASPDB_HUMAN_BYTES];

	if (f->equal_share_ns < 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		", about %s with equal shares of the work for all",
		gaspdb_human_time(time, f->equal_share_ns));
}

/* "the run can get at most 0.7 s (20 %) shorter" */
static void print_path(struct gaspdb_report *r, const struct finding *f)
{
	char time[GASPDB_HUMAN_BYTES], share[GASPDB_HUMAN_BYTES];
	char *equal;

	if (f->on_path_ns < 0)
		return;
	if (f->on_path_ns == 0) {
		print_line(r, gaspdb_text_format(
				      "the run would take as long without it"));
		return;
	}
	equal = equal_share(f);
	print_line(r, gaspdb_text_format(
			      "the run can get %s %s (%s) shorter%s",
			      f->at_most == 1 ? "at most" : "about",
			      gaspdb_human_time(time, f->on_path_ns),
			      gaspdb_human_share(share, f->on_path_share, 100),
			      equal));
	free(equal);
}

/* Nobody much more than the mean. */
static bool alike(const struct finding *f)
{
	return f->thread_share * (double)f->threads <= 110;
}

/* ", most thread 3 (60 % of it)" */
static char *mostly(const struct finding *f)
{
	char share[GASPDB_HUMAN_BYTES];

	if (alike(f))
		return gaspdb_text_format(" alike");
	return gaspdb_text_format(
		", most %s (%s of it)", f->name,
		gaspdb_human_share(share, f->thread_share, 100));
}

/* "thread 3 is waited for (100 % of it)" */
static char *waited_for(const struct finding *f)
{
	char share[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	char *most, *line;

	if (!strcmp(f->pattern, "always"))
		return gaspdb_text_format(
			"%s is waited for (%s of it)", f->name,
			gaspdb_human_share(share, f->thread_share, 100));
	most = mostly(f);
	line = gaspdb_text_format("%s threads are waited for%s",
				  gaspdb_human_count(count, f->threads), most);
	free(most);
	return line;
}

/* And ", for its call at b.c:20 (MPI_Send)" */
static void print_waited_for(struct gaspdb_report *r, const struct finding *f)
{
	const bool always = !strcmp(f->pattern, "always");
	const bool elsewhere = strcmp(f->location, f->waiting_location) ||
			       strcmp(f->operation, f->waiting_operation);
	char *where = elsewhere ? place(f->location, f->operation)
				: gaspdb_text_copy("", 0);
	char *who = waited_for(f);
	const char *call = always ? ", for its call" : ", for their calls";

	print_line(r, gaspdb_text_format("%s%s%s", who, *where ? call : "",
					 where));
	free(who);
	free(where);
}

/* "4 threads do it, most thread 3 (60 % of it)" */
static void print_doers(struct gaspdb_report *r, const struct finding *f)
{
	char count[GASPDB_HUMAN_BYTES];
	/* Who sees a word late is not the one to blame. */
	bool waiting = strcmp(f->kind, "slow delivery") == 0;
	char *most = mostly(f);

	if (f->threads <= 1)
		print_line(r,
			   gaspdb_text_format("%s %s", f->name,
					      waiting ? "waits" : "does it"));
	else
		print_line(r, gaspdb_text_format(
				      "%s threads %s%s",
				      gaspdb_human_count(count, f->threads),
				      waiting ? "wait" : "do it", most));
	free(most);
}

/* "thread 1 computes 18.3 s more there than the threads' mean" */
static void print_excess(struct gaspdb_report *r, const struct finding *f)
{
	char time[GASPDB_HUMAN_BYTES];

	print_line(r, gaspdb_text_format(
			      "%s computes %s more there than the threads' "
			      "mean",
			      f->name, gaspdb_human_time(time, f->excess_ns)));
}

static void print_blame(struct gaspdb_report *r, const struct finding *f)
{
	char share[GASPDB_HUMAN_BYTES];

	if (is_imbalance(f)) {
		print_excess(r, f);
	} else if (f->thread < 0) {
		if (is_wait(f) && strcmp(f->kind, "lock hand-over"))
			print_line(r, gaspdb_text_format(
					      "who is waited for is not "
					      "known"));
	} else if (!strcmp(f->kind, "hot owner")) {
		print_line(r, gaspdb_text_format(
				      "%s owns what they access (%s)", f->name,
				      gaspdb_human_share(share, f->thread_share,
							 100)));
	} else if (is_wait(f)) {
		print_waited_for(r, f);
	} else {
		print_doers(r, f);
	}
}

/* Before a reason that is none: of the kinds that a thread comes late to, what
   it did since they last synchronized was looked at. */
static const char *not_explained(const struct finding *f)
{
	return strcmp(f->kind, "barrier") && strcmp(f->kind, "all-to-all")
		       ? "why is not explained"
		       : "nothing that it did since they last synchronized "
			 "explains it";
}

/* "because: computation between ... (87 % of that)" */
static void print_reason(struct gaspdb_report *r, const struct finding *f)
{
	const bool known = strcmp(f->reason, "not explained") != 0;
	char share[GASPDB_HUMAN_BYTES];

	if (*f->reason && f->reason_share > 0)
		print_line(r, gaspdb_text_format(
				      "%s%s (%s of that)%s%s%s%s",
				      known ? "because: " : "",
				      known ? f->reason : not_explained(f),
				      gaspdb_human_share(share, f->reason_share,
							 100),
				      *f->because ? ", see: " : "", f->because,
				      *f->because_location ? " at " : "",
				      f->because_location));
	else if (*f->reason)
		print_line(r, times_in_words(f->reason));
}

static void print_effects(struct gaspdb_report *r, const struct finding *f)
{
	char *effects = times_in_words(f->effects);

	print_line(r, gaspdb_text_format("%s: %s",
					 is_imbalance(f) ? "the waiting"
							 : "leads to",
					 effects));
	free(effects);
}

static void print_finding(struct gaspdb_report *r, const struct finding *f,
			  int i)
{
	print_head(r, f, i);
	if (*f->meaning)
		print_line(r, gaspdb_text_format("%s", f->meaning));
	print_loss(r, f);
	print_path(r, f);
	if (*f->object)
		print_line(r, gaspdb_text_format("the lock is %s", f->object));
	print_blame(r, f);
	if (!is_imbalance(f))
		print_reason(r, f);
	if (*f->effects)
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
	static const char text[] =
		"Threads of one process wait for each other where nothing is "
		"recorded (pthread_join, OpenMP), so how much shorter the run "
		"can get is not known; what lost most comes first";

	return r->n_processes == r->n_threads
		       ? NULL
		       : gaspdb_text_copy(text, sizeof text - 1);
}

static void print_nothing(struct gaspdb_report *r,
			  const struct gaspdb_report_section *section)
{
	gaspdb_report_title(r, section->title);
	fputs("  ", r->out);
	gaspdb_report_wrap(
		r->out,
		gaspdb_report_sees_all(r)
			? "Nothing is found that takes 1 % of all threads' "
			  "time or of the run: no costly access, and no "
			  "waiting that is known (of tests it is not). What "
			  "takes the time follows."
			: "Nothing is found that takes 1 % of all threads' "
			  "time or of the run in what was seen, which is not "
			  "all. What takes the time follows.",
		2, 2);
	gaspdb_report_unseen(r, section->unseen);
}

bool gaspdb_report_worst(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section)
{
	sqlite3_stmt *stmt = gaspdb_report_query(
		r, section->analysis, section->params, section->rows);
	struct finding f;
	int n = 0, rc = SQLITE_ERROR;

	while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		read_finding(stmt, &f);
		if (f.number < 0) /* effects come last */
			break;
		if (n++ == 0)
			gaspdb_report_head(r, section, NULL);
		name_thread(r, &f);
		print_finding(r, &f, n);
	}
	sqlite3_finalize(stmt);
	if (n)
		gaspdb_report_more(r, section);
	else if (rc == SQLITE_DONE)
		print_nothing(r, section);
	return n || rc == SQLITE_DONE;
}
