/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which name a mistyped one resembles most. */
#include "cli/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cli/output/text.h"

/* Neither case matters, nor which of the signs joins words. */
static int plain(char c)
{
	return c == '_' ? '-' : tolower((unsigned char)c);
}

static bool is_same(char a, char b)
{
	return plain(a) == plain(b);
}

/* Letters that stand at the same place from the beginning or the end. */
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

/* More than half of what was typed must be right, and all but two letters of
   the name. */
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
