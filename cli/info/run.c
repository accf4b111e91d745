/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info of a run. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output/human.h"
#include "importer/inspect/inspect.h"
#include "cli/info/info.h"
#include "cli/info/logs.h"
#include "cli/output/output.h"
#include "cli/run_choice.h"
#include "cli/run_facts.h"
#include "cli/output/text.h"

static void print_fact(const struct gaspdb_inspection *s, const char *key)
{
	FILE *f = gaspdb_input_other(&s->input, GASPDB_RUN_FACTS);
	char *value = f ? gaspdb_run_fact_in(f, key) : NULL;

	gaspdb_info_print(key, value);
	free(value);
	if (f)
		fclose(f);
}

static void print_facts(const struct gaspdb_inspection *s, const char *path)
{
	gaspdb_info_print("run", s->input.where ? s->input.where : path);
	print_fact(s, GASPDB_RUN_COMMAND);
	print_fact(s, GASPDB_RUN_DIRECTORY);
	print_fact(s, GASPDB_RUN_START);
	print_fact(s, GASPDB_RUN_END);
	print_fact(s, GASPDB_RUN_STATUS);
	print_fact(s, GASPDB_RUN_HOST);
	print_fact(s, GASPDB_RUN_NOTHING);
}

static void print_totals(const struct gaspdb_inspection *s,
			 const struct gaspdb_run_words *words)
{
	char size[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	const char *runtime = NULL, *mode = NULL;
	uint64_t bytes = 0, events = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n_threads; i++) {
		const struct gaspdb_inspection_thread *t = &s->threads[i];

		n += t->file != NULL;
		bytes += t->bytes;
		events += t->events;
		runtime = runtime ? runtime : t->runtime;
		mode = mode ? mode : t->mode;
	}
	gaspdb_info_programs(s, words);
	gaspdb_info_print("runtime", runtime);
	gaspdb_info_print("mode", mode);
	printf("%-15s %zu, %s, %s raw events\n", "logs", n,
	       gaspdb_human_size(size, (int64_t)bytes),
	       gaspdb_human_count(count, (int64_t)events));
	gaspdb_info_rates(s, words);
	putchar('\n');
}

/* A cell with a rate; 0: unknown. */
static struct gaspdb_output_cell rate_cell(double rate)
{
	return rate > 0 && rate < 9e18 ? gaspdb_output_integer((int64_t)rate)
				       : gaspdb_output_text(NULL);
}

static struct gaspdb_output_cell number_cell(int64_t n)
{
	return n == GASPDB_NULL ? gaspdb_output_text(NULL)
				: gaspdb_output_integer(n);
}

static void print_thread(struct gaspdb_output *o,
			 const struct gaspdb_inspection_thread *t)
{
	const int64_t none = GASPDB_NULL;
	struct gaspdb_rates rates = { 0 };

	gaspdb_rates_add(&rates, &t->rate, t->ticks_hz);
	gaspdb_output_row(
		o, (struct gaspdb_output_cell[]){
			   number_cell(t->rank), number_cell(t->number),
			   gaspdb_output_text(t->model),
			   gaspdb_output_text(t->host),
			   number_cell(t->file ? (int64_t)t->bytes : none),
			   number_cell(t->file ? (int64_t)t->events : none),
			   rate_cell(rates.raw_events),
			   rate_cell(rates.bytes * 3600),
			   gaspdb_output_text(!t->file	 ? "missing"
					      : t->whole ? "whole"
							 : "damaged"),
			   gaspdb_output_text(t->file) });
}

static void print_threads(const struct gaspdb_inspection *s,
			  const struct gaspdb_run_words *words)
{
	const bool numbers = !strcmp(words->process, "thread");
	const struct gaspdb_output_column columns[] = {
		{ words->process, "" },	 { numbers ? "number" : "thread", "" },
		{ "model", "" },	 { "host", "" },
		{ "size", "B" },	 { "raw events", "count" },
		{ "a second", "count" }, { "an hour", "B" },
		{ "state", "" },	 { "log", "" },
	};
	const struct gaspdb_output_style style = {
		.format = GASPDB_OUTPUT_TABLE,
		.terminal = isatty(STDOUT_FILENO)
	};
	struct gaspdb_output *o =
		gaspdb_output_open(stdout, &style, columns, 10);

	for (size_t i = 0; i < s->n_threads; i++)
		print_thread(o, &s->threads[i]);
	gaspdb_output_close(o);
}

static void print_members(const struct gaspdb_inspection *s)
{
	struct gaspdb_run_words words;

	gaspdb_info_words(s, &words);
	print_totals(s, &words);
	print_threads(s, &words);
	gaspdb_run_words_free(&words);
}

/* Prints what the collector could not see; repeated texts once. */
static void print_not_seen(const struct gaspdb_inspection *s)
{
	const char *last = "";

	for (size_t i = 0; i < s->n_threads; i++) {
		const char *not_seen = s->threads[i].not_seen;

		if (!not_seen || !strcmp(not_seen, last))
			continue;
		gaspdb_print_error("not seen: %s", not_seen);
		last = not_seen;
	}
}

/* Folder for the spool: large and not in memory, if possible. */
static const char *spool_folder(void)
{
	const char *folder = getenv("TMPDIR");

	if (folder && *folder)
		return folder;
	return access("/var/tmp", W_OK) ? "/tmp" : "/var/tmp";
}

int gaspdb_info_run(const char *path, const char *run, uint64_t unpack_max)
{
	struct gaspdb_input_options options = { .path = path,
						.run = run,
						.spool = spool_folder(),
						.unpack_max = unpack_max };
	struct gaspdb_inspection s;
	struct gaspdb_error err;
	enum gaspdb_status status;
	int exit_status;

	signal(SIGXFSZ,
	       SIG_IGN); /* an exceeded limit is reported as an error */
	status = gaspdb_inspect(&s, &options, &err);
	if (!s.input.several && (s.n_threads || s.input.others.n))
		print_facts(&s, path);
	if (s.n_threads)
		print_members(&s);
	gaspdb_print_diagnostics(&s.diagnostics);
	print_not_seen(&s);
	if (status) {
		gaspdb_print_error("%s", err.msg);
		exit_status = gaspdb_print_runs(&s.runs);
	} else {
		exit_status =
			s.n_defects ? GASPDB_EXIT_DAMAGED : GASPDB_EXIT_DONE;
	}
	gaspdb_inspection_free(&s);
	return exit_status;
}
