/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses of sql/: parameters and rows. */
#include "cli/database/analysis.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"

const struct gaspdb_analysis_param *
gaspdb_analysis_param_find(const struct gaspdb_analysis *a, const char *name)
{
	for (const struct gaspdb_analysis_param *p = a->params; p->name; p++) {
		size_t i = 0;
		while (name[i] && (name[i] == p->name[i] ||
				   (name[i] == '_' && p->name[i] == '-')))
			i++;
		if (!name[i] && !p->name[i])
			return p;
	}
	return NULL;
}

/* Is it one of the words between the bars? */
static bool is_choice(const char *choices, const char *value)
{
	size_t n = strlen(value);

	for (const char *p = choices; p; p = strchr(p, '|')) {
		p += *p == '|';
		if (n && strcspn(p, "|") == n && !memcmp(p, value, n))
			return true;
	}
	return false;
}

/* Makes the view of an analysis that lists a parameter's values. */
static void make_source(sqlite3 *db, const struct gaspdb_analysis_param *param)
{
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		for (int i = 0; a->params[i].name; i++)
			if (&a->params[i] == param &&
			    !strncmp(param->found_in, "analysis_", 9))
				gaspdb_analysis_make_view(db, a);
}

/* Values of the run for a parameter, "a, b, c"; "": none. For free(). */
static char *list_found(sqlite3 *db, const struct gaspdb_analysis_param *param)
{
	struct gaspdb_database run = { .sql = db };
	int table = (int)strcspn(param->found_in, ".");
	const char *column = param->found_in + table + 1;
	make_source(db, param);
	char *query = gaspdb_text_format(
		"SELECT group_concat(value, ', ') || iif(max(n) > 8, ', ...', "
		"'') FROM (SELECT value, count(*) OVER () AS n FROM (SELECT "
		"DISTINCT %s AS value FROM %.*s) WHERE value NOT NULL "
		"ORDER BY value LIMIT 8)",
		column, table, param->found_in);
	char *list = gaspdb_database_text(&run, query);

	free(query);
	return list;
}

/* Parses a number at *text and advances it; false: none. */
static bool take_number(const char **text, int64_t *number)
{
	char *rest;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*number = strtoll(*text, &rest, 10);
	*text = rest;
	return !errno;
}

/* Parses the next range, "3" or "3..5", and the comma after it; false: none, or
   invalid. */
static bool take_range(const char **text, int64_t range[2])
{
	if (!take_number(text, &range[0]))
		return false;
	range[1] = range[0];
	if (!strncmp(*text, "..", 2)) {
		*text += 2;
		if (!take_number(text, &range[1]))
			return false;
	}
	if (**text == ',' && (*text)[1])
		(*text)++;
	else if (**text)
		return false;
	return range[0] <= range[1];
}

/* Converts "0,3..5" to "0..0,3..5,"; NULL: invalid. For free(). */
static char *list_text(const char *text)
{
	char *list = gaspdb_text_copy("", 0);
	int64_t range[2];

	while (list && *text) {
		char *longer = NULL;

		if (take_range(&text, range))
			longer = gaspdb_text_format("%s%" PRId64 "..%" PRId64
						    ",",
						    list, range[0], range[1]);
		free(list);
		list = longer;
	}
	return list;
}

static bool is_there(sqlite3 *db, const struct gaspdb_analysis_param *param,
		     const char *value)
{
	int table = (int)strcspn(param->found_in, ".");
	char *query = sqlite3_mprintf(
		"SELECT count(*) FROM %.*s WHERE %s = CAST(%Q AS %s)", table,
		param->found_in, param->found_in + table + 1, value,
		param->is_list ? "INTEGER" : param->type);
	struct gaspdb_database run = { .sql = db };
	make_source(db, param);
	bool is_found = gaspdb_database_integer(&run, query, 0) > 0;

	sqlite3_free(query);
	return is_found;
}

/* Does the run have both ends of each range? Invalid lists are refused
   elsewhere. */
static bool is_list_there(sqlite3 *db,
			  const struct gaspdb_analysis_param *param,
			  const char *text)
{
	int64_t range[2];
	bool good = true;

	while (good && *text && take_range(&text, range))
		for (int i = 0; i < 2; i++) {
			char *number = gaspdb_text_format("%" PRId64, range[i]);

			good = good && is_there(db, param, number);
			free(number);
		}
	return good;
}

bool gaspdb_analysis_is_found(sqlite3 *db,
			      const struct gaspdb_analysis_param *param,
			      const char *value)
{
	return param->is_list ? is_list_there(db, param, value)
			      : is_there(db, param, value);
}

enum gaspdb_status
gaspdb_analysis_check_found(sqlite3 *db,
			    const struct gaspdb_analysis_param *param,
			    const char *value, struct gaspdb_error *err)
{
	char *list =
		param->found_in && !gaspdb_analysis_is_found(db, param, value)
			? list_found(db, param)
			: NULL;
	enum gaspdb_status status = GASPDB_OK;

	/* without any value in the run, every value is accepted */
	if (list && *list)
		status = gaspdb_fail(
			err, GASPDB_FAILED,
			"invalid value '%s' for --%s: this run has %s", value,
			param->name, list);
	free(list);
	return status;
}

/* Is it a power of two, or 0? */
static bool is_power_of_two(double number)
{
	int exponent;

	return number == 0 || (number >= 1 && frexp(number, &exponent) == 0.5);
}

/* Checks that a parameter accepts the value. */
static enum gaspdb_status check_range(const struct gaspdb_analysis_param *param,
				      const char *value, double number,
				      struct gaspdb_error *err)
{
	if (param->choices && !is_choice(param->choices, value))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "invalid value '%s' for --%s: one of %s is "
				   "needed",
				   value, param->name, param->choices);
	if (param->power_of_two && !is_power_of_two(number))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "invalid value '%s' for --%s: sizes are told "
				   "apart in powers of two, so 0, 1, 2, 4, 8 "
				   "... 1KiB, 2KiB ... is needed",
				   value, param->name);
	if (param->least && number < strtod(param->least, NULL))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "invalid value '%s' for --%s: at least %s is "
				   "needed",
				   value, param->name, param->least);
	return GASPDB_OK;
}

static enum gaspdb_status wrong_value(const struct gaspdb_analysis_param *param,
				      const char *value,
				      struct gaspdb_error *err)
{
	bool is_integer = !strcmp(param->type, "INTEGER");

	return gaspdb_fail(
		err, GASPDB_FAILED, "invalid value '%s' for --%s: %s%s", value,
		param->name,
		is_integer ? "a whole number is needed" : "a number is needed",
		gaspdb_human_is_time(param->unit)
			? ", or one with ns, us, ms or s"
		: !strcmp(param->unit, "B") ? ", or one with B, KiB, MiB or GiB"
					    : "");
}

static enum gaspdb_status bind_list(sqlite3_stmt *stmt, int i,
				    const struct gaspdb_analysis_param *param,
				    const char *value, struct gaspdb_error *err)
{
	char *list = list_text(value);

	if (!list || !*list) {
		free(list);
		return gaspdb_fail(err, GASPDB_FAILED,
				   "invalid value '%s' for --%s: numbers and "
				   "ranges are needed, as 0,3..5",
				   value, param->name);
	}
	sqlite3_bind_text(stmt, i, list, -1, free);
	return GASPDB_OK;
}

enum gaspdb_status
gaspdb_analysis_bind(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
		     const struct gaspdb_analysis_param *param,
		     const char *value, struct gaspdb_error *err)
{
	char *name = gaspdb_text_format(":%s", param->variable);
	int i = sqlite3_bind_parameter_index(stmt, name);
	int64_t integer;
	double real;
	char *rest;

	free(name);
	if (i == 0)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "analysis '%s' has no parameter '%s'",
				   a->name, param->name);
	if (!value) {
		sqlite3_bind_null(stmt, i);
		return GASPDB_OK;
	}
	if (param->is_list)
		return bind_list(stmt, i, param, value, err);
	if (!strcmp(param->type, "TEXT")) {
		sqlite3_bind_text(stmt, i, value, -1, SQLITE_TRANSIENT);
		return check_range(param, value, 0, err);
	}
	if (!strcmp(param->unit, "s") &&
	    gaspdb_human_parse_time(value, &real)) {
		sqlite3_bind_double(stmt, i, real);
		return check_range(param, value, real, err);
	}
	if (gaspdb_human_parse(value, param->unit, &integer)) {
		sqlite3_bind_int64(stmt, i, integer);
		return check_range(param, value, (double)integer, err);
	}
	real = strtod(value, &rest);
	/* NaN passes no check of a range */
	if (!strcmp(param->type, "INTEGER") || rest == value || *rest ||
	    real != real)
		return wrong_value(param, value, err);
	sqlite3_bind_double(stmt, i, real);
	return check_range(param, value, real, err);
}

enum gaspdb_status gaspdb_analysis_prepare(struct gaspdb_database *db,
					   const struct gaspdb_analysis *a,
					   sqlite3_stmt **stmt,
					   struct gaspdb_error *err)
{
	enum gaspdb_status status = GASPDB_OK;

	if (sqlite3_prepare_v2(db->sql, a->sql, -1, stmt, NULL) != SQLITE_OK)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "analysis '%s' cannot be run on '%s': %s",
				   a->name, db->path, sqlite3_errmsg(db->sql));
	for (const struct gaspdb_analysis_param *p = a->params;
	     p->name && status == GASPDB_OK; p++)
		status = gaspdb_analysis_bind(*stmt, a, p, p->value, err);
	if (status != GASPDB_OK) {
		sqlite3_finalize(*stmt);
		*stmt = NULL;
	}
	return status;
}

static int count_columns(const struct gaspdb_analysis *a)
{
	int n = 0;

	while (a->columns[n].name)
		n++;
	return n;
}

enum gaspdb_status
gaspdb_analysis_write(struct gaspdb_database *db, sqlite3_stmt *stmt,
		      const struct gaspdb_analysis *a, FILE *out,
		      const struct gaspdb_output_style *style, int64_t *n_rows,
		      struct gaspdb_error *err)
{
	int n = count_columns(a);
	struct gaspdb_output_column *columns =
		gaspdb_memory_new((size_t)n, sizeof *columns);

	for (int i = 0; i < n; i++) {
		columns[i].name = a->columns[i].name;
		columns[i].unit = a->columns[i].unit;
	}
	struct gaspdb_output *o = gaspdb_output_open(out, style, columns, n);
	gaspdb_output_fit(o);
	int rc = gaspdb_output_statement(o, stmt, n_rows);
	gaspdb_output_close(o);
	free(columns);
	if (rc == SQLITE_DONE)
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "analysis '%s' of '%s' failed: %s", a->name,
			   db->path, sqlite3_errmsg(db->sql));
}
