/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choice of one run among several. */
#include "cli/run_choice.h"

#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output/human.h"
#include "cli/output/output.h"
#include "cli/output/text.h"

bool gaspdb_parse_limit(const char *text, uint64_t *limit)
{
	int64_t bytes;

	if (!gaspdb_human_parse_size(text, &bytes) || bytes <= 0)
		return false;
	*limit = (uint64_t)bytes;
	return true;
}

static struct gaspdb_output_cell count(size_t n)
{
	return n ? gaspdb_output_integer((int64_t)n) : gaspdb_output_text(NULL);
}

int gaspdb_print_runs(struct gaspdb_run_list *runs)
{
	static const struct gaspdb_output_column columns[] = {
		{ "run", "" },
		{ "logs", "" },
		{ "threads", "" },
		{ "start", "" }
	};
	const struct gaspdb_output_style style = {
		.format = GASPDB_OUTPUT_TABLE, .terminal = isatty(STDERR_FILENO)
	};
	struct gaspdb_output *o;
	char date[GASPDB_HUMAN_BYTES];

	if (!runs->n)
		return GASPDB_EXIT_FAILED;
	o = gaspdb_output_open(stderr, &style, columns, 4);
	for (size_t i = 0; i < runs->n; i++) {
		const struct gaspdb_listed_run *run = &runs->run[i];

		gaspdb_output_row(
			o, (struct gaspdb_output_cell[]){
				   gaspdb_output_text(run->name),
				   count(run->logs), count(run->threads),
				   gaspdb_output_text(
					   run->threads
						   ? gaspdb_human_date(
							     date,
							     run->start_real_ns)
						   : NULL) });
	}
	gaspdb_output_close(o);
	gaspdb_run_list_free(runs);
	return GASPDB_EXIT_USAGE;
}

static void print_line(const char *text)
{
	gaspdb_print_error("%s", text);
}

void gaspdb_print_diagnostics(const struct gaspdb_diagnostics *diagnostics)
{
	gaspdb_diagnostics_each(diagnostics, print_line);
}
