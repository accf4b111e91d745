/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shell: views of analyses.  Each is made before the first statement that
 * may read it: making all of them takes longer than most statements.
 */
#include <ctype.h>
#include <string.h>

#include "cli/shell/shell.h"
#include "cli/output/text.h"
#include "sql/sql.h"
#include "sql/sql_text.h"

static const char prefix[] = "analysis_";

static size_t count_analyses(void)
{
	size_t n = 0;

	while (gaspdb_analyses[n].name)
		n++;
	return n;
}

/* Is that the rest of the name of the analysis' view? */
static bool is_view_of(const struct gaspdb_analysis *a, const char *rest)
{
	for (const char *s = a->name; *s; s++, rest++)
		if (tolower((unsigned char)*rest) != (*s == '-' ? '_' : *s))
			return false;
	return !gaspdb_sql_word(rest);
}

static bool is_named(const struct gaspdb_analysis *a, const char *text)
{
	while ((text = strcasestr(text, prefix))) {
		text += strlen(prefix);
		if (is_view_of(a, text))
			return true;
	}
	return false;
}

/* A schema, or a pragma, lists all of them. */
static bool names_any(const char *text)
{
	return strcasestr(text, "sqlite_") || strcasestr(text, "pragma");
}

static int make_views(struct gaspdb_shell *s, const char *text)
{
	const bool all = names_any(text);
	int rc = SQLITE_OK;

	if (!all && !strcasestr(text, prefix))
		return SQLITE_OK;
	if (!s->has_view)
		s->has_view = gaspdb_memory_new(count_analyses(),
						sizeof *s->has_view);
	for (size_t i = 0; gaspdb_analyses[i].name && rc == SQLITE_OK; i++) {
		if (s->has_view[i] ||
		    !(all || is_named(&gaspdb_analyses[i], text)))
			continue;
		s->has_view[i] = true;
		rc = gaspdb_analysis_make_view(s->db.sql, &gaspdb_analyses[i]);
	}
	return rc;
}

int gaspdb_shell_prepare(struct gaspdb_shell *s, const char *text,
			 sqlite3_stmt **stmt, const char **rest)
{
	const int rc = make_views(s, text);

	*stmt = NULL;
	return rc ? rc
		  : sqlite3_prepare_v2(s->db.sql, text, -1, stmt, rest);
}
