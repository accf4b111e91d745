/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: words of a dot-command, and its usage. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/text.h"
#include "cli/shell/dots.h"

char *gaspdb_shell_usage_of(const struct gaspdb_shell_dot *d)
{
	return gaspdb_text_format("%s%s%s", d->name, *d->arguments ? " " : "",
				  d->arguments);
}

char *gaspdb_shell_word(char **rest)
{
	char *from = *rest ? *rest + strspn(*rest, " \t") : NULL;
	char *word = from, *to = from, quote = '\0';

	if (!from || !*from)
		return NULL;
	for (; *from && (quote || !strchr(" \t", *from)); from++) {
		if (quote ? *from == quote : strchr("'\"", *from) != NULL)
			quote = quote ? '\0' : *from;
		else
			*to++ = *from;
	}
	*rest = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

void gaspdb_shell_usage(struct gaspdb_shell *s)
{
	char *usage = gaspdb_shell_usage_of(s->dot);

	gaspdb_shell_error(s, "usage: %s", usage);
	free(usage);
}

bool gaspdb_shell_words(struct gaspdb_shell *s, char *argument, char **words,
			int least, int most)
{
	int n = 0;

	for (int i = 0; i < most; i++) {
		words[i] = gaspdb_shell_word(&argument);
		n += words[i] != NULL;
	}
	if (n >= least && !gaspdb_shell_word(&argument))
		return true;
	gaspdb_shell_usage(s);
	return false;
}
