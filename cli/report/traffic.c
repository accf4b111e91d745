/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: traffic between processes, as a matrix, or for many processes as a
   list of the largest pairs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/report/report.h"
#include "common/sum.h"
#include "cli/output/text.h"

enum { MOST_PROCESSES = 16 };

struct matrix {
	int n;
	int64_t names[MOST_PROCESSES]; /* ascending */
	int64_t bytes[MOST_PROCESSES][MOST_PROCESSES];
	bool any[MOST_PROCESSES][MOST_PROCESSES];
};

/* Ids of the processes' first threads; false: too many. */
static bool find_processes(struct gaspdb_report *r, struct matrix *m)
{
	sqlite3_stmt *stmt = NULL;
	bool few = true;

	sqlite3_prepare_v2(r->db->sql,
			   "SELECT id FROM thread WHERE number = 0 ORDER BY id "
			   "LIMIT ?1",
			   -1, &stmt, NULL);
	sqlite3_bind_int(stmt, 1, MOST_PROCESSES + 1);
	while (few && sqlite3_step(stmt) == SQLITE_ROW) {
		few = m->n < MOST_PROCESSES;
		if (few)
			m->names[m->n++] = sqlite3_column_int64(stmt, 0);
	}
	sqlite3_finalize(stmt);
	return few;
}

static int index_of(const struct matrix *m, int64_t name)
{
	for (int i = 0; i < m->n; i++)
		if (m->names[i] == name)
			return i;
	return -1;
}

/* Fills the matrix; false: an unknown process. */
static bool fill(struct gaspdb_report *r, struct matrix *m,
		 const struct gaspdb_report_section *s)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, s->analysis, s->params, -1);
	int from = stmt ? gaspdb_report_find_column(stmt, "initiator") : -1;
	int to = stmt ? gaspdb_report_find_column(stmt, "owner") : -1;
	int bytes = stmt ? gaspdb_report_find_column(stmt, "bytes") : -1;
	bool good = from >= 0 && to >= 0 && bytes >= 0;

	while (good && sqlite3_step(stmt) == SQLITE_ROW) {
		int i = index_of(m, sqlite3_column_int64(stmt, from));
		int k = index_of(m, sqlite3_column_int64(stmt, to));
		good = i >= 0 && k >= 0;
		if (!good)
			break;
		m->any[i][k] = true;
		gaspdb_add_to(&m->bytes[i][k],
			      sqlite3_column_int64(stmt, bytes));
	}
	sqlite3_finalize(stmt);
	return good;
}

static const char *cell(const struct matrix *m, int i, int k,
			char buf[GASPDB_HUMAN_BYTES])
{
	return m->any[i][k] ? gaspdb_human_size(buf, m->bytes[i][k]) : "-";
}

/* Width of the cells; 0: the matrix is wider than the page, or empty. */
static int cell_width(const struct matrix *m, int page)
{
	char buf[GASPDB_HUMAN_BYTES];
	int width = 1;
	bool any = false;

	for (int i = 0; i < m->n; i++) {
		int name = snprintf(buf, sizeof buf, "%" PRId64, m->names[i]);
		width = name > width ? name : width;
		for (int k = 0; k < m->n; k++) {
			int n = (int)strlen(cell(m, i, k, buf));
			width = n > width ? n : width;
			any |= m->any[i][k];
		}
	}
	int total = 10 + m->n * (width + 2);
	return any && total <= page ? width : 0;
}

static void print_matrix(FILE *out, const struct matrix *m, int width)
{
	char buf[GASPDB_HUMAN_BYTES];

	fprintf(out, "  %-8s", "from/to");
	for (int k = 0; k < m->n; k++)
		fprintf(out, "  %*" PRId64, width, m->names[k]);
	putc('\n', out);
	for (int i = 0; i < m->n; i++) {
		fprintf(out, "  %8" PRId64, m->names[i]);
		for (int k = 0; k < m->n; k++)
			fprintf(out, "  %*s", width, cell(m, i, k, buf));
		putc('\n', out);
	}
}

char *gaspdb_report_axes(struct gaspdb_report *r)
{
	static const char by_first[] = "; {processes} by their first threads";
	char *text = gaspdb_text_format(
		"data of gets, puts, atomics and messages; rows: who accessed "
		"or sent%s",
		r->n_processes == r->n_threads ? "" : by_first);
	char *words = gaspdb_run_words_fill(&r->words, text);

	free(text);
	return words;
}

static bool print_pairs(struct gaspdb_report *r,
			const struct gaspdb_report_section *s)
{
	struct gaspdb_report_section pairs = *s;

	pairs.print = NULL;
	return gaspdb_report_section_print(r, &pairs);
}

bool gaspdb_report_traffic(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section)
{
	struct matrix *m = gaspdb_memory_new(1, sizeof *m);
	int width = 0;

	if (find_processes(r, m) && fill(r, m, section))
		width = cell_width(m, gaspdb_report_width(r->out));
	if (width > 0) {
		gaspdb_report_head(r, section, NULL);
		print_matrix(r->out, m, width);
		gaspdb_report_more(r, section);
	}
	free(m);
	return width > 0 || print_pairs(r, section);
}
