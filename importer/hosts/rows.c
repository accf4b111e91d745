/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of host, host_clock and host_pair. */
#include <string.h>

#include "importer/hosts/align.h"

static int64_t clock_error(const struct gaspdb_host *h)
{
	return h->has_real && h->real_uncertain_ns < GASPDB_REAL_ROUGH
		       ? (int64_t)h->real_uncertain_ns
		       : GASPDB_NULL;
}

static struct gaspdb_value drift_ppm(const struct gaspdb_clock_host *h)
{
	return h && h->read && h->n_knots
		       ? gaspdb_real((h->drift + h->slope_error) * 1e6)
		       : gaspdb_int(GASPDB_NULL);
}

/* By how much a wall clock is off at least; NULL: readings align its host. */
static int64_t wall_error(const struct gaspdb_clock_host *h)
{
	return h && !h->read && h->n_knots ? h->wall_error_ns : GASPDB_NULL;
}

/* The host of the system that has this name; NULL: the run has one host. */
static const struct gaspdb_clock_host *find(const struct gaspdb_alignment *a,
					    uint32_t name, uint64_t *n_readings)
{
	const uint32_t i = gaspdb_map_get(&a->index, name);

	*n_readings = 0;
	if (!a->done || i == GASPDB_ABSENT)
		return NULL;
	*n_readings = a->n_readings[i];
	return &a->system.hosts[i];
}

static void insert_clock(const struct gaspdb_alignment *a, const char *name,
			 const struct gaspdb_clock_host *h,
			 struct gaspdb_store *store)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < h->n_knots; i++) {
		const struct gaspdb_knot *k = &h->knots[i];
		const int64_t ns = k->ns + k->offset_ns + a->moved_ns;

		if (ns <= last)
			continue;
		last = ns;
		gaspdb_insert(store, GASPDB_INSERT_host_clock,
			      (struct gaspdb_value[]){
				      gaspdb_str(name), gaspdb_int(ns),
				      gaspdb_int(k->offset_ns),
				      gaspdb_int(k->error_ns) });
	}
}

/* The hosts of a row are in the order of their names. */
static void insert_pairs(const struct gaspdb_alignment *a,
			 const struct gaspdb_registry *r,
			 struct gaspdb_store *store)
{
	for (size_t i = 0; a->done && i < a->pairs.n; i++) {
		const struct gaspdb_pair_error *p = &a->pairs.rows[i];
		const char *x = gaspdb_text_get(r, a->names[p->first]);
		const char *y = gaspdb_text_get(r, a->names[p->second]);
		const bool turned = strcmp(x, y) > 0;

		gaspdb_insert(store, GASPDB_INSERT_host_pair,
			      (struct gaspdb_value[]){
				      gaspdb_str(turned ? y : x),
				      gaspdb_str(turned ? x : y),
				      gaspdb_int(p->ns + a->moved_ns),
				      gaspdb_int(p->error_ns) });
	}
}

void gaspdb_alignment_rows(const struct gaspdb_alignment *a,
			   const struct gaspdb_registry *r,
			   struct gaspdb_store *store)
{
	const struct gaspdb_hosts *hosts = &a->source->hosts;

	for (size_t i = 0; i < hosts->n; i++) {
		const struct gaspdb_host *host = &hosts->host[i];
		const char *name = gaspdb_text_get(r, host->name);
		uint64_t n_readings;
		const struct gaspdb_clock_host *h =
			find(a, host->name, &n_readings);

		gaspdb_insert(store, GASPDB_INSERT_host,
			      GASPDB_VALUES(host){
				      [GASPDB_HOST_NAME] = gaspdb_str(name),
				      [GASPDB_HOST_CLOCK_ERROR] =
					      gaspdb_int(clock_error(host)),
				      [GASPDB_HOST_READINGS] =
					      gaspdb_int((int64_t)n_readings),
				      [GASPDB_HOST_DRIFT_PPM] = drift_ppm(h),
				      [GASPDB_HOST_WALL_ERROR] =
					      gaspdb_int(wall_error(h)) });
		if (h)
			insert_clock(a, name, h, store);
	}
	insert_pairs(a, r, store);
}
