/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of subcommands, and their help. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/core/events.h"
#include "cli/options.h"
#include "cli/output/output.h"
#include "sql/sql.h"
#include "cli/output/text.h"

extern const struct gaspdb_command gaspdb_cmd_analyze, gaspdb_cmd_compare,
	gaspdb_cmd_events, gaspdb_cmd_import, gaspdb_cmd_info,
	gaspdb_cmd_record, gaspdb_cmd_report, gaspdb_cmd_shell;

const struct gaspdb_command *const gaspdb_commands[] = {
	&gaspdb_cmd_analyze, &gaspdb_cmd_compare, &gaspdb_cmd_events,
	&gaspdb_cmd_import,  &gaspdb_cmd_info,	  &gaspdb_cmd_record,
	&gaspdb_cmd_report,  &gaspdb_cmd_shell,	  NULL,
};

const struct gaspdb_command *gaspdb_command_find(const char *name)
{
	for (int i = 0; gaspdb_commands[i]; i++)
		if (!strcmp(gaspdb_commands[i]->name, name))
			return gaspdb_commands[i];
	return NULL;
}

int gaspdb_commands_help(void)
{
	puts("usage: gaspdb COMMAND [ARGUMENT...]\n"
	     "       gaspdb --help | --version\n\n"
	     "Post-mortem performance analysis of parallel programs.\n\n"
	     "commands:");
	for (int i = 0; gaspdb_commands[i]; i++)
		printf("  %-9s %s\n", gaspdb_commands[i]->name,
		       gaspdb_commands[i]->summary);
	puts("\nThe usual way:\n"
	     "  gaspdb record -o run -- mpirun -np 4 ./program\n"
	     "  gaspdb import run\n"
	     "  gaspdb report run.db\n\n"
	     "'gaspdb COMMAND --help' for details.");
	return GASPDB_EXIT_DONE;
}

static int list_options(const char *name)
{
	const struct gaspdb_command *command = gaspdb_command_find(name);

	if (!command)
		return GASPDB_EXIT_USAGE;
	for (int i = 0; command->options && command->options[i].name; i++) {
		char *row = gaspdb_options_row(&command->options[i]);
		printf("%s\t%s\n", row, command->options[i].doc);
		free(row);
	}
	char *row = gaspdb_options_row(&gaspdb_option_help);
	printf("%s\t%s\n", row, gaspdb_option_help.doc);
	free(row);
	return GASPDB_EXIT_DONE;
}

static int list_parameters(const char *name)
{
	const struct gaspdb_analysis *analysis = gaspdb_analysis_find(name);

	if (!analysis)
		return GASPDB_EXIT_USAGE;
	for (int i = 0; analysis->params[i].name; i++)
		printf("%s\t%s\n", analysis->params[i].name,
		       analysis->params[i].choices ? analysis->params[i].choices
						   : "");
	return GASPDB_EXIT_DONE;
}

int gaspdb_commands_list(const char *what)
{
	if (!strncmp(what, "options:", 8))
		return list_options(what + 8);
	if (!strncmp(what, "parameters:", 11))
		return list_parameters(what + 11);
	if (!strcmp(what, "commands"))
		for (int i = 0; gaspdb_commands[i]; i++)
			puts(gaspdb_commands[i]->name);
	else if (!strcmp(what, "synopses"))
		for (int i = 0; gaspdb_commands[i]; i++)
			printf("gaspdb %s\n", gaspdb_commands[i]->synopsis);
	else if (!strcmp(what, "analyses"))
		for (int i = 0; gaspdb_analyses[i].name; i++)
			puts(gaspdb_analyses[i].name);
	else if (!strcmp(what, "formats"))
		for (int i = 0; gaspdb_output_modes[i].name; i++)
			puts(gaspdb_output_modes[i].name);
	else if (!strcmp(what, "events"))
		for (int i = 0; i < GASPDB_N_EVENTS; i++)
			puts(gaspdb_events[i].symbol);
	else {
		gaspdb_print_error("there is no list '%s'", what);
		return GASPDB_EXIT_USAGE;
	}
	return GASPDB_EXIT_DONE;
}
