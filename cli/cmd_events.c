/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb events: the recordable events, from the event tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collector/core/events.h"
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/report/table.h"
#include "cli/output/text.h"

static int run(int argc, char **argv);

static const struct gaspdb_option options[] = { { 0, NULL, NULL, NULL } };

const struct gaspdb_command gaspdb_cmd_events = {
	.name = "events",
	.synopsis = "events [NAME]",
	.summary = "list the recorded events and their arguments",
	.options = options,
	.doc = "NAME is a GASP symbolic name with or without 'GASP_', the "
	       "name of an operation, or a model.\n"
	       "Without it, all events are listed.\n",
	.run = run,
};

/* The name without "GASP_". */
static const char *short_symbol(const struct gaspdb_event_info *e)
{
	return strncmp(e->symbol, "GASP_", 5) ? e->symbol : e->symbol + 5;
}

static void list_model(const char *model)
{
	printf("%s\n", model);
	for (int i = 0; i < GASPDB_N_EVENTS; i++)
		if (!strcmp(gaspdb_events[i].model, model))
			printf("  %-29s %s\n", short_symbol(&gaspdb_events[i]),
			       gaspdb_events[i].summary);
}

static void list_all(void)
{
	for (int i = 0; i < GASPDB_N_EVENTS; i++)
		if (i == 0 || strcmp(gaspdb_events[i].model,
				     gaspdb_events[i - 1].model)) {
			if (i)
				putchar('\n');
			list_model(gaspdb_events[i].model);
		}
	puts("\n'gaspdb events NAME' for details.");
}

/* What an argument's code stands for: collector/events/README.md. */
static const char *code_text(char code)
{
	static const struct {
		char code;
		const char *text;
	} codes[] = {
		{ 'i', "integer" }, { 'z', "size" },
		{ 'u', "number" },  { 'p', "address" },
		{ 'h', "handle" },  { 's', "text" },
		{ 'd', "real" },    { 'P', "pointer-to-shared" },
		{ 'L', "lock" },
	};

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == code)
			return codes[i].text;
	return "?";
}

/* "peer:i bytes:z" as "peer (integer), bytes (size)" */
static void print_layout(const char *phase, const char *layout)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	for (const char *p = layout; *p;) {
		int name = (int)strcspn(p, ":");
		char code = p[name] ? p[name + 1] : '\0';
		fprintf(f, "%s%.*s (%s)", p == layout ? "" : ", ", name, p,
			code_text(code));
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	fclose(f);
	printf("  %-10s ", phase);
	gaspdb_report_wrap(stdout, *text ? text : "nothing", 13, 13);
	free(text);
}

static void describe(const struct gaspdb_event_info *e)
{
	const struct gaspdb_type_info *type = &gaspdb_types[e->type];

	printf("%s: %s\n\n", e->symbol, e->summary);
	printf("  %-10s %s\n", "operation", e->name);
	printf("  %-10s %s\n", "model", e->model);
	printf("  %-10s %s (%s)\n", "type", type->name, type->doc);
	printf("  %-10s %s\n", "category", type->category);
	printf("  %-10s %u\n", "tag", (unsigned)e->tag);
	if (strchr(e->phases, 'S'))
		print_layout("start", e->start);
	if (strchr(e->phases, 'E'))
		print_layout("end", e->end);
	if (strchr(e->phases, 'A'))
		print_layout("atomic", e->start);
	putchar('\n');
	gaspdb_report_wrap(stdout, e->doc, 0, 0);
}

static int describe_named(const char *name)
{
	int n = 0;

	for (int i = 0; i < GASPDB_N_EVENTS; i++) {
		const struct gaspdb_event_info *e = &gaspdb_events[i];
		if (strcasecmp(e->symbol, name) &&
		    strcasecmp(short_symbol(e), name) &&
		    strcasecmp(e->name, name))
			continue;
		if (n++)
			putchar('\n');
		describe(e);
	}
	return n;
}

static int unknown(const char *name)
{
	struct gaspdb_nearest nearest = { .typed = name };

	for (int i = 0; i < GASPDB_N_EVENTS; i++) {
		gaspdb_nearest_try(&nearest, gaspdb_events[i].name);
		gaspdb_nearest_try(&nearest, short_symbol(&gaspdb_events[i]));
		gaspdb_nearest_try(&nearest, gaspdb_events[i].symbol);
	}
	char *hint =
		gaspdb_nearest_hint(&nearest, "'gaspdb events' lists them");
	gaspdb_print_error("there is no event '%s'; %s", name, hint);
	free(hint);
	return GASPDB_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_events,
				    .argc = argc,
				    .argv = argv };
	int status;

	if (!gaspdb_options_take(&o, NULL, NULL, &status))
		return status;
	if (o.n_operands > 1)
		return gaspdb_options_usage(o.command, "one name at most");
	if (o.n_operands == 0) {
		list_all();
		return GASPDB_EXIT_DONE;
	}
	const char *name = o.operands[0];
	for (int i = 0; i < GASPDB_N_EVENTS; i++)
		if (!strcasecmp(gaspdb_events[i].model, name)) {
			list_model(gaspdb_events[i].model);
			return GASPDB_EXIT_DONE;
		}
	if (describe_named(name))
		return GASPDB_EXIT_DONE;
	return unknown(name);
}
