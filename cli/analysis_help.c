/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses of sql/: their list, and the documentation of each. */
#include "cli/analysis_help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/nearest.h"
#include "cli/output/text.h"
#include "cli/report/table.h"

/* Prints a group's heading and its analyses. */
static void list_group(FILE *out, int group)
{
	fprintf(out, "%s%s\n", group ? "\n" : "",
		gaspdb_analysis_groups[group]);
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		if (a->group == group)
			fprintf(out, "  %-23s%s\n", a->name, a->summary);
}

static void list_rows(FILE *out, const struct gaspdb_output_style *style)
{
	static const struct gaspdb_output_column columns[] = {
		{ "name", "" }, { "summary", "" }, { "group", "" }
	};
	struct gaspdb_output *o = gaspdb_output_open(out, style, columns, 3);

	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		gaspdb_output_row(
			o, (struct gaspdb_output_cell[]){
				   gaspdb_output_text(a->name),
				   gaspdb_output_text(a->summary),
				   gaspdb_output_text(
					   gaspdb_analysis_groups[a->group]) });
	gaspdb_output_close(o);
}

void gaspdb_analysis_list(FILE *out, const struct gaspdb_output_style *style)
{
	if (style->format != GASPDB_OUTPUT_TABLE)
		list_rows(out, style);
	else
		for (int i = 0; gaspdb_analysis_groups[i]; i++)
			list_group(out, i);
}

char *gaspdb_analysis_unknown(const char *name, const char *who_lists)
{
	struct gaspdb_nearest nearest = { .typed = name };

	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		gaspdb_nearest_try(&nearest, a->name);
	char *hint = gaspdb_nearest_hint(&nearest, who_lists);
	char *text =
		gaspdb_text_format("there is no analysis '%s'; %s", name, hint);
	free(hint);
	return text;
}

static const char *unit_text(const char *unit)
{
	return *unit && *unit != ':' ? unit : "-";
}

/* Prints a row of a list: name, type, unit and wrapped text. */
static void help_row(FILE *out, const char *name, const char *type,
		     const char *unit, const char *doc)
{
	const int indent = 36;

	fprintf(out, "  %-19s %-7s %-5s ", name, type, unit_text(unit));
	gaspdb_report_wrap(out, doc,
			   strlen(name) > 19 ? indent + (int)strlen(name) - 19
					     : indent,
			   indent);
}

/* Removes Markdown's emphasis; marks of lists stay. */
static char *without_marks(const char *doc)
{
	char *plain = gaspdb_text_copy(doc, strlen(doc)), *out = plain;

	for (const char *p = doc; *p; p++)
		if (p[0] == '*' && p[1] == '*')
			p++;
		else
			*out++ = *p;
	*out = '\0';
	return plain;
}

/* Prints paragraphs and list entries, wrapped to the page's width. */
static void help_doc(FILE *out, const char *doc)
{
	char *plain = without_marks(doc), *rest = plain, *line;
	char *paragraph = gaspdb_text_copy("", 0);
	int indent = 0;

	while ((line = strsep(&rest, "\n"))) {
		bool is_entry = !strncmp(line, "* ", 2);
		if (*paragraph && (!*line || is_entry)) {
			gaspdb_report_wrap(out, paragraph, 0, indent);
			*paragraph = '\0';
		}
		if (!*line) {
			if (rest && *rest)
				putc('\n', out);
			continue;
		}
		if (!*paragraph)
			indent = is_entry ? 2 : 0;
		line += strspn(line, " ");
		char *longer = gaspdb_text_format("%s%s%s", paragraph,
						  *paragraph ? " " : "", line);
		free(paragraph);
		paragraph = longer;
	}
	if (*paragraph)
		gaspdb_report_wrap(out, paragraph, 0, indent);
	free(paragraph);
	free(plain);
}

/* Description of a parameter's values, "one of a|b; ". For free(). */
static char *range_doc(const struct gaspdb_analysis_param *p)
{
	if (p->choices)
		return gaspdb_text_format("one of %s; ", p->choices);
	if (p->is_list)
		return gaspdb_text_format("0,3..5: numbers and ranges of %s; ",
					  p->found_in);
	if (p->found_in)
		return gaspdb_text_format("found in %s; ", p->found_in);
	return gaspdb_text_format(p->power_of_two ? "a power of two, or 0; "
						  : "");
}

/* "what it is (one of a|b; default a)" */
static char *param_doc(const struct gaspdb_analysis_param *p)
{
	char *range = range_doc(p);
	char *doc = gaspdb_text_format("%s (%sdefault %s)", p->doc, range,
				       p->value ? p->value : "none");

	free(range);
	return doc;
}

void gaspdb_analysis_help(FILE *out, const struct gaspdb_analysis *a)
{
	char *title = gaspdb_text_format("%s: %s (%s)", a->name, a->summary,
					 gaspdb_analysis_groups[a->group]);
	char *usage =
		gaspdb_text_format("usage: gaspdb analyze %s FILE", a->name);

	for (const struct gaspdb_analysis_param *p = a->params; p->name; p++) {
		char *longer = gaspdb_text_format("%s [--%s=%s]", usage,
						  p->name, p->type);
		free(usage);
		usage = longer;
	}
	gaspdb_report_wrap(out, title, 0, 2);
	putc('\n', out);
	gaspdb_report_wrap(out, usage, 0, 7);
	free(title);
	free(usage);
	putc('\n', out);
	help_doc(out, a->doc);
	fputs(a->params[0].name ? "\nparameters:\n" : "", out);
	for (const struct gaspdb_analysis_param *p = a->params; p->name; p++) {
		char *doc = param_doc(p);
		help_row(out, p->name, p->type, p->unit, doc);
		free(doc);
	}
	fputs("\ncolumns:\n", out);
	for (const struct gaspdb_analysis_column *c = a->columns; c->name; c++)
		help_row(out, c->name, c->type, c->unit, c->doc);
	fprintf(out, "\nSQL:\n%s\n", a->sql);
}
