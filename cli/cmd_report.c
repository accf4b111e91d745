/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb report: a page that says what the run did and what is worst. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "next_command.h"
#include "options.h"
#include "report.h"
#include "text.h"

static int run(int argc, char **argv);

static const struct gaspdb_option options[] = { { 0, NULL, NULL, NULL } };

const struct gaspdb_command gaspdb_cmd_report = {
	.name = "report",
	.synopsis = "report FILE",
	.summary = "tell where the time went and what is worst",
	.options = options,
	.doc = "FILE is what 'gaspdb import' made.  Each section names the "
	       "command that shows more.  Times of\n"
	       "several threads are added up.\n",
	.run = run,
};

/* The path as one types it in a shell; FILE if it would fill the lines. */
static char *name_in_commands(const char *path, int page)
{
	enum { COMMAND = 55 }; /* what stands before it, at most */
	const int room = page - COMMAND > 12 ? page - COMMAND : 12;
	char *word = gaspdb_path_word(path);

	if ((int)gaspdb_text_width(word) <= room)
		return word;
	free(word);
	return gaspdb_text_copy("FILE", 4);
}

static int report(struct gaspdb_report *r)
{
	r->n_threads = gaspdb_database_integer(
		r->db, "SELECT count(*) FROM thread", 0);
	r->n_processes = gaspdb_database_integer(
		r->db, "SELECT count(*) FROM thread WHERE number = 0", 0);
	r->duration_ns = gaspdb_database_integer(
		r->db, "SELECT max(last_ns) - min(first_ns) FROM thread", 0);
	r->total_ns = gaspdb_database_integer(
		r->db, "SELECT sum(last_ns - first_ns) FROM thread", 0);
	r->is_cut = gaspdb_database_integer(
		r->db,
		"SELECT EXISTS (SELECT 1 FROM thread WHERE NOT complete)", 0);
	gaspdb_report_run(r);
	for (int i = 0; gaspdb_report_sections[i].title; i++)
		gaspdb_report_section_print(r, &gaspdb_report_sections[i]);
	if (r->err.status == GASPDB_OK)
		return GASPDB_EXIT_DONE;
	gaspdb_print_error("%s", r->err.msg);
	return GASPDB_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_report,
				    .argc = argc,
				    .argv = argv };
	struct gaspdb_database db;
	struct gaspdb_report r = { .db = &db, .out = stdout };
	int status;

	if (!gaspdb_options_none(&o, &status))
		return status;
	if (o.n_operands != 1)
		return gaspdb_options_usage(o.command,
					    "one database is needed");
	if (gaspdb_database_open(&db, o.operands[0], &r.err) != GASPDB_OK) {
		gaspdb_print_error("%s", r.err.msg);
		return GASPDB_EXIT_FAILED;
	}
	r.file = name_in_commands(o.operands[0], gaspdb_report_width(stdout));
	status = report(&r);
	free(r.file);
	gaspdb_database_close(&db);
	return status;
}
