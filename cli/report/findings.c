/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of a run: rows of analysis worst, read once. */
#include "cli/report/findings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/report.h"

static double real(sqlite3_stmt *stmt, const char *name)
{
	int i = gaspdb_report_find_column(stmt, name);

	return i < 0 ? 0 : sqlite3_column_double(stmt, i);
}

static char *text(sqlite3_stmt *stmt, const char *name)
{
	const char *s = gaspdb_report_text(stmt, name);

	return gaspdb_text_copy(s, strlen(s));
}

static void read_finding(sqlite3_stmt *stmt, struct gaspdb_finding *f)
{
#define FIELD(name) f->name = text(stmt, #name);
	GASPDB_FINDING_TEXTS(FIELD)
#undef FIELD
#define FIELD(name) f->name = gaspdb_report_integer(stmt, #name);
	GASPDB_FINDING_INTEGERS(FIELD)
#undef FIELD
#define FIELD(name) f->name = real(stmt, #name);
	GASPDB_FINDING_REALS(FIELD)
#undef FIELD
}

static void free_finding(struct gaspdb_finding *f)
{
#define FIELD(name) free(f->name);
	GASPDB_FINDING_TEXTS(FIELD)
#undef FIELD
}

static void read_findings(struct gaspdb_report *r,
			  struct gaspdb_findings *findings)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, "worst", NULL, -1);
	size_t room = 0;
	int rc = SQLITE_ERROR;

	*findings = (struct gaspdb_findings){ .was_read = true };
	while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (findings->n == room) {
			room = 2 * room + 8;
			findings->list = gaspdb_memory_grow(
				findings->list, room, sizeof *findings->list);
		}
		read_finding(stmt, &findings->list[findings->n]);
		findings->n_leads += findings->list[findings->n++].number >= 0;
	}
	sqlite3_finalize(stmt);
	findings->good = rc == SQLITE_DONE;
}

const struct gaspdb_findings *gaspdb_report_findings(struct gaspdb_report *r)
{
	if (!r->findings.was_read)
		read_findings(r, &r->findings);
	return &r->findings;
}

void gaspdb_findings_free(struct gaspdb_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++)
		free_finding(&findings->list[i]);
	free(findings->list);
}

bool gaspdb_finding_is_wait(const struct gaspdb_finding *f)
{
	return *f->waiting_operation || *f->waiting_location;
}

bool gaspdb_finding_is_imbalance(const struct gaspdb_finding *f)
{
	return f->excess_ns >= 0;
}

bool gaspdb_finding_is_alike(const struct gaspdb_finding *f)
{
	return f->thread_share * (double)f->threads <= 110;
}

bool gaspdb_finding_is_elsewhere(const struct gaspdb_finding *f)
{
	return strcmp(f->location, f->waiting_location) ||
	       strcmp(f->operation, f->waiting_operation);
}

/* " in sum()"; "": not known. A place without a name (module+offset) has no
   parentheses. */
static char *in_function(const char *function)
{
	return gaspdb_text_format("%s%s%s", *function ? " in " : "", function,
				  *function && !strpbrk(function, "(+") ? "()"
									: "");
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

/* Joins two texts and frees them. */
static char *joined(char *a, char *b)
{
	char *text = gaspdb_text_format("%s%s", a, b);

	free(a);
	free(b);
	return text;
}

char *gaspdb_finding_error(int64_t error_ns)
{
	char time[GASPDB_HUMAN_BYTES];

	if (error_ns <= 0)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(" +- %s", gaspdb_human_time(time, error_ns));
}

char *gaspdb_finding_place(const struct gaspdb_finding *f)
{
	return joined(place(f->location, f->operation),
		      in_function(f->function));
}

char *gaspdb_finding_waiting_place(const struct gaspdb_finding *f)
{
	return joined(place(f->waiting_location, f->waiting_operation),
		      gaspdb_finding_functions(f));
}

/* "()" behind the name of a function. */
static const char *parentheses(const char *function)
{
	return strpbrk(function, "(+") ? "" : "()";
}

char *gaspdb_finding_reason_caller(const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES];
	const char *caller = f->reason_caller;

	if (!*caller)
		return gaspdb_text_copy("", 0);
	return gaspdb_text_format(
		", mostly when called by %s%s (%s)", caller,
		parentheses(caller),
		gaspdb_human_share(share, f->reason_caller_share, 100));
}

char *gaspdb_finding_functions(const struct gaspdb_finding *f)
{
	char share[GASPDB_HUMAN_BYTES];
	const char *caller = f->caller;

	if (!*caller)
		return in_function(f->waiting_function);
	return joined(in_function(f->waiting_function),
		      gaspdb_text_format(
			      ", called by %s%s (%s of the waiting)", caller,
			      parentheses(caller),
			      gaspdb_human_share(share, f->caller_share, 100)));
}

char *gaspdb_finding_times(const char *s)
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
