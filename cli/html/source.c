/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reader of the program's files. Their names come from the database, which may
 * be a stranger's, and the page may be sent on: only files that are named like
 * source code are read, and of these only lines near recorded ones.
 */
#include "cli/html/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/html/chunk.h"
#include "cli/output/text.h"
#include "sql/page/page.h"

enum {
	NEAR = 7, /* lines before and after one with events */
	FILE_BYTES = 4 << 20,
	LINE_BYTES = 400,
	SHOWN_MAX = 3000 /* lines of a file */
};

static const char *const endings[] = {
	".c",	".h",	".cc",	".cpp", ".cxx", ".C",	".hh",	".hpp", ".hxx",
	".cu",	".inc", ".upc", ".uph", ".f",	".F",	".for", ".f77", ".f90",
	".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".ftn", ".py",
	".jl",	".rs",	".chpl"
};

static bool is_source(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i]))
			return true;
	return false;
}

/* --- where a file is -------------------------------------------------------
 */

static bool is_there(const char *path, struct stat *st)
{
	return !stat(path, st) && S_ISREG(st->st_mode) &&
	       st->st_size <= FILE_BYTES && !access(path, R_OK);
}

/* folder/name if there is such a file. The caller frees it. */
static char *try_folder(const char *folder, const char *name, struct stat *st)
{
	char *path = gaspdb_text_format("%s/%s", folder, name);

	if (is_there(path, st))
		return path;
	free(path);
	return NULL;
}

/* In a folder or one above it. */
static char *try_above(char *folder, const char *name, struct stat *st)
{
	char *path = NULL, *slash;

	while (!path && (slash = strrchr(folder, '/')) && slash > folder) {
		*slash = '\0';
		path = try_folder(folder, name, st);
	}
	return path;
}

/*
 * The path of a file named by debug information: relative ones from here, from
 * where the program ran, or from a folder above the program. NULL: not found.
 * The caller frees it.
 */
static char *find_file(struct gaspdb_report *r, const char *name,
		       struct stat *st)
{
	char *path = NULL;

	if (*name == '/')
		return is_there(name, st) ? gaspdb_text_copy(name, strlen(name))
					  : NULL;
	char *ran = gaspdb_database_text(
		r->db, "SELECT value FROM meta WHERE key = 'directory'");
	char *program = gaspdb_database_text(
		r->db, "SELECT value FROM meta WHERE key = 'program'");
	path = try_folder(".", name, st);
	if (!path && *ran)
		path = try_folder(ran, name, st);
	if (!path)
		path = try_above(program, name, st);
	free(program);
	free(ran);
	return path;
}

/* --- its lines -------------------------------------------------------------
 */

/* The statement's rows of one file, and what is written of it. */
struct file {
	FILE *out;
	int64_t *lines; /* with events, in order */
	size_t n, room;
};

static void put_line(struct file *f, int64_t number, char *text, bool first)
{
	text[strcspn(text, "\r\n")] = '\0';
	if (strlen(text) > LINE_BYTES)
		text[LINE_BYTES] = '\0';
	char *safe = gaspdb_text_safe(text, strlen(text));
	fprintf(f->out, "%s[%lld,", first ? "" : ",", (long long)number);
	gaspdb_chunk_put_json(f->out, safe);
	putc(']', f->out);
	free(safe);
}

/* Tabs are eight columns. The caller frees it. */
static char *without_tabs(const char *text)
{
	char *wide = gaspdb_memory_new(8 * strlen(text) + 1, 1);
	size_t n = 0;

	for (; *text; text++) {
		if (*text != '\t') {
			wide[n++] = *text;
			continue;
		}
		do
			wide[n++] = ' ';
		while (n % 8);
	}
	return wide;
}

/* Writes lines near those with events. */
static void put_lines(struct file *f, FILE *in)
{
	char *text = NULL;
	size_t room = 0, next = 0, shown = 0;

	for (int64_t number = 1;
	     shown < SHOWN_MAX && getline(&text, &room, in) >= 0; number++) {
		while (next < f->n && f->lines[next] + NEAR < number)
			next++;
		if (next == f->n)
			break;
		if (f->lines[next] - NEAR > number)
			continue;
		char *wide = without_tabs(text);
		put_line(f, number, wide, !shown++);
		free(wide);
	}
	free(text);
}

/* Is the file newer than the recording? */
static bool is_newer(struct gaspdb_report *r, const struct stat *st)
{
	const int64_t start_ns = gaspdb_database_integer(
		r->db, "SELECT value FROM meta WHERE key = 'start_real_ns'", 0);

	return start_ns > 0 && st->st_mtime > start_ns / 1000000000 + 1;
}

static void put_file(struct gaspdb_report *r, struct file *f, const char *name,
		     const char *file)
{
	struct stat st;
	char *path = is_source(file) ? find_file(r, file, &st) : NULL;
	const char *state = !path		? "missing"
			    : is_newer(r, &st) ? "changed"
					       : "read";
	FILE *in = !strcmp(state, "read") ? fopen(path, "re") : NULL;

	fputs("{\"name\":", f->out);
	gaspdb_chunk_put_json(f->out, name);
	fprintf(f->out, ",\"state\":\"%s\",\"lines\":[", state);
	if (in) {
		put_lines(f, in);
		fclose(in);
	}
	fputs("]}", f->out);
	free(path);
}

static void add_line(struct file *f, int64_t line)
{
	if (f->n == f->room) {
		f->room = 2 * f->room + 64;
		f->lines = gaspdb_memory_grow(f->lines, f->room,
					      sizeof *f->lines);
	}
	f->lines[f->n++] = line;
}

/* Writes all files: a row is a line with events, a file's rows follow one
   another. */
static void put_files(struct gaspdb_report *r, struct file *f,
		      sqlite3_stmt *stmt)
{
	char *name = NULL, *file = NULL;
	size_t n = 0;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *next = (const char *)sqlite3_column_text(stmt, 1);

		if (!next)
			continue;
		if (!file || strcmp(file, next)) {
			if (file) {
				fputs(n++ ? "," : "", f->out);
				put_file(r, f, name, file);
			}
			free(name);
			free(file);
			name = gaspdb_text_format(
				"%s", sqlite3_column_text(stmt, 0));
			file = gaspdb_text_format("%s", next);
			f->n = 0;
		}
		const int64_t line = sqlite3_column_int64(stmt, 2);
		if (line > 0 && line < INT32_MAX) /* not of a damaged file */
			add_line(f, line);
	}
	if (file) {
		fputs(n ? "," : "", f->out);
		put_file(r, f, name, file);
	}
	free(name);
	free(file);
}

enum gaspdb_status gaspdb_source_write(struct gaspdb_report *r, FILE *out)
{
	sqlite3_stmt *stmt = gaspdb_chunk_prepare(r, gaspdb_sql_page_lines);
	char *text = NULL;
	size_t bytes = 0;
	struct file f = { .out = gaspdb_chunk_text(&text, &bytes) };

	fputs("{\"files\":[", f.out);
	if (stmt)
		put_files(r, &f, stmt);
	sqlite3_finalize(stmt);
	fputs("]}\n", f.out);
	gaspdb_chunk_text_end(f.out);
	if (r->err.status == GASPDB_OK)
		gaspdb_chunk_write(out, "source", text, bytes, &r->err);
	free(f.lines);
	free(text);
	return r->err.status;
}
