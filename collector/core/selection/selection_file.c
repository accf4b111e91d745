/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/selection_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/environment.h"
#include "collector/base/pages.h"
#include "collector/core/collector.h"
#include "collector/core/selection/glob.h"
#include "collector/process/elf_notes.h"
#include "collector/process/process.h"

#define MOST_BYTES (1 << 28)

/* --- addresses ------------------------------------------------------------ */

bool gaspdb_address_set_has(const struct gaspdb_address_set *s,
			    uintptr_t address)
{
	if (!s->size || !address)
		return false;
	for (size_t at = gaspdb_mix(address, 0);; at++) {
		const uintptr_t found = s->slots[at & (s->size - 1)];

		if (found == address || !found)
			return found;
	}
}

static void add(struct gaspdb_address_set *s, uintptr_t address)
{
	size_t at = gaspdb_mix(address, 0);

	if (!address || gaspdb_address_set_has(s, address))
		return;
	while (s->slots[at & (s->size - 1)])
		at++;
	s->slots[at & (s->size - 1)] = address;
	s->n++;
}

/* Room for n addresses; false: no memory. */
static bool make_set(struct gaspdb_address_set *s, size_t n)
{
	size_t size = 64;

	while (size < 2 * n)
		size *= 2;
	s->slots = gaspdb_pages(size * sizeof *s->slots);
	s->size = s->slots ? size : 0;
	return s->slots;
}

/* --- lines ---------------------------------------------------------------- */

struct line {
	const char *at;
	size_t n; /* without the line's end */
};

/* The next line of [*at, end); false: none. */
static bool next_line(const char **at, const char *end, struct line *l)
{
	const char *newline;

	if (*at >= end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	l->at = *at;
	l->n = (size_t)((newline ? newline : end) - *at);
	*at = newline ? newline + 1 : end;
	return true;
}

/* What follows a word at the line's beginning; NULL: it has another word. */
static const char *after(const struct line *l, const char *word)
{
	const size_t n = strlen(word);

	return l->n >= n && !memcmp(l->at, word, n) ? l->at + n : NULL;
}

static int digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}

/* The line's hexadecimal number; false: it is none. */
static bool parse_number(const struct line *l, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (digit(l->at[i]) < 0)
			return false;
		*number = *number << 4 | (unsigned)digit(l->at[i]);
	}
	return l->n > 0 && l->n <= 16;
}

static size_t count_lines(const char *at, const char *end)
{
	struct line l;
	size_t n = 0;

	while (next_line(&at, end, &l))
		n++;
	return n;
}

/* Adds the functions of the modules, from the first module's line on. */
static bool add_functions(struct gaspdb_selection *s, const char *at,
			  const char *end, gaspdb_find_module_fn *find)
{
	bool is_loaded = false, is_module = false;
	uintptr_t bias = 0;
	uint64_t number;
	const char *rest;

	for (struct line l; next_line(&at, end, &l);) {
		rest = after(&l, "module ");
		if (rest) {
			is_module = true;
			is_loaded =
				find(rest, (size_t)(l.at + l.n - rest), &bias);
		} else if (!is_module || !parse_number(&l, &number)) {
			return false;
		} else if (is_loaded) {
			add(&s->functions, (uintptr_t)number + bias);
		}
	}
	return true;
}

bool gaspdb_selection_parse(struct gaspdb_selection *s, const char *text,
			    size_t n, gaspdb_find_module_fn *find)
{
	const char *at = text, *end = text + n, *before = text;
	struct line l;

	if (!next_line(&at, end, &l) || l.n != strlen(GASPDB_SELECTION_FIRST) ||
	    !after(&l, GASPDB_SELECTION_FIRST))
		return false;
	s->rules = before = at;
	while (next_line(&at, end, &l) &&
	       (after(&l, "include ") || after(&l, "exclude ")))
		before = at;
	s->end = before;
	return make_set(&s->functions, count_lines(before, end)) &&
	       add_functions(s, before, end, find);
}

bool gaspdb_selection_rules_exclude(const struct gaspdb_selection *s,
				    const char *name)
{
	const char *at = s->rules;
	bool excludes = false;

	for (struct line l; next_line(&at, s->end, &l);) {
		const char *glob = after(&l, "exclude ");
		const bool is_exclude = glob;

		if (!glob)
			glob = after(&l, "include ");
		if (glob &&
		    gaspdb_glob(glob, (size_t)(l.at + l.n - glob), name))
			excludes = is_exclude;
	}
	return excludes;
}

/* --- loaded modules ------------------------------------------------------- */

struct search {
	const char *id, *path; /* id "-": only the path is known */
	size_t id_length;
	struct stat file;
	uintptr_t bias;
};

static bool is_id(const struct search *s, const unsigned char *id, size_t n)
{
	if (s->id_length != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (digit(s->id[2 * i]) != id[i] >> 4 ||
		    digit(s->id[2 * i + 1]) != (id[i] & 15))
			return false;
	return true;
}

static bool has_id(const struct search *s, const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		struct gaspdb_elf_notes notes;

		if (info->dlpi_phdr[i].p_type != PT_NOTE)
			continue;
		notes = gaspdb_elf_notes(info, &info->dlpi_phdr[i]);
		while (gaspdb_elf_notes_next(&notes))
			if (notes.note->n_type == NT_GNU_BUILD_ID &&
			    notes.note->n_namesz == sizeof "GNU" &&
			    !memcmp(notes.name, "GNU", sizeof "GNU"))
				return is_id(s,
					     (const unsigned char *)notes.value,
					     notes.note->n_descsz);
	}
	return false;
}

static bool is_file(const struct search *s, const struct dl_phdr_info *info)
{
	const char *path =
		*info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct stat st;

	return !stat(path, &st) && st.st_dev == s->file.st_dev &&
	       st.st_ino == s->file.st_ino;
}

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
	struct search *s = user;

	(void)size;
	if (*s->id == '-' ? !is_file(s, info) : !has_id(s, info))
		return 0;
	s->bias = info->dlpi_addr;
	return 1;
}

/* line: BUILD-ID PATH, or - PATH. */
static bool find_loaded(const char *line, size_t n, uintptr_t *bias)
{
	const char *space = memchr(line, ' ', n);
	char path[4096];
	struct search s = { .id = line };
	size_t length;

	if (!space || space == line)
		return false;
	s.id_length = (size_t)(space - line);
	length = n - s.id_length - 1;
	if (*line == '-') {
		if (length >= sizeof path)
			return false;
		memcpy(path, space + 1, length);
		path[length] = 0;
		if (stat(path, &s.file))
			return false;
	}
	if (!dl_iterate_phdr(visit, &s))
		return false;
	*bias = s.bias;
	return true;
}

/* --- the run's ------------------------------------------------------------ */

static struct gaspdb_selection selection;

bool gaspdb_selection_is_given(void)
{
	const char *value = gaspdb_getenv("GASPDB_SELECTION");

	return value && *value == '1';
}

/* Maps the file; NULL: it cannot be read, or another user's. */
static const char *map_file(int fd, size_t *n)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size <= 0 || st.st_size > MOST_BYTES)
		return NULL;
	*n = (size_t)st.st_size;
	p = mmap(NULL, *n, PROT_READ, MAP_PRIVATE, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static bool read_file(void)
{
	int ignored, fd,
		folder = gaspdb_run_dir_open(&gaspdb_process.dir, &ignored);
	const char *text;
	size_t n;

	if (folder < 0)
		return false;
	fd = openat(folder, GASPDB_SELECTION_FILE,
		    O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	close(folder);
	if (fd < 0)
		return false;
	text = map_file(fd, &n);
	close(fd);
	return text && gaspdb_selection_parse(&selection, text, n, find_loaded);
}

void gaspdb_selection_read(void)
{
	static bool was_read;
	const int saved = errno;

	if (was_read || !gaspdb_selection_is_given())
		return;
	was_read = true;
	if (!read_file()) {
		selection = (struct gaspdb_selection){ 0 };
		gaspdb_complain("functions are not selected: '%s/%s' cannot be "
				"read",
				gaspdb_process.dir.path, GASPDB_SELECTION_FILE);
	}
	errno = saved;
}

bool gaspdb_selection_has(const void *function)
{
	return gaspdb_address_set_has(&selection.functions,
				      (uintptr_t)function);
}

bool gaspdb_selection_excludes_event(const char *name)
{
	return selection.rules &&
	       gaspdb_selection_rules_exclude(&selection, name);
}
