/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions in the blocks after the current one. */
#include "importer/log/forward_definitions.h"

#include <stdlib.h>

#include "common/interrupt.h"
#include "common/memory.h"

#define KIND(ident) ((uint64_t)1 << GASPDB_RECORD_##ident)
#define WANTED                                                         \
	(KIND(STRING) | KIND(OPERATION) | KIND(SITE) | KIND(SITE_PC) | \
	 KIND(MODULE) | KIND(SEGMENT) | KIND(TEAM) | KIND(FRAME) | \
	 KIND(ENTITY) | KIND(ENTITY_MIX))

struct consumer {
	void (*take)(void *user, unsigned kind,
		     const struct gaspdb_field *fields);
	void *user;
};

static void take_record(const struct consumer *c,
			const struct gaspdb_record *rec)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];

	if (rec->phase == GASPDB_PHASE_OTHER && (WANTED >> rec->kind & 1) &&
	    gaspdb_record_fields(rec, f))
		c->take(c->user, rec->kind, f);
}

static void read_block(const struct consumer *c, struct gaspdb_reader *rd)
{
	struct gaspdb_record rec;
	struct gaspdb_error ignored;

	for (;;) {
		gaspdb_reader_skip(rd, ~WANTED, true);
		if (gaspdb_reader_record(rd, &rec, &ignored))
			return;
		take_record(c, &rec);
	}
}

static void read_rest(const struct consumer *c, struct gaspdb_reader *rd)
{
	enum gaspdb_status status;
	struct gaspdb_error ignored;

	while (((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_OK ||
		status == GASPDB_DAMAGED) &&
	       !gaspdb_interrupted)
		if (!status)
			read_block(c, rd);
}

void gaspdb_forward_definitions(const struct gaspdb_source *s,
				const struct gaspdb_log_file *log,
				const struct gaspdb_reader *at,
				void (*take)(void *user, unsigned kind,
					     const struct gaspdb_field *fields),
				void *user)
{
	const struct consumer c = { take, user };
	struct gaspdb_reader *rd = gaspdb_mem_alloc(sizeof *rd);
	struct gaspdb_error ignored;

	if (!gaspdb_source_read(s, log, rd, NULL, &ignored)) {
		gaspdb_reader_follow(rd, at);
		read_rest(&c, rd);
		gaspdb_reader_close(rd);
	}
	free(rd);
}
