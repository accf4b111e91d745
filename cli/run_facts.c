/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.txt in a run directory: reading facts, quoting commands. */
#include "cli/run_facts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "importer/input/input.h"
#include "cli/output/text.h"

char *gaspdb_run_fact(const char *directory, const char *key)
{
	char *path = gaspdb_text_format("%s/" GASPDB_RUN_FACTS, directory);
	FILE *f = gaspdb_input_file(path);
	char *value = f ? gaspdb_run_fact_in(f, key) : NULL;

	free(path);
	if (f)
		fclose(f);
	return value;
}

static bool needs_quotes(const char *word)
{
	for (const char *p = word; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_@%+=:,./-", *p))
			return true;
	return !*word;
}

/* Quotes a word with control characters as bash's $'...'. */
static void quote_control(FILE *out, const char *word)
{
	fputs("$'", out);
	for (const char *p = word; *p; p++)
		if (iscntrl((unsigned char)*p))
			fprintf(out, "\\%03o", (unsigned char)*p);
		else if (*p == '\'' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else
			putc(*p, out);
	putc('\'', out);
}

static void quote(FILE *out, const char *word)
{
	bool control = false;

	for (const char *p = word; *p; p++)
		control |= iscntrl((unsigned char)*p) != 0;
	if (control) {
		quote_control(out, word);
		return;
	}
	putc('\'', out);
	for (const char *p = word; *p; p++)
		if (*p == '\'')
			fputs("'\\''", out);
		else
			putc(*p, out);
	putc('\'', out);
}

void gaspdb_run_quote(FILE *out, char *const *words)
{
	for (int i = 0; words[i]; i++) {
		if (i)
			putc(' ', out);
		if (needs_quotes(words[i]))
			quote(out, words[i]);
		else
			fputs(words[i], out);
	}
}
