/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.tsv in a run directory: places of a run's calls, for imports on
   machines without the program. docs/log-format.md describes it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "importer/log/definitions.h"
#include "importer/import.h"
#include "common/interrupt.h"
#include "common/memory.h"
#include "importer/run/source.h"
#include "importer/symbols/symbols.h"

#define OWN_FIELDS   7
#define FIELDS	     (OWN_FIELDS + 3 * GASPDB_INLINED_MAX)
#define FIELDS_LEAST 6

/* --- reading -------------------------------------------------------------- */

static void unescape(char *p)
{
	char *to = p;

	for (; *p; p++) {
		if (*p == '\\' && p[1]) {
			p++;
			*to++ = *p == 't' ? '\t' : *p == 'n' ? '\n' : *p;
		} else {
			*to++ = *p;
		}
	}
	*to = 0;
}

/* Fields 8, 9, 10 and so on: function, file and line of declaration. */
static void take_functions(struct gaspdb_symbols *s, uint32_t i, char **field,
			   int n)
{
	struct gaspdb_functions *f;

	s->line_functions = gaspdb_mem_grow(s->line_functions,
					    &s->line_functions_capacity, i + 1,
					    sizeof *s->line_functions);
	f = &s->line_functions[i];
	if (!f->place)
		f->place = gaspdb_mem_alloc(GASPDB_INLINED_MAX *
					    sizeof *f->place);
	for (f->n = 0; n >= 3; n -= 3, field += 3)
		f->place[f->n++] = (struct gaspdb_place){
			.function = gaspdb_text_of(s->registry, field[0]),
			.file = gaspdb_text_of(s->registry, field[1]),
			.line = strtoull(field[2], NULL, 10),
		};
}

static void take_line(struct gaspdb_symbols *s, char *line)
{
	static char no_field[1];
	char *field[FIELDS], key[GASPDB_LINE_MAX];
	struct gaspdb_place *place;
	uint32_t i;
	int n, n_fields;

	line[strcspn(line, "\n")] = 0;
	for (n = 0; n < FIELDS && line; n++)
		field[n] = strsep(&line, "\t");
	if (n < FIELDS_LEAST)
		return;
	if (n == FIELDS_LEAST)
		field[n++] = no_field;
	n_fields = n;
	while (n-- > 0)
		unescape(field[n]);
	n = snprintf(key, sizeof key, "%s\t%" PRIx64, field[0],
		     (uint64_t)strtoull(field[1], NULL, 16));
	i = gaspdb_names_add(&s->lines, key, strnlen(key, sizeof key), NULL);
	s->line = gaspdb_mem_grow(s->line, &s->line_capacity, i + 1,
				  sizeof *s->line);
	place = &s->line[i];
	place->function = gaspdb_text_of(s->registry, field[2]);
	place->file = gaspdb_text_of(s->registry, field[3]);
	place->line = strtoull(field[4], NULL, 10);
	place->column = strtoull(field[5], NULL, 10);
	place->within = strtoull(field[6], NULL, 16);
	if (n_fields > OWN_FIELDS)
		take_functions(s, i, field + OWN_FIELDS, n_fields - OWN_FIELDS);
}

void gaspdb_lines_read(struct gaspdb_symbols *s, FILE *f)
{
	char *line = gaspdb_mem_alloc(GASPDB_LINE_MAX);

	/* Zeros: the rest was not written. */
	for (uint32_t n = 0; f && n < GASPDB_IDS_MAX && !gaspdb_interrupted &&
			     fgets(line, GASPDB_LINE_MAX, f) && *line;
	     n++)
		if (line[0] != '#' && strchr(line, '\n'))
			take_line(s, line);
	if (f)
		fclose(f);
	free(line);
}

/* --- writing -------------------------------------------------------------- */

static void put_text(FILE *f, const char *s)
{
	for (; s && *s; s++) {
		const char *escaped = *s == '\t'   ? "\\t"
				      : *s == '\n' ? "\\n"
				      : *s == '\\' ? "\\\\"
						   : NULL;

		if (escaped)
			fputs(escaped, f);
		else
			putc(*s, f);
	}
	putc('\t', f);
}

static void put_functions(FILE *f, const struct gaspdb_symbols *s, uint32_t i)
{
	if (i >= s->functions_capacity)
		return;
	for (unsigned k = 0; k < s->functions[i].n; k++) {
		const struct gaspdb_place *p = &s->functions[i].place[k];

		putc('\t', f);
		put_text(f, gaspdb_text_get(s->registry, p->function));
		put_text(f, gaspdb_text_get(s->registry, p->file));
		fprintf(f, "%" PRIu64, p->line);
	}
}

static void put_places(FILE *f, const struct gaspdb_symbols *s)
{
	fputs("# gaspdb lines 1: module (build-id or path), address, function, "
	      "file, line, column, function's offset; of call stacks the "
	      "functions there, innermost first: name, file, line\n",
	      f);
	for (uint32_t i = 0; i < s->addresses.n; i++) {
		const struct gaspdb_place *p = &s->place[i];
		uint64_t key[2];

		if (!p->function && !p->file)
			continue;
		memcpy(key, s->addresses.names[i].bytes, sizeof key);
		put_text(f, s->module[key[0]].key);
		fprintf(f, "%" PRIx64 "\t", key[1]);
		put_text(f, gaspdb_text_get(s->registry, p->function));
		put_text(f, gaspdb_text_get(s->registry, p->file));
		fprintf(f, "%" PRIu64 "\t%" PRIu64 "\t%" PRIx64, p->line,
			p->column, p->within);
		put_functions(f, s, i);
		putc('\n', f);
	}
}

/* Creates a file for the user alone, in a directory that the user owns; does
   not follow a link in its place. */
static FILE *make_file(int folder, const char *name)
{
	struct stat st;
	FILE *f;
	int fd;

	if (fstat(folder, &st))
		return NULL;
	errno = EPERM;
	if (st.st_uid != geteuid())
		return NULL;
	unlinkat(folder, name, 0); /* left by an interrupted attempt */
	fd = openat(folder, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return NULL;
	fchmod(fd, 0600); /* whatever the umask */
	f = fdopen(fd, "w");
	if (!f)
		close(fd);
	return f;
}

static enum gaspdb_status write_file(const struct gaspdb_symbols *s,
				     const char *run, struct gaspdb_error *err)
{
	static const char temporary[] = GASPDB_LINES_FILE ".tmp";
	const int folder =
		open(run, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	FILE *f = folder < 0 ? NULL : make_file(folder, temporary);
	enum gaspdb_status status = GASPDB_OK;
	bool good = f;

	if (f)
		put_places(f, s);
	good = good && !ferror(f);
	good = f && !fclose(f) && good;
	if (!good || renameat(folder, temporary, folder, GASPDB_LINES_FILE)) {
		status = gaspdb_fail_errno(
			err, "cannot write '%s/" GASPDB_LINES_FILE "'", run);
		if (f)
			unlinkat(folder, temporary, 0);
	}
	if (folder >= 0)
		close(folder);
	return status;
}

/* Resolves the calls of a record; malformed ones are ignored. */
static void look_up(struct gaspdb_symbols *s, struct gaspdb_definitions *d,
		    const struct gaspdb_record *rec)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];
	const struct gaspdb_log_module *m;

	if (rec->phase != GASPDB_PHASE_OTHER || !gaspdb_record_fields(rec, f))
		return;
	if (rec->kind == GASPDB_RECORD_MODULE)
		gaspdb_define_module(d, f, gaspdb_symbols_module(s, f));
	if (rec->kind == GASPDB_RECORD_SITE_PC) {
		m = gaspdb_definitions_module_of(d, f[3].u, f[2].u);
		if (m)
			gaspdb_symbols_place(s, m->module, f[2].u - m->bias);
	} else if (rec->kind == GASPDB_RECORD_FRAME) {
		m = gaspdb_definitions_module_of(d, f[2].u, f[1].u);
		if (m)
			gaspdb_symbols_functions(s, m->module,
						 f[1].u - m->bias);
	}
}

static void read_log(struct gaspdb_symbols *s, struct gaspdb_reader *rd)
{
	struct gaspdb_definitions d;
	struct gaspdb_record rec;
	struct gaspdb_error ignored;
	enum gaspdb_status status;

	gaspdb_definitions_init(&d, s->registry);
	while ((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_OK ||
	       status == GASPDB_DAMAGED)
		while (!status && !gaspdb_reader_record(rd, &rec, &ignored))
			look_up(s, &d, &rec);
	gaspdb_definitions_free(&d);
}

static void read_logs(struct gaspdb_symbols *s, const struct gaspdb_input *in)
{
	struct gaspdb_reader *rd = gaspdb_mem_alloc(sizeof *rd);
	struct gaspdb_error ignored;

	for (size_t i = 0; i < in->n; i++) {
		if (gaspdb_input_read(in, &in->logs.file[in->first + i], rd,
				      NULL, &ignored))
			continue;
		read_log(s, rd);
		gaspdb_reader_close(rd);
	}
	free(rd);
}

struct resolving {
	const char *run;
	struct gaspdb_input in;
	struct gaspdb_registry registry;
	struct gaspdb_symbols symbols;
};

static enum gaspdb_status resolve(void *user, struct gaspdb_error *err)
{
	struct resolving *r = user;
	const struct gaspdb_input_options options = { .path = r->run };
	struct gaspdb_defects unreported;

	gaspdb_registry_init(&r->registry, NULL);
	gaspdb_symbols_init(&r->symbols, &r->registry);
	gaspdb_defects_init(&unreported, NULL);
	if (gaspdb_input_open(&r->in, &options, &unreported, err))
		return GASPDB_FAILED;
	read_logs(&r->symbols, &r->in);
	return r->symbols.addresses.n > 0 ? write_file(&r->symbols, r->run, err)
					  : GASPDB_OK;
}

enum gaspdb_status gaspdb_resolve_lines(const char *run,
					struct gaspdb_error *err)
{
	struct resolving r = { .run = run, .in.spool = -1 };
	const enum gaspdb_status status = gaspdb_mem_try(resolve, &r, err);

	gaspdb_symbols_free(&r.symbols);
	gaspdb_registry_free(&r.registry);
	gaspdb_input_close(&r.in);
	return status;
}
