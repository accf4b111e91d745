/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of run.txt in a run directory. */
#include "importer/run/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

/* Limits in bytes; LONGEST_VALUE is that of texts in logs. */
enum { LONGEST_FILE = 1 << 20, LONGEST_VALUE = 1 << 15 };

char *gaspdb_run_fact_in(FILE *f, const char *key)
{
	char *text = malloc(LONGEST_FILE + 1), *rest = text, *value = NULL;
	const size_t n_key = strlen(key);
	const char *line;

	rewind(f);
	if (text) /* most of it is never touched */
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

bool gaspdb_run_time_of(const char *text, int64_t *real_ns)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int64_t ns;
	int n = 0;

	if (!rest || sscanf(rest, ".%9" SCNd64 "Z%n", &ns, &n) != 1 ||
	    n != 11 || ns < 0 || tm.tm_year > 200)
		return false;
	*real_ns = (int64_t)timegm(&tm) * 1000000000 + ns;
	return true;
}
