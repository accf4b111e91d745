/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's commands for analyses. */
#include <stdlib.h>
#include <string.h>

#include "cli/analysis_help.h"
#include "cli/database/analysis.h"
#include "cli/database/remarks.h"
#include "cli/shell/dots.h"

bool gaspdb_shell_analyses(struct gaspdb_shell *s, char *argument)
{
	FILE *out = gaspdb_shell_open_out(s);

	(void)argument;
	gaspdb_analysis_list(out, &s->style);
	gaspdb_shell_close_out(s, out);
	return true;
}

static bool bind_argument(struct gaspdb_shell *s, sqlite3_stmt *stmt,
			  const struct gaspdb_analysis *a, char *word)
{
	const struct gaspdb_analysis_param *param;
	struct gaspdb_error err;

	while (*word == '-')
		word++;
	char *value = strchr(word, '=');
	if (value)
		*value++ = '\0';
	param = gaspdb_analysis_param_find(a, word);
	if (!param || !value) {
		gaspdb_shell_error(s,
				   param ? "'%s' needs a value: %s=VALUE"
					 : "there is no parameter '%s'; '.help "
					   "%s' lists them",
				   word, param ? word : a->name);
		return false;
	}
	if (!gaspdb_analysis_check_found(sqlite3_db_handle(stmt), param, value,
					 &err) &&
	    !gaspdb_analysis_bind(stmt, a, param, value, &err))
		return true;
	gaspdb_shell_error(s, "%s", err.msg);
	return false;
}

static bool write_analysis(struct gaspdb_shell *s, sqlite3_stmt *stmt,
			   const struct gaspdb_analysis *a)
{
	struct gaspdb_error err = { 0 };
	FILE *out = gaspdb_shell_open_out(s);
	enum gaspdb_status status = gaspdb_analysis_write(
		&s->db, stmt, a, out, &s->style, NULL, &err);

	gaspdb_shell_close_out(s, out);
	if (status == GASPDB_OK)
		gaspdb_remarks_print(&s->db);
	else
		gaspdb_shell_complain(s, err.msg, NULL);
	return status == GASPDB_OK;
}

/* The analysis named by the argument's first word; *rest: the rest. */
const struct gaspdb_analysis *
gaspdb_shell_find_analysis(struct gaspdb_shell *s, char *argument, char **rest)
{
	char *name = strsep(&argument, " \t");
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);

	*rest = argument;
	if (!a && *name) {
		char *text =
			gaspdb_analysis_unknown(name, "'.analyses' lists them");
		gaspdb_shell_error(s, "%s", text);
		free(text);
	} else if (!a)
		gaspdb_shell_error(s, "which analysis? '.analyses' lists them");
	return a;
}

bool gaspdb_shell_analyze(struct gaspdb_shell *s, char *argument)
{
	const struct gaspdb_analysis *a =
		gaspdb_shell_find_analysis(s, argument, &argument);
	struct gaspdb_error err;
	sqlite3_stmt *stmt = NULL;

	if (!a)
		return false;
	gaspdb_database_forget_reads(&s->db);
	if (gaspdb_analysis_prepare(&s->db, a, &stmt, &err) != GASPDB_OK) {
		gaspdb_shell_complain(s, err.msg, NULL);
		return false;
	}
	bool good = true;
	for (char *word; good && (word = gaspdb_shell_word(&argument));)
		good = bind_argument(s, stmt, a, word);
	good = good && write_analysis(s, stmt, a);
	sqlite3_finalize(stmt);
	return good;
}
