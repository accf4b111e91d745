/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: defects of the data and oddities of the program. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/report/report.h"
#include "cli/output/text.h"

static void print_kind(struct gaspdb_report *r, sqlite3_stmt *stmt)
{
	enum { INDENT = 11 };
	char count[GASPDB_HUMAN_BYTES];
	int cases = gaspdb_report_find_column(stmt, "cases");
	char *head = gaspdb_text_format(
		"%s (%s): %s", gaspdb_report_text(stmt, "kind"),
		gaspdb_human_count(
			count,
			cases < 0 ? 0 : sqlite3_column_int64(stmt, cases)),
		gaspdb_report_text(stmt, "meaning"));
	char *severity =
		gaspdb_text_safe(gaspdb_report_text(stmt, "severity"),
				 strlen(gaspdb_report_text(stmt, "severity")));

	const char *example = gaspdb_report_text(stmt, "example");

	fprintf(r->out, "  %-9s", severity);
	gaspdb_report_wrap(r->out, head, INDENT, INDENT);
	if (*example) {
		fprintf(r->out, "%*s", INDENT, "");
		gaspdb_report_wrap(r->out, example, INDENT, INDENT);
	}
	if (*gaspdb_report_text(stmt, "advice")) {
		fprintf(r->out, "%*s", INDENT, "");
		gaspdb_report_wrap(r->out, gaspdb_report_text(stmt, "advice"),
				   INDENT, INDENT);
	}
	free(severity);
	free(head);
}

bool gaspdb_report_quality(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section)
{
	sqlite3_stmt *stmt = gaspdb_report_query(
		r, section->analysis, section->params, section->rows);
	int n = 0;

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		if (n++ == 0)
			gaspdb_report_head(r, section, NULL);
		print_kind(r, stmt);
	}
	sqlite3_finalize(stmt);
	if (n)
		gaspdb_report_more(r, section);
	return n > 0;
}
