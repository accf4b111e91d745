/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb report: a page about the run and its costliest findings. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/html/html.h"
#include "cli/nearest.h"
#include "cli/next_command.h"
#include "cli/options.h"
#include "cli/output/pager.h"
#include "cli/report/report.h"
#include "cli/report/json.h"
#include "cli/output/text.h"

static int run(int argc, char **argv);

enum { FORMAT, HTML, NO_PAGER, NO_SOURCE, SECTION };

static const struct gaspdb_option options[] = {
	[FORMAT] = { 0, "format", "text|json", "the output format (text)" },
	[HTML] = { 0, "html", "FILE",
		   "write a page for a browser, which needs no network" },
	[NO_PAGER] = { 0, "no-pager", NULL,
		       "print without a pager on a terminal" },
	[NO_SOURCE] = { 0, "no-source", NULL,
			"with --html: without lines of the program" },
	[SECTION] = { 0, "section", "NAME[,NAME...]",
		      "print only these sections; list: print their names" },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_report = {
	.name = "report",
	.synopsis = "report [OPTION...] FILE",
	.summary = "show where the time went and the worst problems",
	.options = options,
	.doc = "FILE is a database made by 'gaspdb import'.  The page begins "
	       "with the costliest findings.  Each\n"
	       "section names the command that shows more.  Times are summed "
	       "over threads.\n\n"
	       "With --html nothing is printed but what was written.  A pipe "
	       "or device is written to at once; a\n"
	       "file takes its name when it is complete.\n",
	.run = run,
};

/* A parsed command line; sections by index in the list. */
struct request {
	bool *wanted; /* unused if is_all */
	bool is_all, list, no_pager, json;
	const char *html; /* the page to write; NULL: none */
	struct gaspdb_html_options page;
};

static size_t count_sections(void)
{
	size_t n = 0;

	while (gaspdb_report_sections[n].title)
		n++;
	return n;
}

/* The path quoted for a shell; "FILE" if too long for the page. */
static char *name_in_commands(const char *path, int page)
{
	enum { COMMAND = 55 }; /* columns before it, at most */
	const int room = page - COMMAND > 12 ? page - COMMAND : 12;
	char *word = gaspdb_path_word(path);

	if ((int)gaspdb_text_width(word) <= room)
		return word;
	free(word);
	return gaspdb_text_copy("FILE", 4);
}

static void list_sections(void)
{
	static const struct gaspdb_run_words words = { (char *)"thread",
						       (char *)"threads",
						       (char *)"process",
						       (char *)"processes" };

	for (size_t i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];
		char *title = gaspdb_run_words_fill(&words, s->title);

		printf("%-16s %s\n", gaspdb_report_section_name(s), title);
		free(title);
	}
}

/* Adds a section; false: no such name, reported. */
static bool add_section(struct request *request, const char *name)
{
	struct gaspdb_nearest nearest = { .typed = name };

	if (!strcmp(name, "list"))
		return request->list = true;
	for (size_t i = 0; gaspdb_report_sections[i].title; i++) {
		const char *is =
			gaspdb_report_section_name(&gaspdb_report_sections[i]);

		if (!strcmp(is, name))
			return request->wanted[i] = true;
		gaspdb_nearest_try(&nearest, is);
	}
	char *hint = gaspdb_nearest_hint(
		&nearest, "'gaspdb report --section=list' lists them");
	gaspdb_options_usage(&gaspdb_cmd_report, "there is no section '%s'; %s",
			     name, hint);
	free(hint);
	return false;
}

static bool add_sections(struct request *request, const char *names)
{
	char *copy = gaspdb_text_copy(names, strlen(names)), *rest = copy;
	bool good = true;
	char *name;

	request->is_all = false;
	while (good && (name = strsep(&rest, ",")))
		good = add_section(request, name);
	free(copy);
	return good;
}

static bool take_format(struct request *request, const char *name)
{
	request->json = !strcmp(name, "json");
	if (request->json || !strcmp(name, "text"))
		return true;
	gaspdb_options_usage(&gaspdb_cmd_report, "no such format as '%s'",
			     name);
	return false;
}

static bool take_option(void *user, int option, const char *value)
{
	struct request *request = user;

	switch (option) {
	case FORMAT:
		return take_format(request, value);
	case HTML:
		request->html = value;
		return true;
	case NO_SOURCE:
		return request->page.no_source = true;
	case NO_PAGER:
		return request->no_pager = true;
	default:
		return add_sections(request, value);
	}
}

/* Prints a requested section; says so if it is empty. */
static void print_wanted(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section)
{
	const bool needs_trace = gaspdb_report_needs_trace(r, section);

	if ((!needs_trace && gaspdb_report_section_print(r, section)) ||
	    r->err.status != GASPDB_OK)
		return;
	gaspdb_report_title(r, section->title);
	fputs(needs_trace ? "  needs a trace: this run was recorded as a "
			    "profile (--mode=profile)\n"
			  : "  nothing of the kind in this run\n",
	      r->out);
}

static void print_sections(struct gaspdb_report *r,
			   const struct request *request)
{
	for (int i = 0; gaspdb_report_sections[i].title; i++)
		if (request->wanted[i])
			print_wanted(r, &gaspdb_report_sections[i]);
}

static int report(struct gaspdb_report *r, const struct request *request)
{
	gaspdb_report_read(r);
	if (request->html)
		gaspdb_html_write(r, request->html, &request->page);
	else if (request->json)
		gaspdb_report_json(r, request->is_all ? NULL : request->wanted);
	else if (request->is_all)
		gaspdb_report_print(r);
	else
		print_sections(r, request);
	gaspdb_report_free(r);
	if (r->err.status == GASPDB_OK)
		return GASPDB_EXIT_DONE;
	gaspdb_print_error("%s", r->err.msg);
	return GASPDB_EXIT_FAILED;
}

/* Output stream: stdout, on a terminal through a pager, which may be quit
   early. */
static FILE *open_out(const struct request *request)
{
	if (request->no_pager || request->json || request->html || !isatty(STDOUT_FILENO))
		return stdout;
	signal(SIGPIPE, SIG_IGN);
	return gaspdb_pager_open(gaspdb_pager_find("less -FRX"));
}

static int open_and_report(const char *path, const struct request *request)
{
	struct gaspdb_database db;
	struct gaspdb_report r = { .db = &db };
	int status;

	if (gaspdb_database_open(&db, path, &r.err) != GASPDB_OK) {
		gaspdb_print_error("%s", r.err.msg);
		return GASPDB_EXIT_FAILED;
	}
	r.file = name_in_commands(path, gaspdb_report_width(stdout));
	gaspdb_report_fix_width(stdout);
	r.out = open_out(request);
	status = report(&r, request);
	gaspdb_pager_close(r.out);
	free(r.file);
	gaspdb_database_close(&db);
	return status;
}

static int run_options(struct gaspdb_options *o, struct request *request)
{
	int status;

	if (!gaspdb_options_take(o, take_option, request, &status))
		return status;
	if (request->list) {
		list_sections();
		return GASPDB_EXIT_DONE;
	}
	if (o->n_operands != 1)
		return gaspdb_options_usage(o->command,
					    "one database is needed");
	return open_and_report(o->operands[0], request);
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_report,
				    .argc = argc,
				    .argv = argv };
	struct request request = { .wanted = gaspdb_memory_new(count_sections(),
							       sizeof(bool)),
				   .is_all = true };
	const int status = run_options(&o, &request);

	free(request.wanted);
	return status;
}
