/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb compare: two runs, or two sets of runs, side by side. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/compare/compare.h"
#include "cli/html/html.h"
#include "cli/output/human.h"
#include "cli/options.h"
#include "cli/output/text.h"

static int run(int argc, char **argv);

enum { BY, FAIL_IF, FORMAT, HTML, LIMIT };

static const struct gaspdb_option options[] = {
	[BY] = { 0, "by", GASPDB_COMPARE_BY,
		 "match calls of A and B by this (line)" },
	[FAIL_IF] = { 0, "fail-if", "FIGURE>AMOUNT",
		      "exit with 4 if the figure grew by more; may be repeated" },
	[FORMAT] = { 0, "format", "FORMAT", "one of" GASPDB_OUTPUT_FORMATS },
	[HTML] = { 0, "html", "FILE",
		   "write a page for a browser, with both time lines" },
	[LIMIT] = { 0, "limit", "N", "rows of each part, -1 for all (10)" },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_compare = {
	.name = "compare",
	.synopsis = "compare [OPTION...] A[,A...] B[,B...]",
	.summary = "show what got slower or faster from A to B",
	.options = options,
	.doc = "A and B are databases made by 'gaspdb import'.  Several "
	       "files, separated by commas, are repeated\n"
	       "runs, whose spread is the noise.  Without FORMAT the result "
	       "is a page of text.\n\n"
	       "FIGURE is time (of the run), waiting, imbalance, "
	       "category:NAME, wait:KIND, operation:NAME,\n"
	       "function:NAME, line:FILE:LINE, or a finding of waiting or "
	       "small accesses: finding (any),\n"
	       "finding:KIND or finding:KIND:FILE:LINE.  AMOUNT is a change, "
	       "as 5%, or a time, as 10ms.  A\n"
	       "difference within the noise is no failure.\n",
	.run = run,
};

/* A parsed command line. */
struct request {
	const char *by;
	struct gaspdb_output_style style;
	int64_t limit;
	const char *html; /* the page to write; NULL: none */
	struct gaspdb_compare_condition *conditions;
	size_t n_conditions;
};

/* Is it one of the words between the bars? */
static bool is_one_of(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; p; p = strchr(p, '|')) {
		p += *p == '|';
		if (n && strcspn(p, "|") == n && !memcmp(p, word, n))
			return true;
	}
	return false;
}

/* Reads an option; false: an invalid value, reported. */
static bool take_option(void *user, int option, const char *value)
{
	struct request *request = user;
	struct gaspdb_error err;

	switch (option) {
	case BY:
		request->by = value;
		if (is_one_of(GASPDB_COMPARE_BY, value))
			return true;
		gaspdb_options_usage(&gaspdb_cmd_compare,
				     "invalid value '%s' for --by: one of %s is "
				     "needed",
				     value, GASPDB_COMPARE_BY);
		return false;
	case FORMAT:
		if (gaspdb_output_format_parse(value, &request->style.format))
			return true;
		gaspdb_options_usage(&gaspdb_cmd_compare, "no such format as '%s'",
				     value);
		return false;
	case HTML:
		request->html = value;
		return true;
	case LIMIT:
		if (gaspdb_human_parse(value, "", &request->limit) &&
		    request->limit >= -1)
			return true;
		gaspdb_options_usage(&gaspdb_cmd_compare,
				     "invalid value '%s' for --limit: a whole "
				     "number from -1 is needed",
				     value);
		return false;
	default:
		if (gaspdb_compare_condition_parse(
			    &request->conditions[request->n_conditions++],
			    value, &err) == GASPDB_OK)
			return true;
		gaspdb_options_usage(&gaspdb_cmd_compare, "%s", err.msg);
		return false;
	}
}

/* Adds the files of one side: a list separated by commas, unless it is itself a
   file. */
static enum gaspdb_status add_side(struct gaspdb_compare *c, const char *side,
				   const char *operand,
				   struct gaspdb_error *err)
{
	enum gaspdb_status status = GASPDB_OK;
	char *copy = gaspdb_text_copy(operand, strlen(operand)), *rest = copy;
	char *path;

	if (!access(operand, F_OK))
		status = gaspdb_compare_add(c, side, strsep(&rest, ""), err);
	else
		while (status == GASPDB_OK && (path = strsep(&rest, ",")))
			status = gaspdb_compare_add(c, side, path, err);
	free(copy);
	return status;
}

/* The first file of a side. The caller frees it. */
static char *first_of(const char *operand)
{
	return gaspdb_text_copy(operand, access(operand, F_OK)
						 ? strcspn(operand, ",")
						 : strlen(operand));
}

/* Prints a sentence on stderr, unless empty, and frees it. */
static void remark(char *sentence)
{
	if (*sentence)
		gaspdb_print_error("%s", sentence);
	free(sentence);
}

/* The comparison as text, or as JSON. The caller frees it. */
static char *comparison_text(struct gaspdb_compare *c, bool json,
			     struct gaspdb_error *err)
{
	const struct gaspdb_output_style style = { .format =
							   GASPDB_OUTPUT_JSON };
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (json)
		gaspdb_compare_write(c, out, &style, -1, err);
	else
		gaspdb_compare_print(c, out, 10, err);
	fclose(out);
	return text;
}

/* Writes the page: the comparison, and the first run of each side. */
static enum gaspdb_status write_page(struct gaspdb_compare *c,
				     char *const *operands, const char *page,
				     struct gaspdb_error *err)
{
	char *text = comparison_text(c, false, err);
	char *json = comparison_text(c, true, err);
	struct gaspdb_database db[2];
	struct gaspdb_report r[2] = { { .db = &db[0] }, { .db = &db[1] } };
	int n = 0;

	for (; n < 2 && err->status == GASPDB_OK; n++) {
		char *path = first_of(operands[n]);
		const bool open =
			gaspdb_database_open(&db[n], path, err) == GASPDB_OK;

		free(path);
		if (!open)
			break;
		r[n].out = stdout;
		r[n].file = operands[n];
		gaspdb_report_read(&r[n]);
	}
	if (n == 2)
		gaspdb_html_write_two(&r[0], &r[1], text, json, page, err);
	while (n-- > 0) {
		gaspdb_report_free(&r[n]);
		gaspdb_database_close(&db[n]);
	}
	free(json);
	free(text);
	return err->status;
}

static enum gaspdb_status show(struct gaspdb_compare *c,
			       const struct request *request,
			       struct gaspdb_error *err)
{
	if (request->style.format == GASPDB_OUTPUT_TABLE)
		return gaspdb_compare_print(c, stdout, request->limit, err);
	remark(gaspdb_compare_scale(c));
	remark(gaspdb_compare_noise(c));
	return gaspdb_compare_write(c, stdout, &request->style, request->limit,
				    err);
}

/* Checks all conditions, so that each that holds is reported. Returns the exit
   status. */
static int check(struct gaspdb_compare *c, const struct request *request)
{
	struct gaspdb_error err;
	int status = GASPDB_EXIT_DONE;

	for (size_t i = 0; i < request->n_conditions; i++) {
		bool holds;
		if (gaspdb_compare_check(c, &request->conditions[i], &holds,
					 &err) != GASPDB_OK) {
			gaspdb_print_error("%s", err.msg);
			return GASPDB_EXIT_USAGE;
		}
		if (holds)
			status = GASPDB_EXIT_WORSE;
	}
	return status;
}

static int compare(char *const *operands, const struct request *request)
{
	struct gaspdb_compare c;
	struct gaspdb_error err = { 0 };
	int status = GASPDB_EXIT_FAILED;

	if (gaspdb_compare_open(&c, request->by, &err) == GASPDB_OK &&
	    add_side(&c, "a", operands[0], &err) == GASPDB_OK &&
	    add_side(&c, "b", operands[1], &err) == GASPDB_OK &&
	    gaspdb_compare_match(&c, &err) == GASPDB_OK &&
	    (request->html
		     ? write_page(&c, operands, request->html, &err)
		     : show(&c, request, &err)) == GASPDB_OK)
		status = check(&c, request);
	else
		gaspdb_print_error("%s", err.msg);
	gaspdb_compare_close(&c);
	return status;
}

static int run_options(struct gaspdb_options *o, struct request *request)
{
	int status;

	if (!gaspdb_options_take(o, take_option, request, &status))
		return status;
	if (o->n_operands != 2)
		return gaspdb_options_usage(o->command,
					    "two databases are needed");
	return compare(o->operands, request);
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_compare,
				    .argc = argc,
				    .argv = argv };
	struct request request = {
		.by = "line",
		.limit = 10,
		.style.terminal = isatty(STDOUT_FILENO),
	};

	request.conditions =
		gaspdb_memory_new((size_t)argc, sizeof *request.conditions);
	int status = run_options(&o, &request);
	for (size_t i = 0; i < request.n_conditions; i++)
		gaspdb_compare_condition_free(&request.conditions[i]);
	free(request.conditions);
	return status;
}
