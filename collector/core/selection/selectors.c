/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/selectors.h"

#include <string.h>
#include <strings.h>

#include "collector/core/selection/glob.h"

enum qualifier { ANY, NAME, TYPE, MODEL, FUNCTION, SOURCE_FILE };

static const struct {
	const char *word;
	enum qualifier qualifier;
} qualifiers[] = {
	{ "name:", NAME },	  { "type:", TYPE },
	{ "model:", MODEL },	  { "function:", FUNCTION },
	{ "file:", SOURCE_FILE },
};

struct selector {
	enum qualifier qualifier;
	const char *glob;
	size_t length;
};

/* Splits the qualifier from a selector.  "file::f" is a C++ name. */
static void split(struct selector *s)
{
	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
		const size_t n = strlen(qualifiers[i].word);

		if (s->length < n ||
		    strncasecmp(s->glob, qualifiers[i].word, n) ||
		    (s->length > n && s->glob[n] == ':'))
			continue;
		s->qualifier = qualifiers[i].qualifier;
		s->glob += n;
		s->length -= n;
		return;
	}
}

/* The next selector of a list; false: none is left. */
static bool next(const char **list, struct selector *s)
{
	while (**list == ',')
		++*list;
	if (!**list)
		return false;
	*s = (struct selector){ ANY, *list, strcspn(*list, ",") };
	*list += s->length;
	split(s);
	return true;
}

static bool matches(const struct selector *s, const char *text)
{
	return gaspdb_glob_any_case(s->glob, s->length, text);
}

static bool matches_any(const struct selector *s, const char *const *texts)
{
	for (; *texts; texts++)
		if (matches(s, *texts))
			return true;
	return false;
}

/* Other words for an operation's model; NULL: none. */
static const char *model_alias(const struct gaspdb_names *n)
{
	if (!strcmp(n->type, "function"))
		return "functions";
	if (!strcmp(n->symbol, "USER"))
		return "user";
	return strcmp(n->model, "OpenSHMEM") ? NULL : "shmem";
}

static bool matches_model(const struct selector *s,
			  const struct gaspdb_names *n)
{
	const char *alias = model_alias(n);

	return matches(s, n->model) || (alias && matches(s, alias));
}

static bool is_of_functions(const struct selector *s)
{
	return s->qualifier == FUNCTION || s->qualifier == SOURCE_FILE;
}

static bool matches_operation(const struct selector *s,
			      const struct gaspdb_names *n)
{
	switch (s->qualifier) {
	case NAME:
		return matches(s, n->name);
	case TYPE:
		return matches(s, n->type);
	case MODEL:
		return matches_model(s, n);
	case ANY:
		return s->length &&
		       (matches(s, n->symbol) || matches(s, n->name) ||
			matches(s, n->type) || matches(s, n->category));
	default:
		return false;
	}
}

static bool matches_file(const struct selector *s, const char *const *files)
{
	const char *slash;

	if (matches_any(s, files))
		return true;
	if (memchr(s->glob, '/', s->length))
		return false;
	for (; *files; files++) {
		slash = strrchr(*files, '/');
		if (slash && matches(s, slash + 1))
			return true;
	}
	return false;
}

static bool matches_function(const struct selector *s,
			     const struct gaspdb_function_names *f)
{
	if (s->qualifier == SOURCE_FILE)
		return matches_file(s, f->files);
	return (s->qualifier == FUNCTION || s->qualifier == ANY) &&
	       matches_any(s, f->names);
}

/*
 * Whether a selector of the list matches; none: result if no selector is about
 * such an operation. f NULL: an operation, or a function about which nothing is
 * known.
 */
static bool is_listed(const char *list, bool none, const struct gaspdb_names *n,
		      const struct gaspdb_function_names *f)
{
	bool any = false;

	for (struct selector s; next(&list, &s);) {
		any |= f || !is_of_functions(&s);
		if (matches_operation(&s, n) || (f && matches_function(&s, f)))
			return true;
	}
	return !any && none;
}

bool gaspdb_lists_exclude_function(const struct gaspdb_lists *lists,
				   const struct gaspdb_names *operation,
				   const struct gaspdb_function_names *function)
{
	return !is_listed(lists->only, true, operation, function) ||
	       is_listed(lists->except, false, operation, function);
}

bool gaspdb_lists_exclude(const struct gaspdb_lists *lists,
			  const struct gaspdb_names *operation)
{
	return gaspdb_lists_exclude_function(lists, operation, NULL);
}

static bool has(const char *list, bool or_any)
{
	for (struct selector s; next(&list, &s);)
		if (is_of_functions(&s) || (or_any && s.qualifier == ANY))
			return true;
	return false;
}

bool gaspdb_lists_have_functions(const struct gaspdb_lists *lists)
{
	return has(lists->only, true) || has(lists->except, true);
}

bool gaspdb_lists_name_functions(const struct gaspdb_lists *lists)
{
	return has(lists->only, false) || has(lists->except, false);
}
