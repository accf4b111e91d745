/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analyses as views, of the same text that `gaspdb analyze` runs. */
#include <ctype.h>
#include <string.h>

#include "sql/sql.h"

/* The value of a parameter, as SQL; in a view nothing limits the rows. */
static void put_value(sqlite3_str *out, const struct gaspdb_analysis_param *p)
{
	if (!strcmp(p->name, "limit"))
		sqlite3_str_appendall(out, "(-1)");
	else if (!p->value)
		sqlite3_str_appendall(out, "NULL");
	else if (!strcmp(p->type, "TEXT"))
		sqlite3_str_appendf(out, "%Q", p->value);
	else
		sqlite3_str_appendf(out, "(%s)", p->value);
}

static const struct gaspdb_analysis_param *
find_param(const struct gaspdb_analysis *a, const char *name, size_t n)
{
	const struct gaspdb_analysis_param *p = a->params;

	while (p->name && (strlen(p->name) != n || memcmp(p->name, name, n)))
		p++;
	return p->name ? p : NULL;
}

/* Bytes of the string, quoted name or comment that begins at s; 0: none does */
static size_t opaque_length(const char *s)
{
	const char *end = NULL;

	if (*s == '\'' || *s == '"')
		end = strchr(s + 1, *s);
	else if (s[0] == '-' && s[1] == '-')
		end = strchr(s, '\n');
	else
		return 0;
	return end ? (size_t)(end - s) + 1 : strlen(s);
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The analysis' SQL with the parameters' values in their places. */
static void put_query(sqlite3_str *out, const struct gaspdb_analysis *a)
{
	for (const char *s = a->sql; *s && *s != ';';) {
		size_t n = opaque_length(s), name = word_length(s + 1);
		const struct gaspdb_analysis_param *p =
			*s == ':' ? find_param(a, s + 1, name) : NULL;

		if (p) {
			put_value(out, p);
			n = name + 1;
		} else {
			n = n ? n : 1;
			sqlite3_str_append(out, s, (int)n);
		}
		s += n;
	}
}

/* The statement that makes it a view; for sqlite3_free(). */
static char *make_view(const struct gaspdb_analysis *a, bool temporary)
{
	sqlite3_str *out = sqlite3_str_new(NULL);

	sqlite3_str_appendf(out, "CREATE%s VIEW analysis_",
			    temporary ? " TEMP" : "");
	for (const char *p = a->name; *p; p++)
		sqlite3_str_appendchar(out, 1, *p == '-' ? '_' : *p);
	for (int i = 0; a->columns[i].name; i++)
		sqlite3_str_appendf(out, "%s%s", i ? ", " : "(",
				    a->columns[i].name);
	sqlite3_str_appendf(out, ") AS -- %s\n", a->summary);
	put_query(out, a);
	return sqlite3_str_finish(out);
}

int gaspdb_analyses_make_views(sqlite3 *db, bool temporary)
{
	int rc = SQLITE_OK;

	for (const struct gaspdb_analysis *a = gaspdb_analyses;
	     a->name && rc == SQLITE_OK; a++) {
		char *view = make_view(a, temporary);
		rc = view ? sqlite3_exec(db, view, NULL, NULL, NULL)
			  : SQLITE_NOMEM;
		sqlite3_free(view);
	}
	return rc;
}
