/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hosts with a wrong wall clock, for example one without a battery that is in
 * 1970. Its times would put those of other hosts out of range, so that it is
 * moved to the time at which most logs begin.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "importer/run/source_parts.h"

/* A clock this far from most others, half of the range of times, is wrong. */
#define ASTRAY_NS (GASPDB_TIME_MAX / 2)
#define DAY_NS	  (86400 * INT64_C(1000000000))

struct start {
	struct gaspdb_log_file *log;
	int64_t ns;
};

static int by_time(const void *a, const void *b)
{
	const struct start *p = a, *q = b;

	return (p->ns > q->ns) - (p->ns < q->ns);
}

static int by_host(const void *a, const void *b)
{
	const struct start *p = a, *q = b;

	if (p->log->host != q->log->host)
		return p->log->host < q->log->host ? -1 : 1;
	return by_time(a, b);
}

static void report(const struct gaspdb_registry *r, uint32_t host, double ns,
		   struct gaspdb_defects *quality)
{
	char detail[400];

	snprintf(detail, sizeof detail, "host %.300s: %.0f days %s",
		 gaspdb_text_get(r, host), (ns < 0 ? -ns : ns) / (double)DAY_NS,
		 ns < 0 ? "behind" : "ahead");
	gaspdb_defect_add(quality, GASPDB_QUALITY_CLOCK_ASTRAY,
			  &(struct gaspdb_defect){ .detail = detail });
}

/*
 * Moves the n logs of a host if their median start is far from the usual one.
 */
static void align(const struct start *of, size_t n, int64_t usual,
		  const struct gaspdb_registry *r,
		  struct gaspdb_defects *quality)
{
	const int64_t own = of[n / 2].ns;
	const double off = (double)own - (double)usual;

	if (off >= -(double)ASTRAY_NS && off <= (double)ASTRAY_NS)
		return;
	for (size_t i = 0; i < n; i++) {
		int64_t *ns0 = &of[i].log->time.ns0;

		*ns0 = (int64_t)((uint64_t)*ns0 + (uint64_t)usual -
				 (uint64_t)own);
	}
	report(r, of[0].log->host, off, quality);
}

void gaspdb_source_align(struct gaspdb_source *s,
			 const struct gaspdb_registry *r,
			 struct gaspdb_defects *quality)
{
	struct start *all = gaspdb_mem_alloc((s->n_logs + 1) * sizeof *all);
	size_t n = 0, end;
	int64_t usual;

	for (size_t i = 0; i < s->n_logs; i++)
		if (s->logs[i].has_first) {
			all[n].log = &s->logs[i];
			all[n++].ns = gaspdb_source_start(&s->logs[i]);
		}
	if (s->hosts.n > 1 && n > 0) {
		qsort(all, n, sizeof *all, by_time);
		usual = all[n / 2].ns;
		qsort(all, n, sizeof *all, by_host);
		for (size_t i = 0; i < n; i = end) {
			for (end = i;
			     end < n && all[end].log->host == all[i].log->host;)
				end++;
			align(all + i, end - i, usual, r, quality);
		}
	}
	free(all);
}
