/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly of the page: the template, with the run's name, the text report for
   browsers without scripts, and the chunks, at its marks. */
#include "cli/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "cli/html/chunk.h"
#include "cli/html/pyramid.h"
#include "cli/html/source.h"
#include "cli/html/sums.h"
#include "cli/html/tables.h"
#include "cli/html/target.h"
#include "cli/html/windows.h"
#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/json.h"
#include "common/memory.h"
#include "sql/page/page.h"

/* The template, of template.S; empty without d3. */
extern const char gaspdb_page_template[], gaspdb_page_template_end[];

enum { SECTIONS_MAX = 64 };

struct page {
	struct gaspdb_report *r, *other; /* other: of a comparison; or NULL */
	const char *text, *json;	 /* the comparison */
	const struct gaspdb_html_options *options;
	FILE *out;
	const char *rest; /* of the template */
	struct gaspdb_error *err;
};

/* --- texts -----------------------------------------------------------------
 */

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc(*text, out);
		}
}

static void put_run_name(struct page *p, struct gaspdb_report *r)
{
	char *name = gaspdb_database_text(
		r->db, "SELECT value FROM meta WHERE key = 'run_name'");
	char *safe = gaspdb_text_safe(name, strlen(name));

	put_escaped(p->out, safe);
	free(safe);
	free(name);
}

static void put_name(struct page *p)
{
	put_run_name(p, p->r);
	if (p->other) {
		fputs(" and ", p->out);
		put_run_name(p, p->other);
	}
}

/* Sections of the report that scripts read: others cost time, and space for
   each thread. */
static void choose_sections(struct gaspdb_report *r, bool *wanted)
{
	static const char *const names[] = { "summary", "worst",      "run",
					     "pop",	"efficiency", "quality",
					     NULL };

	for (size_t i = 0; i < SECTIONS_MAX && gaspdb_report_sections[i].title;
	     i++) {
		const char *name =
			gaspdb_report_section_name(&gaspdb_report_sections[i]);

		wanted[i] = !strcmp(name, "hangs") && gaspdb_report_is_hung(r);
		for (size_t k = 0; names[k]; k++)
			wanted[i] |= !strcmp(name, names[k]);
	}
}

/* Threads beyond which the text leaves out sections that read something of
   each: their time would be that of the rest of the page. */
enum { THREADS_IN_TEXT = 256 };

static void print_text(struct gaspdb_report *r)
{
	static const char *const of_threads[] = { "threads",   "categories",
						  "hot-lines", "operations",
						  "messages",  "load-imbalance",
						  NULL };

	if (r->n_threads <= THREADS_IN_TEXT) {
		gaspdb_report_print(r);
		return;
	}
	for (size_t i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];
		bool is_left_out = false;

		for (size_t k = 0; of_threads[k]; k++)
			is_left_out |= !strcmp(gaspdb_report_section_name(s),
					       of_threads[k]);
		if (!is_left_out)
			gaspdb_report_section_print(r, s);
	}
	fprintf(r->out, "\nMore, also of each %s: gaspdb report %s\n",
		r->words.thread, r->file);
}

/* What the report prints, or its JSON. The caller frees it. */
static char *report_text(struct gaspdb_report *r, bool json, size_t *n)
{
	bool wanted[SECTIONS_MAX] = { false };
	FILE *out = r->out;
	char *text = NULL;

	r->out = gaspdb_chunk_text(&text, n);
	if (json) {
		choose_sections(r, wanted);
		gaspdb_report_json(r, wanted);
	} else {
		print_text(r);
	}
	gaspdb_chunk_text_end(r->out);
	r->out = out;
	return text;
}

static void put_report(struct page *p)
{
	size_t n;

	if (p->text) {
		put_escaped(p->out, p->text);
		return;
	}
	char *text = report_text(p->r, false, &n);
	put_escaped(p->out, text);
	free(text);
}

/* --- chunks ----------------------------------------------------------------
 */

static void put_report_chunk(struct page *p, struct gaspdb_report *r)
{
	size_t n;
	char *text = report_text(r, true, &n);

	if (r->err.status == GASPDB_OK)
		gaspdb_chunk_write(p->out, "report", text, n, &r->err);
	free(text);
}

static void drop_tables(struct gaspdb_report *r)
{
	static const char *const drops[] = {
		gaspdb_sql_page_drop_threads,  gaspdb_sql_page_drop_segments,
		gaspdb_sql_page_drop_ranges,   gaspdb_sql_page_drop_waiting,
		gaspdb_sql_page_drop_messages, gaspdb_sql_page_drop_collectives,
	};

	for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
		sqlite3_exec(r->db->sql, drops[i], NULL, NULL, NULL);
}

static void put_run(struct page *p, struct gaspdb_report *r)
{
	struct gaspdb_windows *windows;

	gaspdb_sums_read(r);
	windows = gaspdb_windows_new(r);
	put_report_chunk(p, r);
	if (r->err.status == GASPDB_OK)
		gaspdb_tables_write_first(r, p->out);
	if (r->err.status == GASPDB_OK)
		gaspdb_pyramid_write(r, windows, p->out);
	if (r->err.status == GASPDB_OK)
		gaspdb_windows_write(windows, p->out);
	if (r->err.status == GASPDB_OK)
		gaspdb_tables_write_rest(r, p->out);
	if (r->err.status == GASPDB_OK && !p->options->no_source)
		gaspdb_source_write(r, p->out);
	gaspdb_windows_free(windows);
	drop_tables(r);
	if (r->err.status != GASPDB_OK)
		*p->err = r->err;
}

/* Of a comparison the chunks of each run are in an element of their own. */
static void put_chunks(struct page *p)
{
	if (!p->other) {
		put_run(p, p->r);
		return;
	}
	gaspdb_chunk_write(p->out, "compared", p->json, strlen(p->json),
			   p->err);
	fputs("<div id=\"run-a\">\n", p->out);
	put_run(p, p->r);
	fputs("</div>\n<div id=\"run-b\">\n", p->out);
	put_run(p, p->other);
	fputs("</div>\n", p->out);
}

/* --- the template ----------------------------------------------------------
 */

/* Copies the template up to a mark, and leaves the mark out. */
static void put_until(struct page *p, const char *mark)
{
	const char *at =
		memmem(p->rest, (size_t)(gaspdb_page_template_end - p->rest),
		       mark, strlen(mark));

	if (!at)
		at = gaspdb_page_template_end;
	fwrite(p->rest, 1, (size_t)(at - p->rest), p->out);
	p->rest = at < gaspdb_page_template_end ? at + strlen(mark) : at;
}

/* Rows of a page at most: a browser takes a minute for these. */
enum { THREADS_MAX = 200000 };

/* Can a page show the run? Sums of times within these bounds fit in 64 bits. */
static bool is_showable(struct page *p, struct gaspdb_report *r)
{
	if (r->err.status == GASPDB_OK && r->n_threads > THREADS_MAX)
		gaspdb_fail(&r->err, GASPDB_FAILED,
			    "'%s' has %lld %s: a page shows at most %d",
			    r->db->path, (long long)r->n_threads,
			    r->words.threads, THREADS_MAX);
	if (r->err.status == GASPDB_OK && !gaspdb_is_time(r->duration_ns))
		gaspdb_fail(&r->err, GASPDB_FAILED,
			    "the run's duration is out of range: '%s' is "
			    "damaged",
			    r->db->path);
	if (r->err.status != GASPDB_OK)
		*p->err = r->err;
	return r->err.status == GASPDB_OK;
}

static void put_page(struct page *p)
{
	if (!is_showable(p, p->r) || (p->other && !is_showable(p, p->other)))
		return;
	put_until(p, "@NAME@");
	put_name(p);
	put_until(p, "@REPORT@");
	put_report(p);
	put_until(p, "@CHUNKS@");
	put_chunks(p);
	put_until(p, "\n@END@");
}

/* --- the file --------------------------------------------------------------
 */

static void print_written(const struct gaspdb_target *t)
{
	char size[GASPDB_HUMAN_BYTES];

	if (t->is_regular)
		gaspdb_print_error("%s: %s; open it in a browser", t->path,
				   gaspdb_human_size(size, t->bytes));
}

/* The page; runs where memory may run out. */
static enum gaspdb_status try_page(void *user, struct gaspdb_error *err)
{
	put_page(user);
	return err->status;
}

static enum gaspdb_status write_page(struct page *p, const char *path)
{
	struct gaspdb_target target;

	if (p->err->status != GASPDB_OK)
		return p->err->status;
	if (!gaspdb_page_template[0])
		return gaspdb_fail(p->err, GASPDB_FAILED,
				   "this gaspdb was built without d3, which "
				   "pages need: install node-d3 (Debian's "
				   "package), or name a copy by D3_JS=, and "
				   "build it again");
	if (gaspdb_target_open(&target, path, p->err) != GASPDB_OK)
		return GASPDB_FAILED;
	p->rest = gaspdb_page_template;
	p->out = target.out;
	gaspdb_mem_try(try_page, p, p->err);
	if (gaspdb_target_close(&target, p->err) == GASPDB_OK)
		print_written(&target);
	return p->err->status;
}

enum gaspdb_status gaspdb_html_write(struct gaspdb_report *r, const char *path,
				     const struct gaspdb_html_options *options)
{
	struct page p = { .r = r, .options = options, .err = &r->err };

	return write_page(&p, path);
}

enum gaspdb_status gaspdb_html_write_two(struct gaspdb_report *a,
					 struct gaspdb_report *b,
					 const char *text, const char *json,
					 const char *path,
					 struct gaspdb_error *err)
{
	static const struct gaspdb_html_options options = { .no_source = true };
	struct page p = { .r = a,
			  .other = b,
			  .text = text,
			  .json = json,
			  .options = &options,
			  .err = err };

	return write_page(&p, path);
}
