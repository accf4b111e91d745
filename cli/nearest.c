/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nearest name to a mistyped one. */
#include "cli/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cli/output/text.h"

/* Normalises case, and _ to -. */
static int plain(char c)
{
	return c == '_' ? '-' : tolower((unsigned char)c);
}

static bool is_same(char a, char b)
{
	return plain(a) == plain(b);
}

/* Number of letters in common at the beginning and the end. */
static size_t resemblance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), begin = 0, end = 0;
	size_t n = na < nb ? na : nb;

	while (begin < n && is_same(a[begin], b[begin]))
		begin++;
	while (end < n - begin && is_same(a[na - 1 - end], b[nb - 1 - end]))
		end++;
	return begin + end;
}

/* A candidate must match more than half of the typed letters, and all but two
   of its own. */
void gaspdb_nearest_try(struct gaspdb_nearest *nearest, const char *name)
{
	size_t score = resemblance(nearest->typed, name);

	if (score <= nearest->score || score <= strlen(nearest->typed) / 2 ||
	    score + 3 <= strlen(name))
		return;
	nearest->score = score;
	nearest->name = name;
}

char *gaspdb_nearest_hint(const struct gaspdb_nearest *nearest,
			  const char *who_lists)
{
	return nearest->name ? gaspdb_text_format("did you mean '%s'? %s",
						  nearest->name, who_lists)
			     : gaspdb_text_copy(who_lists, strlen(who_lists));
}
