/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that are stored elsewhere, checked for contradictions by their
   checksums: SEGMENT, TEAM, ENTITY and ENTITY_MIX. */
#include "collector/log/crc32c.h"
#include "importer/log/definitions.h"

/*
 * Checksum of a definition's meaning; two different ones collide once in 2^31.
 */
static uint32_t checksum(unsigned kind, const struct gaspdb_field *f)
{
	const bool team = kind == GASPDB_RECORD_TEAM;
	const struct gaspdb_text a = f[team ? 5 : 3].s, b = f[4].s;
	const uint64_t numbers[] = { f[1].u, f[2].u, team ? f[3].u : 0,
				     team ? f[4].u : 0, team ? f[7].u : 0 };
	uint32_t crc = gaspdb_crc32c(0, numbers, sizeof numbers);

	crc = gaspdb_crc32c(crc, a.p, a.n);
	if (!team) /* a segment's name */
		crc = gaspdb_crc32c(crc, b.p, b.n);
	return crc & INT32_MAX;
}

/* The same of an ENTITY or ENTITY_MIX record. */
static uint32_t checksum_entity(unsigned kind, const struct gaspdb_field *f)
{
	const bool mix = kind == GASPDB_RECORD_ENTITY_MIX;
	const uint64_t numbers[] = { mix, mix ? 0 : f[3].u, f[1].s.n };
	uint32_t crc = gaspdb_crc32c(0, numbers, sizeof numbers);

	crc = gaspdb_crc32c(crc, f[1].s.p, f[1].s.n);
	if (!mix)
		crc = gaspdb_crc32c(crc, f[2].s.p, f[2].s.n);
	return crc & INT32_MAX;
}

/* Definitions that are noted by their checksum alone: SEGMENT, TEAM; ENTITY and
   ENTITY_MIX, which share ids. */
enum { NOTED_SEGMENT, NOTED_TEAM, NOTED_ENTITY, N_NOTED };
_Static_assert(sizeof((struct gaspdb_definitions *)0)->n_noted ==
		       N_NOTED * sizeof(uint32_t),
	       "a count for each");

static unsigned noted_as(unsigned kind)
{
	return kind == GASPDB_RECORD_SEGMENT ? NOTED_SEGMENT
	       : kind == GASPDB_RECORD_TEAM  ? NOTED_TEAM
					     : NOTED_ENTITY;
}

enum gaspdb_defined gaspdb_define_noted(struct gaspdb_definitions *d,
					unsigned kind,
					const struct gaspdb_field *f)
{
	static const uint32_t most[N_NOTED] = { GASPDB_LOG_SEGMENTS_NOTED,
						GASPDB_LOG_TEAMS_MAX,
						GASPDB_LOG_ENTITIES_MAX };
	const unsigned as = noted_as(kind);
	const uint64_t key = f[0].u << 2 | as;
	const uint32_t said = as == NOTED_ENTITY ? checksum_entity(kind, f)
						 : checksum(kind, f);
	const uint32_t known = gaspdb_map_get(&d->noted, key);

	if (as == NOTED_ENTITY && (!f[0].u || f[0].u > GASPDB_IDS_MAX))
		return GASPDB_NOT_DEFINED;
	if (known == GASPDB_ABSENT) {
		if (d->n_noted[as] == most[as])
			return GASPDB_LEFT_OUT;
		d->n_noted[as]++;
		gaspdb_map_put(&d->noted, key, said);
		return GASPDB_DEFINED;
	}
	return known == said ? GASPDB_DEFINED_AGAIN : GASPDB_CONTRADICTED;
}
