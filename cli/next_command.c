/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that one types next: what record and import end with. */
#include "next_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "run_facts.h"
#include "text.h"

char *gaspdb_path_word(const char *path)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return gaspdb_text_copy("FILE", 4);
	fputs(*path == '-' ? "./" : "", f);
	gaspdb_run_quote(f, (char *const[]){ (char *)path, NULL });
	fclose(f);
	char *safe = gaspdb_text_safe(text, n);
	free(text);
	return safe;
}

void gaspdb_print_next(const char *command, const char *path)
{
	char *word = gaspdb_path_word(path);

	gaspdb_print_error("next: gaspdb %s %s", command, word);
	free(word);
}
