/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.txt in a run directory. */
#include "run_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Bytes: of what is worth reading, and of what a log's own text may have. */
enum { LONGEST_FILE = 1 << 20, LONGEST_VALUE = 1 << 15 };

char *gaspdb_run_fact_in(FILE *f, const char *key)
{
	char *text = malloc(LONGEST_FILE + 1), *rest = text, *value = NULL;
	const size_t n_key = strlen(key);
	const char *line;

	rewind(f);
	if (text) /* little of it is ever touched */
		text[fread(text, 1, LONGEST_FILE, f)] = '\0';
	if (text && *text)
		while (!value && (line = strsep(&rest, "\n")))
			if (!strncmp(line, key, n_key) &&
			    !strncmp(line + n_key, ": ", 2) && line[n_key + 2])
				value = strndup(line + n_key + 2,
						LONGEST_VALUE);
	free(text);
	return value;
}
