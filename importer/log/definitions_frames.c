/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a log's call stacks, by their ids in it. */
#include "common/memory.h"
#include "importer/log/definitions.h"

static bool same_frame(const struct gaspdb_log_frame *a,
		       const struct gaspdb_log_frame *b)
{
	return a->address == b->address && a->module == b->module &&
	       a->caller == b->caller;
}

/* A caller has a lower id than its frames, so chains end. */
enum gaspdb_defined gaspdb_define_frame(struct gaspdb_definitions *d,
					const struct gaspdb_field *f)
{
	const struct gaspdb_log_frame frame = { .address = f[1].u,
						.module = f[2].u,
						.caller = (uint32_t)f[3].u };
	const struct gaspdb_log_frame *known;
	uint32_t n = d->frame_index.n;

	if (!f[0].u || f[0].u > GASPDB_IDS_MAX || f[3].u >= f[0].u)
		return GASPDB_NOT_DEFINED;
	known = gaspdb_definitions_frame(d, f[0].u);
	if (known)
		return same_frame(known, &frame) ? GASPDB_DEFINED
						 : GASPDB_CONTRADICTED;
	if (n == GASPDB_LOG_FRAMES_MAX)
		return GASPDB_LEFT_OUT;
	d->frames = gaspdb_mem_grow(d->frames, &d->frame_capacity, n + 1,
				    sizeof *d->frames);
	d->frames[n] = frame;
	gaspdb_map_put(&d->frame_index, f[0].u, n);
	return GASPDB_DEFINED;
}

struct gaspdb_log_frame *
gaspdb_definitions_frame(const struct gaspdb_definitions *d, uint64_t id)
{
	const uint32_t i = gaspdb_map_get(&d->frame_index, id);

	return i == GASPDB_ABSENT ? NULL : &d->frames[i];
}
