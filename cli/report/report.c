/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole report. */
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/text.h"

void gaspdb_report_read(struct gaspdb_report *r)
{
	r->n_threads = gaspdb_database_integer(
		r->db, "SELECT count(*) FROM thread", 0);
	r->n_processes = gaspdb_database_integer(
		r->db, "SELECT count(*) FROM thread WHERE number = 0", 0);
	r->n_hosts = gaspdb_database_integer(
		r->db, "SELECT count(DISTINCT host) FROM thread", 0);
	r->duration_ns = gaspdb_database_integer(
		r->db, "SELECT max(last_ns) - min(first_ns) FROM thread", 0);
	r->is_cut = gaspdb_database_integer(
		r->db,
		"SELECT EXISTS (SELECT 1 FROM thread WHERE NOT complete)", 0);
	r->is_profile = gaspdb_database_integer(
		r->db,
		"SELECT EXISTS (SELECT 1 FROM meta "
		"WHERE key = 'mode' AND value = 'profile')",
		0);
	gaspdb_run_words_read(r->db->sql, &r->words);
}

static void print_file(struct gaspdb_report *r)
{
	const size_t longest = (size_t)gaspdb_report_width(r->out) - 20;
	char *path = gaspdb_text_safe(r->db->path, strlen(r->db->path));
	char *shown = gaspdb_text_cut(path, longest, GASPDB_TEXT_END);

	fprintf(r->out, "gaspdb report of %s\n\n", shown);
	free(shown);
	free(path);
}

void gaspdb_report_print(struct gaspdb_report *r)
{
	print_file(r);
	for (int i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];

		if (r->is_profile && s->print == gaspdb_report_quality)
			gaspdb_report_needing(r);
		if (gaspdb_report_has(r, s))
			gaspdb_report_section_print(r, s);
	}
}

void gaspdb_report_free(struct gaspdb_report *r)
{
	gaspdb_findings_free(&r->findings);
	gaspdb_report_unseen_free(r);
	gaspdb_run_words_free(&r->words);
}
