/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info of a run directory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "human.h"
#include "info.h"
#include "info_logs.h"
#include "output.h"
#include "run_facts.h"
#include "run_logs.h"
#include "text.h"

static void print_fact(const char *directory, const char *key)
{
	char *value = gaspdb_run_fact(directory, key);

	gaspdb_info_print(key, value);
	free(value);
}

static void print_facts(const char *directory)
{
	gaspdb_info_print("run directory", directory);
	print_fact(directory, GASPDB_RUN_COMMAND);
	print_fact(directory, GASPDB_RUN_DIRECTORY);
	print_fact(directory, GASPDB_RUN_START);
	print_fact(directory, GASPDB_RUN_END);
	print_fact(directory, GASPDB_RUN_STATUS);
	print_fact(directory, GASPDB_RUN_HOST);
	print_fact(directory, GASPDB_RUN_NOTHING);
}

static void print_totals(const struct gaspdb_run_logs *logs)
{
	char size[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	uint64_t bytes = 0, events = 0;

	for (size_t i = 0; i < logs->n; i++) {
		bytes += logs->logs[i].bytes;
		events += logs->logs[i].events;
	}
	gaspdb_info_programs(logs);
	gaspdb_info_print("runtime", logs->logs[0].runtime);
	printf("%-15s %zu, %s, %s raw events\n", "logs", logs->n,
	       gaspdb_human_size(size, (int64_t)bytes),
	       gaspdb_human_count(count, (int64_t)events));
	gaspdb_info_rates(logs);
	putchar('\n');
}

static struct gaspdb_output_cell number_cell(const char *text)
{
	return text ? gaspdb_output_integer(strtoll(text, NULL, 10))
		    : gaspdb_output_text(NULL);
}

/* What is 0 is not known. */
static struct gaspdb_output_cell rate_cell(double rate)
{
	return rate > 0 && rate < 9e18 ? gaspdb_output_integer((int64_t)rate)
				       : gaspdb_output_text(NULL);
}

static void print_logs(const struct gaspdb_run_logs *logs)
{
	static const struct gaspdb_output_column columns[] = {
		{ "rank", "" },		 { "thread", "" },
		{ "model", "" },	 { "host", "" },
		{ "size", "B" },	 { "raw events", "count" },
		{ "a second", "count" }, { "an hour", "B" },
		{ "state", "" },	 { "log", "" },
	};
	struct gaspdb_output *o =
		gaspdb_output_open(stdout, GASPDB_OUTPUT_TABLE,
				   isatty(STDOUT_FILENO), columns, 10);

	for (size_t i = 0; i < logs->n; i++) {
		const struct gaspdb_run_log *log = &logs->logs[i];
		struct gaspdb_rates rates = { 0 };

		gaspdb_rates_add(&rates, &log->rate, log->ticks_hz);
		gaspdb_output_row(
			o, (struct gaspdb_output_cell[]){
				   number_cell(log->rank),
				   number_cell(log->thread),
				   gaspdb_output_text(log->model),
				   gaspdb_output_text(log->host),
				   gaspdb_output_integer((int64_t)log->bytes),
				   gaspdb_output_integer((int64_t)log->events),
				   rate_cell(rates.raw_events),
				   rate_cell(rates.bytes * 3600),
				   gaspdb_output_text(log->whole ? "whole"
								 : "damaged"),
				   gaspdb_output_text(log->name) });
	}
	gaspdb_output_close(o);
}

/* Ranks that must exist and have no log. */
static long missing_ranks(const struct gaspdb_run_logs *logs)
{
	long known = 0, seen = 0, last = -1;

	for (size_t i = 0; i < logs->n; i++) {
		const struct gaspdb_run_log *log = &logs->logs[i];
		long ranks = log->ranks ? strtol(log->ranks, NULL, 10) : 0;
		long rank = log->rank ? strtol(log->rank, NULL, 10) : -1;
		known = ranks > known ? ranks : known;
		seen += rank >= 0 && rank != last; /* they are sorted */
		last = rank >= 0 ? rank : last;
	}
	return known > seen ? known - seen : 0;
}

/* The run of the first log that tells; one that cannot be read has run 0. */
static uint64_t first_run(const struct gaspdb_run_logs *logs)
{
	for (size_t i = 0; i < logs->n; i++)
		if (logs->logs[i].run)
			return logs->logs[i].run;
	return 0;
}

/* A line on stderr for each defect; returns their number. */
static int print_defects(const struct gaspdb_run_logs *logs)
{
	const uint64_t run = first_run(logs);
	long missing = missing_ranks(logs);
	int n = missing > 0;

	if (missing > 0)
		gaspdb_print_error(
			"%ld %s no log", missing,
			gaspdb_human_plural(missing, "rank has", "ranks have"));
	for (size_t i = 0; i < logs->n; i++) {
		const struct gaspdb_run_log *log = &logs->logs[i];
		const bool other = log->run && log->run != run;

		if (!log->whole)
			gaspdb_print_error("%s: %s", log->name, log->defect);
		if (log->lost)
			gaspdb_print_error("%s: %" PRIu64 " events could not "
					   "be recorded",
					   log->name, log->lost);
		if (other)
			gaspdb_print_error("%s: a log of another run",
					   log->name);
		if (log->not_seen)
			gaspdb_print_error("%s: not seen: %s", log->name,
					   log->not_seen);
		n += !log->whole || log->lost || other;
	}
	return n;
}

int gaspdb_info_run(const char *directory)
{
	struct gaspdb_run_logs logs;
	struct gaspdb_error err;
	int status = GASPDB_EXIT_FAILED;

	if (gaspdb_run_logs_read(&logs, directory, &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		return status;
	}
	if (logs.n == 0) {
		print_facts(directory);
		gaspdb_print_error("'%s' holds no logs", directory);
	} else {
		print_facts(directory);
		print_totals(&logs);
		print_logs(&logs);
		status = print_defects(&logs) ? GASPDB_EXIT_DAMAGED
					      : GASPDB_EXIT_DONE;
	}
	gaspdb_run_logs_free(&logs);
	return status;
}
