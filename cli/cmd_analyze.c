/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb analyze: one analysis of a database. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/analysis_help.h"
#include "cli/database/analysis.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/database/remarks.h"
#include "cli/output/text.h"

static int run(int argc, char **argv);

enum { FORMAT, LIST, SQL, N_OPTIONS };

static const struct gaspdb_option options[] = {
	[FORMAT] = { 0, "format", "FORMAT", "one of" GASPDB_OUTPUT_FORMATS },
	[LIST] = { 0, "list", NULL, "list the analyses, as without NAME" },
	[SQL] = { 0, "sql", NULL,
		  "print the SQL of NAME for other programs; without NAME: "
		  "of all" },
	[N_OPTIONS] = { 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_analyze = {
	.name = "analyze",
	.synopsis = "analyze [NAME] FILE [--PARAMETER=VALUE...] "
		    "[--format=FORMAT]",
	.summary = "run one analysis of a database; without NAME, list them",
	.options = options,
	.doc = "FILE is a database made by 'gaspdb import'.  'gaspdb analyze "
	       "--help NAME' describes an analysis:\n"
	       "its meaning, parameters and columns.  Times are typed as "
	       "12ms, sizes as 4KiB; plain numbers have the\n"
	       "parameter's unit.  Rows go to stdout, by default as a table; "
	       "remarks go to stderr.\n",
	.run = run,
};

/* A parsed command line. */
struct request {
	struct gaspdb_output_style style;
	bool list, sql;
	int n_values;
	struct value {
		const char *name, *text;
	} * values; /* of parameters */
};

static void add_option(struct gaspdb_option **table, size_t *n,
		       const char *name, const char *doc)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp((*table)[i].name, name))
			return;
	*table = gaspdb_memory_grow(*table, *n + 2, sizeof **table);
	(*table)[(*n)++] = (struct gaspdb_option){ 0, name, "VALUE", doc };
	(*table)[*n] = (struct gaspdb_option){ 0, NULL, NULL, NULL };
}

/* Option table: the command's own and the parameters of all analyses, because
   the analysis is known only after all options. The caller frees it. */
static struct gaspdb_option *all_options(void)
{
	size_t n = N_OPTIONS;
	struct gaspdb_option *table = gaspdb_memory_new(n + 1, sizeof *table);

	memcpy(table, options, n * sizeof *table);
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		for (int i = 0; a->params[i].name; i++)
			add_option(&table, &n, a->params[i].name,
				   a->params[i].doc);
	return table;
}

static int bad_name(const char *name)
{
	char *text =
		gaspdb_analysis_unknown(name, "'gaspdb analyze' lists them");

	gaspdb_print_error("%s", text);
	free(text);
	return GASPDB_EXIT_USAGE;
}

static int help(const struct gaspdb_options *o)
{
	const char *unknown = NULL;

	for (int i = 1; i < o->argc; i++) {
		const struct gaspdb_analysis *a =
			gaspdb_analysis_find(o->argv[i]);
		if (a) {
			gaspdb_analysis_help(stdout, a);
			return GASPDB_EXIT_DONE;
		}
		if (*o->argv[i] != '-')
			unknown = o->argv[i];
	}
	if (unknown)
		return bad_name(unknown);
	return gaspdb_options_help(&gaspdb_cmd_analyze);
}

static int bind_values(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
		       const struct request *request)
{
	struct gaspdb_error err;

	for (int i = 0; i < request->n_values; i++) {
		const struct value *v = &request->values[i];
		const struct gaspdb_analysis_param *param =
			gaspdb_analysis_param_find(a, v->name);
		if (!param) {
			gaspdb_print_error("analysis '%s' has no parameter "
					   "'%s'; 'gaspdb analyze --help %s' "
					   "lists them",
					   a->name, v->name, a->name);
			return GASPDB_EXIT_USAGE;
		}
		if (gaspdb_analysis_check_found(sqlite3_db_handle(stmt), param,
						v->text, &err) ||
		    gaspdb_analysis_bind(stmt, a, param, v->text, &err)) {
			gaspdb_print_error("%s", err.msg);
			return GASPDB_EXIT_USAGE;
		}
	}
	return GASPDB_EXIT_DONE;
}

/* Value of a parameter: the last one given, or NULL. */
static const char *value_of(const struct gaspdb_analysis *a,
			    const struct request *request, const char *name)
{
	const char *text = NULL;

	for (int i = 0; i < request->n_values; i++) {
		const struct gaspdb_analysis_param *param =
			gaspdb_analysis_param_find(a, request->values[i].name);
		if (param && !strcmp(param->name, name))
			text = request->values[i].text;
	}
	return text;
}

/* Does the analysis cover only the time between init and finalize, and is there
   none? */
static bool is_interval_empty(struct gaspdb_database *db,
			      const struct gaspdb_analysis *a,
			      const struct request *request)
{
	const char *whole = value_of(a, request, "whole");
	const char *by = value_of(a, request, "by");

	if (!gaspdb_analysis_param_find(a, "whole") ||
	    (whole && !strcmp(whole, "1")))
		return false;
	if (gaspdb_analysis_param_find(a, "by") &&
	    (!by ||
	     (strcmp(by, "run") && strcmp(by, "host") && strcmp(by, "time"))))
		return false;
	return gaspdb_database_integer(db,
				       "SELECT count(*) FROM pop "
				       "WHERE whole = 0 AND end_ns > start_ns",
				       1) == 0;
}

/* Name of a parameter with a value of which this run has none of any value;
   NULL: none. */
static const char *without_values(struct gaspdb_database *db,
				  const struct gaspdb_analysis *a,
				  const struct request *request)
{
	for (int i = 0; i < request->n_values; i++) {
		const struct gaspdb_analysis_param *param =
			gaspdb_analysis_param_find(a, request->values[i].name);

		if (param && param->found_in &&
		    !gaspdb_analysis_is_found(db->sql, param,
					      request->values[i].text))
			return param->name;
	}
	return NULL;
}

static void print_no_rows(struct gaspdb_database *db,
			  const struct gaspdb_analysis *a,
			  const struct request *request)
{
	const char *param = without_values(db, a, request);
	const bool is_profile = gaspdb_database_integer(
		db,
		"SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'mode' AND "
		"value = 'profile')",
		0);

	if (a->needs_trace && is_profile)
		gaspdb_print_error("no rows: '%s' needs a trace, and the run was "
				   "recorded as a profile (--mode=profile)",
				   a->name);
	else if (is_interval_empty(db, a, request))
		gaspdb_print_error("no rows: no time lies between the last end "
				   "of an init and the first finalize; "
				   "--whole=1 takes all of the run");
	else if (param)
		gaspdb_print_error("no rows: nothing of the kind was found, of "
				   "any '%s'",
				   param);
	else
		gaspdb_print_error("no rows: nothing of the kind was found%s",
				   is_profile ? " in this profile: a trace may "
						"have some (--mode=trace)"
					      : "");
}

static int write_rows(struct gaspdb_database *db, const char *name,
		      const struct request *request)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);
	struct gaspdb_error err = { 0 };
	sqlite3_stmt *stmt = NULL;
	int64_t n_rows = 0;

	gaspdb_database_forget_reads(db);
	if (gaspdb_analysis_prepare(db, a, &stmt, &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		return GASPDB_EXIT_FAILED;
	}
	int status = bind_values(stmt, a, request);
	if (status == GASPDB_EXIT_DONE &&
	    gaspdb_analysis_write(db, stmt, a, stdout, &request->style, &n_rows,
				  &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		status = GASPDB_EXIT_FAILED;
	}
	sqlite3_finalize(stmt);
	if (status != GASPDB_EXIT_DONE)
		return status;
	if (n_rows == 0)
		print_no_rows(db, a, request);
	gaspdb_remarks_print(db);
	return status;
}

/* Prints the SQL of one analysis, or of all. */
static int print_sql(const struct gaspdb_options *o)
{
	const struct gaspdb_analysis *a = NULL;
	char *sql;

	if (o->n_operands > 1)
		return gaspdb_options_usage(&gaspdb_cmd_analyze,
					    "--sql is of one analysis, "
					    "whatever the file");
	if (o->n_operands && !(a = gaspdb_analysis_find(o->operands[0])))
		return bad_name(o->operands[0]);
	sql = a ? gaspdb_analysis_sql(a) : gaspdb_analyses_script();
	printf("%s%s", sql ? sql : "", a ? ";\n" : "");
	sqlite3_free(sql);
	return GASPDB_EXIT_DONE;
}

static int analyze(const struct gaspdb_options *o,
		   const struct request *request)
{
	struct gaspdb_database db;
	struct gaspdb_error err;

	if (request->sql)
		return print_sql(o);
	if (o->n_operands > 2)
		return gaspdb_options_usage(&gaspdb_cmd_analyze,
					    "one analysis and one file");
	if (o->n_operands == 1 && gaspdb_analysis_find(o->operands[0]))
		return gaspdb_options_usage(&gaspdb_cmd_analyze,
					    "of which file?");
	if (o->n_operands == 2 && gaspdb_analysis_find(o->operands[1]))
		return gaspdb_options_usage(
			&gaspdb_cmd_analyze,
			"the analysis comes before the file");
	/* Neither an analysis nor a file: a mistyped analysis. */
	if (o->n_operands == 1 && access(o->operands[0], F_OK))
		return bad_name(o->operands[0]);
	if (o->n_operands < 2 || request->list) {
		gaspdb_analysis_list(stdout, &request->style);
		return GASPDB_EXIT_DONE;
	}
	if (!gaspdb_analysis_find(o->operands[0]))
		return bad_name(o->operands[0]);
	if (gaspdb_database_open(&db, o->operands[1], &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		return GASPDB_EXIT_FAILED;
	}
	int status = write_rows(&db, o->operands[0], request);
	gaspdb_database_close(&db);
	return status;
}

/* Reads the options into the request; returns the last result of
   gaspdb_options_next(). */
static int read_options(struct gaspdb_options *o, struct request *request)
{
	int i;

	while ((i = gaspdb_options_next(o)) >= 0) {
		if (i == LIST) {
			request->list = true;
		} else if (i == SQL) {
			request->sql = true;
		} else if (i != FORMAT) {
			request->values[request->n_values++] =
				(struct value){ o->command->options[i].name,
						o->argument };
		} else if (!gaspdb_output_format_parse(
				   o->argument, &request->style.format)) {
			gaspdb_options_usage(o->command,
					     "no such format as '%s'",
					     o->argument);
			gaspdb_options_fini(o);
			return GASPDB_OPTIONS_WRONG;
		}
	}
	return i;
}

static int run(int argc, char **argv)
{
	struct gaspdb_option *table = all_options();
	struct gaspdb_command command = gaspdb_cmd_analyze;
	struct gaspdb_options o = { .command = &command,
				    .argc = argc,
				    .argv = argv };
	struct request request = { .style.terminal = isatty(STDOUT_FILENO) };
	int status = GASPDB_EXIT_USAGE;

	command.options = table;
	request.values = gaspdb_memory_new((size_t)argc, sizeof(struct value));
	int end = read_options(&o, &request);
	if (end == GASPDB_OPTIONS_DONE)
		status = analyze(&o, &request);
	else if (end == GASPDB_OPTIONS_HELP)
		status = help(&o);
	free(request.values);
	free(table);
	return status;
}
