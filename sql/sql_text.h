/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scanner of SQL texts of sql/: words, strings, comments, statements. */
#ifndef GASPDB_SQL_SQL_TEXT_H
#define GASPDB_SQL_SQL_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define GASPDB_SQL_OPAQUE "'\"-" /* first bytes of strings, names, comments */

/* Length of the string, quoted name or comment at s; 0: none begins there. */
static inline size_t gaspdb_sql_opaque(const char *s)
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

/* Length of the name or number at s. */
static inline size_t gaspdb_sql_word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The next statement of a text, without its semicolon, as SQLite stores it; for
   sqlite3_free(); NULL: out of memory. false: the text ends. */
bool gaspdb_sql_statement(const char **text, char **statement);

#endif
