/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/record/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/text.h"

#define MOST_BYTES (64 << 20)

enum block { NO_BLOCK, FILES, REGIONS };
enum kind { NO_KIND, EXCLUDE, INCLUDE };

struct parser {
	struct gaspdb_filter *filter;
	const char *name;
	unsigned line, block_line;
	enum block block;
	enum kind kind;
	bool mangled;
	struct gaspdb_error *err;
};

static const struct {
	const char *begin, *end;
} blocks[] = {
	[FILES] = { "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END" },
	[REGIONS] = { "SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END" },
};

/* --- words ---------------------------------------------------------------- */

static enum gaspdb_status complain(struct parser *p, unsigned line,
				   const char *what, const char *word, size_t n)
{
	enum { MOST = 80 };
	char *safe = gaspdb_text_safe(word, n < MOST ? n : MOST);

	gaspdb_fail(p->err, GASPDB_FAILED, "%.200s:%u: %s%s%s%s", p->name, line,
		    what, *safe ? " '" : "", safe, *safe ? "'" : "");
	free(safe);
	return GASPDB_FAILED;
}

static bool is_word(const char *word, size_t n, const char *keyword)
{
	return n == strlen(keyword) && !memcmp(word, keyword, n);
}

static enum block begins(const char *word, size_t n)
{
	for (enum block b = FILES; b <= REGIONS; b++)
		if (is_word(word, n, blocks[b].begin))
			return b;
	return NO_BLOCK;
}

static void add_rule(struct parser *p, const char *glob, size_t n)
{
	struct gaspdb_filter_rules *r =
		p->block == FILES ? &p->filter->files : &p->filter->regions;

	if (r->n == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 16;
		r->rule = gaspdb_memory_grow(r->rule, r->capacity,
					     sizeof *r->rule);
	}
	r->rule[r->n++] = (struct gaspdb_filter_rule){
		.glob = gaspdb_text_copy(glob, n),
		.excludes = p->kind == EXCLUDE,
		.mangled = p->mangled,
	};
}

/* A word in a block. */
static enum gaspdb_status take_in_block(struct parser *p, const char *word,
					size_t n)
{
	const bool mangled = is_word(word, n, "MANGLED");

	if (is_word(word, n, blocks[p->block].end)) {
		p->block = NO_BLOCK;
	} else if (is_word(word, n, "EXCLUDE") || is_word(word, n, "INCLUDE")) {
		p->kind = *word == 'E' ? EXCLUDE : INCLUDE;
		p->mangled = false;
	} else if (p->kind == NO_KIND) {
		return complain(p, p->line,
				"neither EXCLUDE nor INCLUDE before", word, n);
	} else if (mangled || is_word(word, n, "DEMANGLED")) {
		if (p->block == FILES)
			return complain(p, p->line, "unexpected", word, n);
		p->mangled = mangled;
	} else {
		add_rule(p, word, n);
	}
	return GASPDB_OK;
}

static enum gaspdb_status take_word(struct parser *p, const char *word,
				    size_t n)
{
	const enum block begun = begins(word, n);

	if (begun ? p->block != NO_BLOCK : p->block == NO_BLOCK)
		return complain(p, p->line, "unexpected", word, n);
	if (!begun)
		return take_in_block(p, word, n);
	p->block = begun;
	p->block_line = p->line;
	p->kind = NO_KIND;
	p->mangled = false;
	return GASPDB_OK;
}

/* --- lines ---------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The words of a line; a backslash keeps the character after it in a word. */
static enum gaspdb_status take_line(struct parser *p, const char *at,
				    const char *end)
{
	while (at < end && *at != '#') {
		const char *word = at;

		while (at < end && !is_blank(*at) && *at != '#') {
			if (*at == '\\' && (at + 1 == end || at[1] == '\r'))
				return complain(p, p->line,
						"a line cannot be continued by "
						"a backslash",
						"", 0);
			at += *at == '\\' ? 2 : 1;
		}
		if (at > word && take_word(p, word, (size_t)(at - word)))
			return GASPDB_FAILED;
		while (at < end && is_blank(*at))
			at++;
	}
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_filter_parse(struct gaspdb_filter *f,
				       const char *name, const char *text,
				       size_t n, struct gaspdb_error *err)
{
	struct parser p = { .filter = f, .name = name, .err = err };
	const char *end = text + n, *line_end;

	for (const char *at = text; at < end; at = line_end + 1) {
		line_end = memchr(at, '\n', (size_t)(end - at));
		if (!line_end)
			line_end = end;
		p.line++;
		if (memchr(at, 0, (size_t)(line_end - at)))
			return complain(&p, p.line, "this is no text", "", 0);
		if (take_line(&p, at, line_end))
			return GASPDB_FAILED;
	}
	if (p.block != NO_BLOCK)
		return complain(&p, p.block_line, "the block is not ended by",
				blocks[p.block].end,
				strlen(blocks[p.block].end));
	return GASPDB_OK;
}

/* --- files ---------------------------------------------------------------- */

/* The bytes of a regular file; NULL: errno is set. */
static char *read_all(int fd, size_t *n)
{
	struct stat st;
	ssize_t got = 1;
	char *text;

	*n = 0;
	if (fstat(fd, &st))
		return NULL;
	errno = !S_ISREG(st.st_mode) ? EINVAL : EFBIG;
	if (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)
		return NULL;
	text = gaspdb_memory_new((size_t)st.st_size + 1, 1);
	while (*n < (size_t)st.st_size && got > 0) {
		got = read(fd, text + *n, (size_t)st.st_size - *n);
		if (got > 0)
			*n += (size_t)got;
	}
	if (got >= 0)
		return text;
	free(text);
	return NULL;
}

enum gaspdb_status gaspdb_filter_read(struct gaspdb_filter *f, const char *path,
				      struct gaspdb_error *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum gaspdb_status status;
	char *text;
	size_t n;

	if (fd < 0)
		return gaspdb_fail_errno(err, "cannot read '%.300s'", path);
	text = read_all(fd, &n);
	if (!text) {
		gaspdb_fail_errno(err, "cannot read '%.300s'", path);
		close(fd);
		return GASPDB_FAILED;
	}
	close(fd);
	status = gaspdb_filter_parse(f, path, text, n, err);
	free(text);
	return status;
}

/* --- matching ------------------------------------------------------------- */

static bool matches(const char *glob, const char *const *texts)
{
	for (; *texts; texts++)
		if (!fnmatch(glob, *texts, 0))
			return true;
	return false;
}

/* Whether the last rule that matches excludes. symbol: for mangled rules, or
   NULL. */
static bool exclude(const struct gaspdb_filter_rules *r,
		    const char *const *texts, const char *symbol)
{
	const char *const symbols[] = { symbol, NULL };

	for (size_t i = r->n; i-- > 0;)
		if (matches(r->rule[i].glob,
			    r->rule[i].mangled ? symbols : texts))
			return r->rule[i].excludes;
	return false;
}

bool gaspdb_filter_excludes(const struct gaspdb_filter *f,
			    const struct gaspdb_filter_names *function)
{
	return exclude(&f->files, function->files, NULL) ||
	       exclude(&f->regions, function->names, function->symbol);
}

static void free_rules(struct gaspdb_filter_rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->rule[i].glob);
	free(r->rule);
}

void gaspdb_filter_free(struct gaspdb_filter *f)
{
	free_rules(&f->files);
	free_rules(&f->regions);
	*f = (struct gaspdb_filter){ 0 };
}
