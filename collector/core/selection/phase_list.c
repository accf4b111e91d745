/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/phase_list.h"

#include <string.h>

static const char not_a_range[] =
	"a phase is NAME, NAME:7, NAME:10..20 or NAME:10.., counted from 1";

/* The number at *at, before end; false: there is none, or it is too large. */
static bool take_number(const char **at, const char *end, uint64_t *number)
{
	const char *p = *at;

	*number = 0;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (*number > (UINT64_MAX - 9) / 10)
			return false;
		*number = 10 * *number + (uint64_t)(*p - '0');
	}
	if (p == *at)
		return false;
	*at = p;
	return true;
}

/* "7", "10..20", "10.." */
static bool parse_range(const char *at, const char *end,
			struct gaspdb_phase_range *p)
{
	if (!take_number(&at, end, &p->first))
		return false;
	p->last = p->first;
	if (at < end) {
		if (end - at < 2 || at[0] != '.' || at[1] != '.')
			return false;
		at += 2;
		p->last = UINT64_MAX;
		if (at < end && !take_number(&at, end, &p->last))
			return false;
	}
	return at == end && p->first >= 1 && p->first <= p->last;
}

static bool parse_phase(const char *at, const char *end,
			struct gaspdb_phase_range *p)
{
	const char *colon = memchr(at, ':', (size_t)(end - at));

	*p = (struct gaspdb_phase_range){
		.name = at,
		.length = (size_t)((colon ? colon : end) - at),
		.first = 1,
		.last = UINT64_MAX,
	};
	return p->length && (!colon || parse_range(colon + 1, end, p));
}

const char *gaspdb_phase_list_parse(struct gaspdb_phase_list *l,
				    const char *text)
{
	const char *end;

	l->n = 0;
	if (strlen(text) > GASPDB_PHASES_TEXT_MAX)
		return "the list is too long";
	for (;; text = end + 1) {
		end = text + strcspn(text, ",");
		if (l->n == GASPDB_PHASES_MAX)
			return "there are more than 32 phases";
		if (!parse_phase(text, end, &l->phase[l->n]))
			return not_a_range;
		l->n++;
		if (!*end)
			return NULL;
	}
}

bool gaspdb_phase_is(const struct gaspdb_phase_range *p, const char *name)
{
	return strlen(name) == p->length && !memcmp(name, p->name, p->length);
}
