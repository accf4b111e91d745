/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: runs that were recorded as a profile; what a profile does not have. */
#include <stdlib.h>

#include "cli/output/text.h"
#include "cli/report/report.h"
#include "sql/sql.h"

bool gaspdb_report_needs_trace(const struct gaspdb_report *r,
			       const struct gaspdb_report_section *s)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(s->analysis);

	/* The summary speaks of profiles, too. */
	return r->is_profile && a && a->needs_trace &&
	       s->print != gaspdb_report_summary &&
	       s->print != gaspdb_report_hangs;
}

bool gaspdb_report_has(const struct gaspdb_report *r,
		       const struct gaspdb_report_section *s)
{
	return (!s->of_profile || r->is_profile) &&
	       !gaspdb_report_needs_trace(r, s);
}

char *gaspdb_report_inside(struct gaspdb_report *r)
{
	static const char text[] =
		"time inside calls, callees excluded, and its spread over "
		"{threads}: not all of it is waiting, and the excess over the "
		"least is not the waiting either; for that, and for its cause, "
		"record a trace (--mode=trace)";

	return gaspdb_run_words_fill(&r->words, text);
}

void gaspdb_report_needing(struct gaspdb_report *r)
{
	char *list = gaspdb_text_format(
		"This run was recorded as a profile (--mode=profile). Not "
		"known, for it needs a trace (--mode=trace, or --mode=both):");
	bool first = true;

	for (int i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];
		char *longer;

		if (!gaspdb_report_needs_trace(r, s))
			continue;
		longer = gaspdb_text_format("%s%s %s", list, first ? "" : ",",
					    gaspdb_report_section_name(s));
		free(list);
		list = longer;
		first = false;
	}
	gaspdb_report_title(r, "Not in a profile");
	fputs("  ", r->out);
	gaspdb_report_wrap(r->out, list, 2, 2);
	free(list);
}
