/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning of SQL texts of sql/: words, strings, comments, statements. */
#ifndef GASPDB_SQL_SQL_TEXT_H
#define GASPDB_SQL_SQL_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define GASPDB_SQL_OPAQUE "'\"-" /* what may begin what is not looked into */

/* Bytes of the string, quoted name or comment that begins at s; 0: none does */
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

/* Bytes of the name or number at s. */
static inline size_t gaspdb_sql_word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The next statement of a text, without its semicolon, as SQLite keeps it (NULL
   without memory), for sqlite3_free(); false at the end. */
bool gaspdb_sql_statement(const char **text, char **statement);

#endif
