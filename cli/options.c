/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines: getopt_long driven by the commands' option tables. */
#include "cli/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nearest.h"
#include "cli/output/text.h"

/* getopt values above those of letters; the option's index is added. */
enum { FIRST_VALUE = 0x1000 };

const struct gaspdb_option gaspdb_option_help = { 'h', "help", NULL,
						  "print this text" };

static int count(const struct gaspdb_command *command)
{
	int n = 0;

	while (command->options && command->options[n].name)
		n++;
	return n;
}

static void set_row(struct option *row, const struct gaspdb_option *option,
		    int value)
{
	row->name = option->name;
	row->has_arg = option->argument ? required_argument : no_argument;
	row->val = value;
}

/* The caller frees it. */
static char *with_underscores(const char *name)
{
	char *copy = gaspdb_text_copy(name, strlen(name));

	for (char *p = copy; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return copy;
}

/* Makes getopt's table: the options, --help, and undocumented spellings with
   underscores for dashes. */
static void make_table(struct gaspdb_options *o)
{
	int n = count(o->command);
	struct option *row;

	o->table = gaspdb_memory_new(2 * (size_t)n + 2, sizeof *o->table);
	for (int i = 0; i < n; i++)
		set_row(&o->table[i], &o->command->options[i], FIRST_VALUE + i);
	set_row(&o->table[n], &gaspdb_option_help, FIRST_VALUE + n);
	row = &o->table[n + 1];
	for (int i = 0; i < n; i++)
		if (strchr(o->table[i].name, '-')) {
			*row = o->table[i];
			row++->name = with_underscores(o->table[i].name);
		}
	optind = 0;
	opterr = 0;
}

/* getopt's string of letters, in buf. '+' ends the options at the first
   operand; ':' distinguishes a missing value from an unknown option. */
static const char *letters(const struct gaspdb_options *o, char buf[128])
{
	char *p = buf;

	if (o->in_order)
		*p++ = '+';
	*p++ = ':';
	*p++ = gaspdb_option_help.letter;
	for (int i = 0; i < count(o->command) && p < buf + 120; i++) {
		const struct gaspdb_option *option = &o->command->options[i];
		if (!option->letter)
			continue;
		*p++ = option->letter;
		if (option->argument)
			*p++ = ':';
	}
	*p = '\0';
	return buf;
}

/* Reports an unknown option; word: with dashes, perhaps with a value. */
static void unknown_option(const struct gaspdb_options *o, const char *word)
{
	const char *name = word + strspn(word, "-");
	char *typed = gaspdb_text_copy(name, strcspn(name, "="));
	struct gaspdb_nearest nearest = { .typed = typed };

	/* the spelling with dashes comes first, and wins ties */
	for (const struct option *row = o->table; row->name; row++)
		gaspdb_nearest_try(&nearest, row->name);
	if (nearest.name)
		gaspdb_options_usage(o->command,
				     "unknown option '%s'; did you mean "
				     "'--%s'?",
				     word, nearest.name);
	else
		gaspdb_options_usage(o->command, "unknown option '%s'", word);
	free(typed);
}

/* Reports what getopt refused; optopt is a letter, a row's value, or 0. */
static int wrong(struct gaspdb_options *o, int c)
{
	const char letter[3] = { '-', (char)optopt, '\0' };
	bool is_row = optopt >= FIRST_VALUE;
	const char *word = optopt && !is_row ? letter : o->argv[optind - 1];

	if (c == ':')
		gaspdb_options_usage(o->command, "option '%s' needs a value",
				     word);
	else if (is_row)
		gaspdb_options_usage(o->command, "option '%s' takes no value",
				     word);
	else
		unknown_option(o, word);
	return GASPDB_OPTIONS_WRONG;
}

void gaspdb_options_fini(struct gaspdb_options *o)
{
	if (!o->table)
		return;
	for (struct option *copy = o->table + count(o->command) + 1; copy->name;
	     copy++)
		free((void *)copy->name);
	free(o->table);
	o->table = NULL;
}

static int finish(struct gaspdb_options *o, int result)
{
	o->operands = o->argv + optind;
	o->n_operands = o->argc - optind;
	gaspdb_options_fini(o);
	return result;
}

/* Index of the option for getopt's value; the number of options: help. */
static int index_of(const struct gaspdb_options *o, int value)
{
	int n = count(o->command);

	if (value >= FIRST_VALUE)
		return value - FIRST_VALUE;
	for (int i = 0; i < n; i++)
		if (o->command->options[i].letter == value)
			return i;
	return n;
}

int gaspdb_options_next(struct gaspdb_options *o)
{
	char buf[128];

	if (!o->table)
		make_table(o);
	int c = getopt_long(o->argc, o->argv, letters(o, buf), o->table, NULL);
	if (c == -1)
		return finish(o, GASPDB_OPTIONS_DONE);
	if (c == '?' || c == ':')
		return finish(o, wrong(o, c));
	int i = index_of(o, c);
	o->argument = optarg;
	if (i < count(o->command))
		return i;
	return finish(o, GASPDB_OPTIONS_HELP);
}

bool gaspdb_options_take(struct gaspdb_options *o,
			 bool (*take)(void *user, int option,
				      const char *argument),
			 void *user, int *status)
{
	int i;

	*status = GASPDB_EXIT_USAGE;
	while ((i = gaspdb_options_next(o)) >= 0)
		if (!take(user, i, o->argument)) {
			gaspdb_options_fini(o);
			return false;
		}
	if (i == GASPDB_OPTIONS_HELP)
		*status = gaspdb_options_help(o->command);
	return i == GASPDB_OPTIONS_DONE;
}

int gaspdb_options_usage(const struct gaspdb_command *command, const char *fmt,
			 ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	int n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return GASPDB_EXIT_USAGE;
	gaspdb_print_error("%s: %s", command->name, text);
	fprintf(stderr,
		"usage: gaspdb %s\n"
		"'gaspdb %s --help' tells more\n",
		command->synopsis, command->name);
	free(text);
	return GASPDB_EXIT_USAGE;
}

char *gaspdb_options_row(const struct gaspdb_option *option)
{
	char letter[] = { '-', option->letter, ',', ' ', '\0' };

	return gaspdb_text_format("%s--%s%s%s", option->letter ? letter : "",
				  option->name, option->argument ? "=" : "",
				  option->argument ? option->argument : "");
}

/* Indent of options without a letter. */
enum { NO_LETTER = 4 };

static int row_width(const struct gaspdb_option *option)
{
	char *row = gaspdb_options_row(option);
	int width = (int)strlen(row) + (option->letter ? 0 : NO_LETTER);

	free(row);
	return width;
}

static void print_option(const struct gaspdb_option *option, int width)
{
	char *row = gaspdb_options_row(option);
	int indent = option->letter ? 0 : NO_LETTER;

	printf("  %*s%-*s  %s\n", indent, "", width - indent, row, option->doc);
	free(row);
}

int gaspdb_options_help(const struct gaspdb_command *command)
{
	printf("usage: gaspdb %s\n\n%s\n\noptions:\n", command->synopsis,
	       command->summary);
	int width = row_width(&gaspdb_option_help);
	for (int i = 0; i < count(command); i++) {
		int n = row_width(&command->options[i]);
		width = n > width ? n : width;
	}
	for (int i = 0; i < count(command); i++)
		print_option(&command->options[i], width);
	print_option(&gaspdb_option_help, width);
	if (command->doc)
		printf("\n%s", command->doc);
	return GASPDB_EXIT_DONE;
}
