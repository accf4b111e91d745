/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of gaspdb compare --fail-if=FIGURE>AMOUNT. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits.h"
#include "compare.h"
#include "human.h"
#include "text.h"

/* What a condition may begin with; name NULL: what follows the word is it. */
static const struct {
	const char *word, *section, *name;
} figures[] = {
	{ "time", "run", "run time" },
	{ "waiting", "run", "waiting" },
	{ "imbalance", "run", "imbalance" },
	{ "category:", "category", NULL },
	{ "wait:", "wait", NULL },
	{ "operation:", "operation", NULL },
	{ "function:", "function", NULL },
	{ "line:", "line", NULL },
};

/* The word for figures without a name of the condition's own. */
static bool parse_figure(struct gaspdb_compare_condition *condition,
			 const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		const char *word = figures[i].word, *name = figures[i].name;
		size_t length = strlen(word);

		if (name ? n != length : n <= length)
			continue;
		if (strncmp(text, word, length))
			continue;
		condition->section = figures[i].section;
		condition->name =
			name ? gaspdb_text_copy(name, strlen(name))
			     : gaspdb_text_copy(text + length, n - length);
		return true;
	}
	return false;
}

/* FILE:LINE in two */
static bool parse_line(struct gaspdb_compare_condition *condition)
{
	char *colon = strrchr(condition->name, ':');

	if (!colon || colon == condition->name ||
	    !gaspdb_human_parse(colon + 1, "", &condition->line) ||
	    condition->line <= 0)
		return false;
	*colon = '\0';
	return true;
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
	/* Nobody means ns by a bare number. */
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
	if (!parse_figure(condition, text, n))
		return gaspdb_fail(
			err, GASPDB_FAILED,
			"'%s' begins with no figure: one of time, waiting, "
			"imbalance, category:NAME, wait:KIND, operation:NAME, "
			"function:NAME, line:FILE:LINE is needed",
			text);
	if (!strcmp(condition->section, "line") && !parse_line(condition))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' names no line: line:FILE:LINE is "
				   "needed",
				   text);
	sign += 1 + strspn(sign + 1, " ");
	if (parse_amount(condition, sign) &&
	    (condition->is_change || strcmp(condition->name, "imbalance")))
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' has no amount: a percentage as 5%% is "
			   "needed%s",
			   text,
			   strcmp(condition->name, "imbalance")
				   ? ", or a time as 10ms"
				   : "");
}

void gaspdb_compare_condition_free(struct gaspdb_compare_condition *condition)
{
	free(condition->name);
	condition->name = NULL;
}

/* Is one of the paths the end of the other? */
#define SAME_FILE(file)                                             \
	"(substr('/' || " file ", -1 - length(?2)) = '/' || ?2 OR " \
	" substr('/' || ?2, -1 - length(" file ")) = '/' || " file ")"

/* Rows of the condition.  A line is one of b, or if b has none there, of a. */
static const char rows[] =
	"WITH named AS (SELECT *, "
	"    b_line = ?3 AND " SAME_FILE(
		"b_file") " AS in_b, "
			  "    a_line = ?3 AND " SAME_FILE(
				  "a_file") " AS in_a "
					    "  FROM compared WHERE section = ?1) "
					    "SELECT a, b, unit, noise, operation FROM named "
					    "WHERE CASE WHEN section <> 'line' THEN name = ?2 "
					    "  ELSE in_b OR (in_a AND NOT (SELECT max(in_b) FROM named)) END "
					    "ORDER BY operation";

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

/* Say how one figure stands to the condition, if it is worse; does it hold? */
static bool check_row(const struct gaspdb_compare_condition *condition,
		      sqlite3_stmt *stmt)
{
	char a[GASPDB_HUMAN_BYTES], b[GASPDB_HUMAN_BYTES];
	double was = sqlite3_column_double(stmt, 0);
	double is = sqlite3_column_double(stmt, 1);
	bool is_share = sqlite3_column_text(stmt, 2)[0] == '%';
	const char *noise = (const char *)sqlite3_column_text(stmt, 3);
	const char *operation = (const char *)sqlite3_column_text(stmt, 4);

	if (!is_more(condition, was, is, is_share))
		return false;
	bool within = !strcmp(noise, "within");
	put(a, was, is_share);
	put(b, is, is_share);
	gaspdb_print_error("%s: %s%s%s, was %s%s", condition->text,
			   operation ? operation : "", operation ? " " : "", b,
			   a, within ? "; but within the noise" : "");
	return !within;
}

/* Of waiting that a run may have: neither need have it. */
static bool is_kind(const struct gaspdb_compare_condition *condition)
{
	if (strcmp(condition->section, "wait"))
		return false;
	for (int i = 0; i < GASPDB_N_WAIT_KINDS; i++)
		if (!strcmp(condition->name,
			    gaspdb_wait_kind_name((enum gaspdb_wait_kind)i)))
			return true;
	return false;
}

enum gaspdb_status
gaspdb_compare_check(struct gaspdb_compare *c,
		     const struct gaspdb_compare_condition *condition,
		     bool *holds, struct gaspdb_error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc, n = 0;

	*holds = false;
	sqlite3_prepare_v2(c->db.sql, rows, -1, &stmt, NULL);
	sqlite3_bind_text(stmt, 1, condition->section, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, condition->name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 3, condition->line);
	for (; (rc = sqlite3_step(stmt)) == SQLITE_ROW; n++)
		*holds |= check_row(condition, stmt);
	sqlite3_finalize(stmt);
	if (rc != SQLITE_DONE)
		return gaspdb_fail(err, GASPDB_FAILED, "cannot compare: %s",
				   sqlite3_errmsg(c->db.sql));
	if (n == 0 && !is_kind(condition))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' names nothing that is in either run",
				   condition->text);
	return GASPDB_OK;
}
