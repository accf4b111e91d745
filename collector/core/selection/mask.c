/* SPDX-License-Identifier: BSD-2-Clause */
/* Masks. Not by fnmatch(3), which may allocate: allocation may be recorded. */
#include "collector/core/selection/mask.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/base/environment.h"
#include "collector/core/collector.h"

struct gaspdb_masks gaspdb_masks;

static void read_list(char *list, size_t size, const char *variable)
{
	const char *value = gaspdb_getenv(variable);

	if (!value || !*value)
		return;
	gaspdb_masks.any = true;
	if ((size_t)snprintf(list, size, "%s", value) >= size)
		gaspdb_complain("%s is cut after %zu bytes", variable,
				size - 1);
}

__attribute__((constructor)) static void load(void)
{
	struct gaspdb_masks *m = &gaspdb_masks;

	read_list(m->only, sizeof m->only, "GASPDB_ONLY");
	read_list(m->except, sizeof m->except, "GASPDB_EXCEPT");
}

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/* Whether the set at *at, after its bracket, has c. *at moves to its end; NULL:
   the set has no end, and the bracket is literal. */
static bool set_has(const char **at, const char *end, char c)
{
	const char *p = *at;
	const bool not = p < end && (*p == '!' || *p == '^');
	bool has = false;

	p += not ;
	for (const char *first = p; p < end && (*p != ']' || p == first); p++) {
		const char low = *p;

		if (end - p > 2 && p[1] == '-' && p[2] != ']')
			p += 2;
		has |= lower(c) >= lower(low) && lower(c) <= lower(*p);
	}
	*at = p < end ? p + 1 : NULL;
	return has != not ;
}

/* Matches one element of a glob with c; returns the glob's rest, NULL: no
   match. */
static const char *match_one(const char *glob, const char *end, char c)
{
	const char *rest = glob + 1;
	bool has;

	if (*glob == '?')
		return rest;
	if (*glob == '[') {
		has = set_has(&rest, end, c);
		if (rest)
			return has ? rest : NULL;
		rest = glob + 1;
	}
	if (*glob == '\\' && rest < end)
		glob = rest++;
	return lower(*glob) == lower(c) ? rest : NULL;
}

bool gaspdb_glob(const char *glob, size_t length, const char *text)
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
		rest = *text && glob < end ? match_one(glob, end, *text) : NULL;
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

/* Whether a glob of the comma-separated list matches one of the names. */
static bool is_listed(const char *list, const struct gaspdb_names *n)
{
	size_t length;

	for (; *list; list += length, list += *list == ',') {
		length = strcspn(list, ",");
		if (length && (gaspdb_glob(list, length, n->symbol) ||
			       gaspdb_glob(list, length, n->name) ||
			       gaspdb_glob(list, length, n->type) ||
			       gaspdb_glob(list, length, n->category)))
			return true;
	}
	return false;
}

bool gaspdb_is_masked(const struct gaspdb_names *names)
{
	const struct gaspdb_masks *m = &gaspdb_masks;

	return (m->only[0] && !is_listed(m->only, names)) ||
	       (m->except[0] && is_listed(m->except, names));
}
