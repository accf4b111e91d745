/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.txt in a run directory. */
#include "run_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { LONGEST_FILE = 1 << 20 }; /* of what is worth reading */

char *gaspdb_run_fact_in(FILE *f, const char *key)
{
	char *line = NULL, *value = NULL;
	size_t size = 0, n_key = strlen(key), total = 0;
	ssize_t n;

	rewind(f);
	while (!value && total < LONGEST_FILE &&
	       (n = getline(&line, &size, f)) > 0) {
		total += (size_t)n;
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if ((size_t)n > n_key + 1 && !memcmp(line, key, n_key) &&
		    !memcmp(line + n_key, ": ", 2))
			value = strdup(line + n_key + 2);
	}
	free(line);
	return value;
}
