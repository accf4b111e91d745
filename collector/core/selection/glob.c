/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/glob.h"

#include <ctype.h>

/* A character as it is compared. */
static int fold(char c, bool any_case)
{
	return any_case ? tolower((unsigned char)c) : (unsigned char)c;
}

/* Whether the set at *at, after its bracket, has c. *at moves to its end; NULL:
   the set has no end, and the bracket is literal. */
static bool set_has(const char **at, const char *end, char c, bool any_case)
{
	const char *p = *at;
	const bool not = p < end && (*p == '!' || *p == '^');
	bool has = false;

	p += not ;
	for (const char *first = p; p < end && (*p != ']' || p == first); p++) {
		const char low = *p;

		if (end - p > 2 && p[1] == '-' && p[2] != ']')
			p += 2;
		has |= fold(c, any_case) >= fold(low, any_case) &&
		       fold(c, any_case) <= fold(*p, any_case);
	}
	*at = p < end ? p + 1 : NULL;
	return has != not ;
}

/* Matches one element of a glob with c; returns the glob's rest, NULL: no
   match. */
static const char *match_one(const char *glob, const char *end, char c,
			     bool any_case)
{
	const char *rest = glob + 1;
	bool has;

	if (*glob == '?')
		return rest;
	if (*glob == '[') {
		has = set_has(&rest, end, c, any_case);
		if (rest)
			return has ? rest : NULL;
		rest = glob + 1;
	}
	if (*glob == '\\' && rest < end)
		glob = rest++;
	return fold(*glob, any_case) == fold(c, any_case) ? rest : NULL;
}

static bool match(const char *glob, size_t length, const char *text,
		  bool any_case)
{
	const char *end = glob + length, *rest;
	const char *star = NULL,
		   *from = text; /* after the last star: retry here */

	while (*text || glob < end) {
		if (glob < end && *glob == '*') {
			star = ++glob;
			from = text;
			continue;
		}
		rest = *text && glob < end
			       ? match_one(glob, end, *text, any_case)
			       : NULL;
		if (rest) {
			glob = rest;
			text++;
		} else if (star && *from) {
			glob = star;
			text = ++from;
		} else {
			return false;
		}
	}
	return true;
}

bool gaspdb_glob(const char *glob, size_t length, const char *text)
{
	return match(glob, length, text, false);
}

bool gaspdb_glob_any_case(const char *glob, size_t length, const char *text)
{
	return match(glob, length, text, true);
}
