/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of gaspdb compare --fail-if=FIGURE>AMOUNT. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits/waits.h"
#include "cli/compare/compare.h"
#include "cli/output/human.h"
#include "cli/output/text.h"

/* Figures of conditions: first word, and what follows it. */
static const struct {
	const char *word, *section;
	enum { NOTHING, NAME, LINE, NAME_AND_LINE } rest;
	const char *name; /* of NOTHING; NULL: any */
} figures[] = {
	{ "time", "run", NOTHING, "run time" },
	{ "waiting", "run", NOTHING, "waiting" },
	{ "imbalance", "run", NOTHING, "imbalance" },
	{ "category:", "category", NAME, NULL },
	{ "wait:", "wait", NAME, NULL },
	{ "operation:", "operation", NAME, NULL },
	{ "function:", "function", NAME, NULL },
	{ "line:", "line", LINE, NULL },
	{ "finding", "cause", NOTHING, NULL },
	{ "finding:", "cause", NAME_AND_LINE, NULL },
};

/* Kinds of findings (views loss, imbalances) other than waiting. */
static const char *const finding_kinds[] = { "imbalance",
					     "fine-grained get",
					     "fine-grained put",
					     "polling",
					     "repeated get",
					     "local access",
					     "drain",
					     "no overlap",
					     "no progress",
					     "back-to-back barriers",
					     "frequent barriers",
					     "slow delivery",
					     "hot owner",
					     "hand-made collective" };

/* Parses FILE:LINE; takes ownership of text. */
static bool parse_line(struct gaspdb_compare_condition *condition, char *text)
{
	char *colon = strrchr(text, ':');

	condition->file = text;
	if (!colon || colon == text ||
	    !gaspdb_human_parse(colon + 1, "", &condition->line) ||
	    condition->line <= 0)
		return false;
	*colon = '\0';
	return true;
}

/* KIND or KIND:FILE:LINE */
static bool parse_kind(struct gaspdb_compare_condition *condition,
		       const char *text, size_t n)
{
	const char *colon = memchr(text, ':', n);
	const size_t kind = colon ? (size_t)(colon - text) : n;

	condition->name = gaspdb_text_copy(text, kind);
	return !colon ||
	       parse_line(condition, gaspdb_text_copy(colon + 1, n - kind - 1));
}

enum parsed { GOOD, NO_FIGURE, NO_LINE };

static enum parsed parse_figure(struct gaspdb_compare_condition *condition,
				const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		const char *word = figures[i].word, *name = figures[i].name;
		const size_t length = strlen(word);

		if (figures[i].rest == NOTHING ? n != length : n <= length)
			continue;
		if (strncmp(text, word, length))
			continue;
		condition->section = figures[i].section;
		text += length;
		n -= length;
		switch (figures[i].rest) {
		case NOTHING:
			if (name)
				condition->name =
					gaspdb_text_copy(name, strlen(name));
			return GOOD;
		case NAME:
			condition->name = gaspdb_text_copy(text, n);
			return GOOD;
		case LINE:
			return parse_line(condition, gaspdb_text_copy(text, n))
				       ? GOOD
				       : NO_LINE;
		case NAME_AND_LINE:
			return parse_kind(condition, text, n) ? GOOD : NO_LINE;
		}
	}
	return NO_FIGURE;
}

static bool parse_amount(struct gaspdb_compare_condition *condition,
			 const char *text)
{
	char *rest;
	double number = strtod(text, &rest);
	int64_t ns;

	rest += strspn(rest, " ");
	if (rest != text && !strcmp(rest, "%")) {
		condition->amount = number;
		condition->is_change = true;
		return isfinite(number) && number >= 0;
	}
	/* A bare number is refused: it would mean ns. */
	const bool has_unit = text[strspn(text, "0123456789")] != '\0';
	if (!gaspdb_human_parse(text, "ns", &ns) || ns < 0 ||
	    (ns > 0 && !has_unit))
		return false;
	condition->amount = (double)ns;
	return true;
}

enum gaspdb_status
gaspdb_compare_condition_parse(struct gaspdb_compare_condition *condition,
			       const char *text, struct gaspdb_error *err)
{
	const char *sign = strrchr(text, '>');
	bool is_share;

	memset(condition, 0, sizeof *condition);
	condition->text = text;
	if (!sign)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is no condition: FIGURE>AMOUNT is "
				   "needed, as 'time>5%%'",
				   text);
	size_t n = (size_t)(sign - text);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	switch (parse_figure(condition, text, n)) {
	case GOOD:
		break;
	case NO_FIGURE:
		return gaspdb_fail(
			err, GASPDB_FAILED,
			"'%s' begins with no figure: one of time, waiting, "
			"imbalance, category:NAME, wait:KIND, operation:NAME, "
			"function:NAME, line:FILE:LINE, finding, finding:KIND, "
			"finding:KIND:FILE:LINE is needed",
			text);
	case NO_LINE:
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' names no line: FILE:LINE is needed",
				   text);
	}
	sign += 1 + strspn(sign + 1, " ");
	is_share = !strcmp(condition->section, "run") && condition->name &&
		   !strcmp(condition->name, "imbalance");
	if (parse_amount(condition, sign) &&
	    (condition->is_change || !is_share))
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' has no amount: a percentage as 5%% is "
			   "needed%s",
			   text, is_share ? "" : ", or a time as 10ms");
}

void gaspdb_compare_condition_free(struct gaspdb_compare_condition *condition)
{
	free(condition->name);
	free(condition->file);
	condition->name = condition->file = NULL;
}

/* Is one of the paths the end of the other? */
#define SAME_FILE(file)                                             \
	"(substr('/' || " file ", -1 - length(?3)) = '/' || ?3 OR " \
	" substr('/' || ?3, -1 - length(" file ")) = '/' || " file ")"

/* clang-format off */
/* Rows of a condition. A line is looked up in b, and in a if b does not have
   it. */
static const char rows[] =
	"WITH named AS (SELECT *, "
	"    b_line = ?4 AND " SAME_FILE("b_file") " AS in_b, "
	"    a_line = ?4 AND " SAME_FILE("a_file") " AS in_a "
	"  FROM compared WHERE section = ?1 AND (?2 IS NULL OR name = ?2)) "
	"SELECT a, b, unit, noise, "
	"  iif(section = 'cause', "
	"    name || coalesce(' at ' || location, '') || ' (' || operation || '):', operation) "
	"FROM named "
	"WHERE ?3 IS NULL OR in_b OR (in_a AND NOT (SELECT max(in_b) FROM named)) "
	"ORDER BY operation, name, location";
/* clang-format on */

static bool is_more(const struct gaspdb_compare_condition *condition, double a,
		    double b, bool is_share)
{
	if (b <= a || !condition->is_change || is_share)
		return b - a > condition->amount;
	return a <= 0 || 100 * (b - a) / a > condition->amount;
}

static void put(char buf[GASPDB_HUMAN_BYTES], double value, bool is_share)
{
	if (is_share)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.1f %%", value);
	else
		gaspdb_human_time(buf, (int64_t)value);
}

/* Checks one figure, and reports it if worse; returns whether the condition
   holds. */
static bool check_row(const struct gaspdb_compare_condition *condition,
		      sqlite3_stmt *stmt)
{
	char a[GASPDB_HUMAN_BYTES], b[GASPDB_HUMAN_BYTES];
	double was = sqlite3_column_double(stmt, 0);
	double is = sqlite3_column_double(stmt, 1);
	bool is_share = sqlite3_column_text(stmt, 2)[0] == '%';
	const char *noise = (const char *)sqlite3_column_text(stmt, 3);
	const char *what = (const char *)sqlite3_column_text(stmt, 4);

	if (!is_more(condition, was, is, is_share))
		return false;
	bool within = !strcmp(noise, "within");
	put(a, was, is_share);
	put(b, is, is_share);
	gaspdb_print_error("%s: %s%s%s, was %s%s", condition->text,
			   what ? what : "", what ? " " : "", b, a,
			   within ? "; but within the noise" : "");
	return !within;
}

static bool is_wait_kind(const char *name)
{
	for (int i = 0; i < GASPDB_N_WAIT_KINDS; i++)
		if (!strcmp(name,
			    gaspdb_wait_kind_name((enum gaspdb_wait_kind)i)))
			return true;
	return false;
}

static bool is_finding_kind(const char *name)
{
	for (size_t i = 0; i < sizeof finding_kinds / sizeof *finding_kinds;
	     i++)
		if (!strcmp(name, finding_kinds[i]))
			return true;
	return is_wait_kind(name);
}

static sqlite3_stmt *rows_of(struct gaspdb_compare *c, const char *section,
			     const char *name,
			     const struct gaspdb_compare_condition *condition)
{
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(c->db.sql, rows, -1, &stmt, NULL);
	sqlite3_bind_text(stmt, 1, section, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, condition->file, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 4, condition->line);
	return stmt;
}

/* May the condition's figure be absent? Waiting and findings may, at a line
   that one of the runs has. */
static bool may_miss(struct gaspdb_compare *c,
		     const struct gaspdb_compare_condition *condition)
{
	const char *name = condition->name;
	sqlite3_stmt *stmt;
	bool is_there;

	if (!strcmp(condition->section, "wait"))
		return is_wait_kind(name);
	if (strcmp(condition->section, "cause") ||
	    (name && !is_finding_kind(name)))
		return false;
	if (!condition->file)
		return true;
	stmt = rows_of(c, "line", NULL, condition);
	is_there = sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return is_there;
}

enum gaspdb_status
gaspdb_compare_check(struct gaspdb_compare *c,
		     const struct gaspdb_compare_condition *condition,
		     bool *holds, struct gaspdb_error *err)
{
	sqlite3_stmt *stmt =
		rows_of(c, condition->section, condition->name, condition);
	int rc, n = 0;

	*holds = false;
	for (; (rc = sqlite3_step(stmt)) == SQLITE_ROW; n++)
		*holds |= check_row(condition, stmt);
	sqlite3_finalize(stmt);
	if (rc != SQLITE_DONE)
		return gaspdb_fail(err, GASPDB_FAILED, "cannot compare: %s",
				   sqlite3_errmsg(c->db.sql));
	if (n == 0 && !may_miss(c, condition))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' names nothing that is in either run",
				   condition->text);
	return GASPDB_OK;
}
