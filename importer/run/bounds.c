/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of fields, by kind of record. */
#include "importer/run/bounds.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/limits.h"

struct bound {
	unsigned kind;
	uint8_t field;
	bool is_signed;
	const char *what;
	int64_t least, most;
};

static const struct bound bounds[] = {
	{ GASPDB_RECORD_TEAM, 3, true, "rank", -GASPDB_TEAM_RANKS_MAX,
	  GASPDB_TEAM_RANKS_MAX - 1 },
	{ GASPDB_RECORD_TEAM, 4, false, "size", 0, GASPDB_RANKS_MAX },
	{ GASPDB_RECORD_TEAM_MEMBERS, 1, false, "index", 0,
	  GASPDB_TEAM_RANKS_MAX - 1 },
	{ GASPDB_RECORD_TEAM_MEMBERS, 2, true, "start", -GASPDB_RANKS_MAX,
	  GASPDB_RANKS_MAX - 1 },
	{ GASPDB_RECORD_TEAM_MEMBERS, 3, true, "stride", -GASPDB_RANKS_MAX,
	  GASPDB_RANKS_MAX },
	{ GASPDB_RECORD_TEAM_MEMBERS, 4, false, "count", 0, GASPDB_RANKS_MAX },
};

static bool is_within(const struct bound *b, const struct gaspdb_field *f)
{
	return b->is_signed ? f->i >= b->least && f->i <= b->most
			    : f->u <= (uint64_t)b->most;
}

static void describe(const struct bound *b, const struct gaspdb_field *f,
		     uint64_t team, char *detail)
{
	char number[24];

	if (b->is_signed)
		snprintf(number, sizeof number, "%" PRId64, f->i);
	else
		snprintf(number, sizeof number, "%" PRIu64, f->u);
	snprintf(detail, GASPDB_BOUNDS_DETAIL,
		 "%s %s of team %" PRIu64 " is none of %" PRId64 " to %" PRId64,
		 b->what, number, team, b->least, b->most);
}

bool gaspdb_record_bounded(unsigned kind, const struct gaspdb_field *fields,
			   char detail[static GASPDB_BOUNDS_DETAIL])
{
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		const struct bound *b = &bounds[i];

		if (b->kind != kind || is_within(b, &fields[b->field]))
			continue;
		describe(b, &fields[b->field], fields[0].u, detail);
		return false;
	}
	return true;
}
