/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/import/forecast.h"

#include <stdio.h>

#include "analysis/passes.h"

/* Costs of reading a row, in ns, on the scale of gaspdb_passes_cost(). */
static const double event_cost = 380, p2p_cost = 600;
/* Part of the logs after which the rest can be estimated. */
static const double enough = 0.005;
/* Time after the unpacking of an archive, relative to it. */
static const double after_unpacking = 2;

void gaspdb_forecast_init(struct gaspdb_forecast *f, uint64_t (*now_ns)(void))
{
	f->now_ns = now_ns;
	f->start_ns = now_ns();
	f->speed = 1;
}

/* Reports progress with left_ns remaining. */
static void report(struct gaspdb_forecast *f, const char *phase,
		   uint64_t now_ns, double left_ns)
{
	const double taken = (double)(now_ns - f->start_ns);
	double total = taken + left_ns;

	if (!f->report || total <= 0)
		return;
	if (taken < f->share * total)
		total = taken / f->share;
	f->share = taken / total;
	f->report(f->user, phase, now_ns - f->start_ns, (uint64_t)total);
}

static void forecast_unpacking(struct gaspdb_forecast *f,
			       const struct gaspdb_import_progress *p)
{
	const uint64_t now_ns = f->now_ns();
	const double taken = (double)(now_ns - f->start_ns);

	if (p->done)
		report(f, p->phase, now_ns,
		       taken * (double)p->total / (double)p->done *
				       (1 + after_unpacking) -
			       taken);
}

static void forecast_reading(struct gaspdb_forecast *f,
			     const struct gaspdb_import_progress *p)
{
	const double part = (double)p->done / (double)(p->total | 1);
	const double cost = event_cost * (double)p->rows.events +
			    p2p_cost * (double)p->rows.p2p;
	const uint64_t now_ns = f->now_ns();
	double taken;

	if (!p->done)
		f->reading_ns = now_ns;
	taken = (double)(now_ns - f->reading_ns);
	if (part < enough || cost <= 0)
		return;
	f->speed = taken / cost;
	/* assumes that the rest of the logs is similar */
	report(f, p->phase, now_ns,
	       (taken * (1 - part) + f->speed * gaspdb_passes_cost(&p->rows)) /
		       part);
}

void gaspdb_forecast_import(void *user, const struct gaspdb_import_progress *p)
{
	struct gaspdb_forecast *f = user;

	switch (p->stage) {
	case GASPDB_IMPORT_UNPACKING:
		forecast_unpacking(f, p);
		break;
	case GASPDB_IMPORT_READING:
		forecast_reading(f, p);
		break;
	case GASPDB_IMPORT_FINISHING:
		gaspdb_forecast_left(f, p->phase, gaspdb_passes_cost(&p->rows));
	}
}

void gaspdb_forecast_pass(void *user, const char *pass, double left)
{
	char phase[64];

	snprintf(phase, sizeof phase, "analyzing: %s", pass);
	gaspdb_forecast_left(user, phase, left);
}

void gaspdb_forecast_left(struct gaspdb_forecast *f, const char *phase,
			  double cost)
{
	report(f, phase, f->now_ns(), f->speed * cost);
}
