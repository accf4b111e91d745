/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hint with the next command, and default names of databases. */
#include "cli/next_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "importer/input/input.h"
#include "cli/run_facts.h"
#include "cli/output/text.h"

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

char *gaspdb_default_output(const char *path, const char *run_name)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	const char *last = memrchr(path, '/', n);
	size_t start = last ? (size_t)(last - path) + 1 : 0;
	bool is_dots = strspn(path + start, ".") >= n - start;
	char *real = is_dots ? realpath(path, NULL) : gaspdb_text_copy(path, n);
	char *stem = gaspdb_input_stem(real ? real : path);
	char *output;

	if (run_name && strcmp(run_name, ".")) {
		const char *part = strrchr(run_name, '/');
		part = part && part[1] ? part + 1 : run_name;
		output = gaspdb_text_format("%.*s%.*s.db", (int)start, path,
					    (int)strcspn(part, "/"), part);
	} else {
		output = gaspdb_text_format("%s.db", stem);
	}
	free(stem);
	free(real);
	return output;
}
