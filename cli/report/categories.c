/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: time by category over all threads, with extremes. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/report/categories.h"
#include "common/sum.h"
#include "cli/output/text.h"

/* Every column with a time is a category, except the total. */
static void find_categories(struct gaspdb_report_categories *c,
			    sqlite3_stmt *stmt)
{
	c->total = gaspdb_report_find_column(stmt, "total_ns");
	c->thread = gaspdb_report_find_column(stmt, "thread");
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *name = sqlite3_column_name(stmt, i);
		size_t n = strlen(name);
		if (i == c->total || n <= 3 || strcmp(name + n - 3, "_ns") ||
		    c->n == GASPDB_REPORT_CATEGORIES)
			continue;
		struct gaspdb_report_category *category = &c->list[c->n++];
		category->column = i;
		category->name = gaspdb_text_copy(name, n - 3);
		for (char *p = category->name; *p; p++)
			if (*p == '_')
				*p = ' ';
	}
}

static void add_thread(struct gaspdb_report_categories *c, sqlite3_stmt *stmt)
{
	int64_t thread = sqlite3_column_int64(stmt, c->thread);
	bool first = c->n_threads++ == 0;

	gaspdb_add_to(&c->total_ns, sqlite3_column_int64(stmt, c->total));
	for (int i = 0; i < c->n; i++) {
		struct gaspdb_report_category *category = &c->list[i];
		int64_t ns = sqlite3_column_int64(stmt, category->column);
		gaspdb_add_to(&category->sum, ns);
		if (first || ns < category->least) {
			category->least = ns;
			category->least_thread = thread;
		}
		if (first || ns > category->most) {
			category->most = ns;
			category->most_thread = thread;
		}
	}
}

static void print_category(struct gaspdb_report_table *t,
			   const struct gaspdb_report_categories *c,
			   const struct gaspdb_report_category *category)
{
	/* not a category: the part of time in calls that was waiting */
	bool is_part = !strcmp(category->name, "waiting");
	bool is_ours = !strcmp(category->name, "tool");

	gaspdb_report_table_text(t, is_part   ? "of which waiting"
				    : is_ours ? "tool (gaspdb)"
					      : category->name);
	gaspdb_report_table_integer(t, category->sum);
	gaspdb_report_table_real(t, c->total_ns > 0
					    ? 100.0 * (double)category->sum /
						      (double)c->total_ns
					    : 0);
	gaspdb_report_table_integer(t, category->least);
	gaspdb_report_table_integer(t, category->least_thread);
	gaspdb_report_table_real(t, (double)category->sum / c->n_threads);
	gaspdb_report_table_integer(t, category->most);
	gaspdb_report_table_integer(t, category->most_thread);
}

void gaspdb_report_categories_read(struct gaspdb_report *r,
				   struct gaspdb_report_categories *c)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, "categories", NULL, -1);

	*c = (struct gaspdb_report_categories){ .n = 0 };
	if (!stmt)
		return;
	find_categories(c, stmt);
	while (c->thread >= 0 && c->total >= 0 &&
	       sqlite3_step(stmt) == SQLITE_ROW)
		add_thread(c, stmt);
	sqlite3_finalize(stmt);
}

void gaspdb_report_categories_free(struct gaspdb_report_categories *c)
{
	for (int i = 0; i < c->n; i++)
		free(c->list[i].name);
}

bool gaspdb_report_categories(struct gaspdb_report *r,
			      const struct gaspdb_report_section *section)
{
	struct gaspdb_report_categories c;

	gaspdb_report_categories_read(r, &c);
	const bool any = c.n_threads > 0 && c.total_ns > 0;
	if (any) {
		struct gaspdb_report_table *t =
			gaspdb_report_table_new(section->columns, &r->words);
		gaspdb_report_head(r, section, NULL);
		for (int i = 0; i < c.n; i++)
			if (c.list[i].most > 0)
				print_category(t, &c, &c.list[i]);
		gaspdb_report_table_print(t, r->out);
		gaspdb_report_more(r, section);
	}
	gaspdb_report_categories_free(&c);
	return any;
}
