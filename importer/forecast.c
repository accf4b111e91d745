/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "importer/forecast.h"

/* What reading takes a row, in ns, where passes take gaspdb_passes_cost(). */
static const double event_cost = 380, p2p_cost = 600;
/* The part of the logs that tells what the rest is like. */
static const double enough = 0.005;
/* What follows the unpacking of an archive takes about as much longer. */
static const double after_unpacking = 2;

void gaspdb_forecast_init(struct gaspdb_forecast *f, uint64_t (*now_ns)(void))
{
	f->now_ns = now_ns;
	f->start_ns = now_ns();
	f->speed = 1;
}

/* left_ns are left. */
static void tell(struct gaspdb_forecast *f, const char *phase, uint64_t now_ns,
		 double left_ns)
{
	const double taken = (double)(now_ns - f->start_ns);
	double total = taken + left_ns;

	if (!f->tell || total <= 0)
		return;
	if (taken < f->share * total)
		total = taken / f->share;
	f->share = taken / total;
	f->tell(f->user, phase, now_ns - f->start_ns, (uint64_t)total);
}

void gaspdb_forecast_unpacking(void *user, const char *phase, uint64_t done,
			       uint64_t total)
{
	struct gaspdb_forecast *f = user;
	const uint64_t now_ns = f->now_ns();
	const double taken = (double)(now_ns - f->start_ns);

	if (done)
		tell(f, phase, now_ns,
		     taken * (double)total / (double)done *
				     (1 + after_unpacking) -
			     taken);
}

void gaspdb_forecast_begin_reading(struct gaspdb_forecast *f)
{
	f->reading_ns = f->now_ns();
}

void gaspdb_forecast_reading(struct gaspdb_forecast *f, uint64_t bytes,
			     uint64_t all_bytes, const struct gaspdb_work *rows)
{
	const double part = (double)bytes / (double)(all_bytes | 1);
	const double cost = event_cost * (double)rows->events +
			    p2p_cost * (double)rows->p2p;
	const uint64_t now_ns = f->now_ns();
	const double taken = (double)(now_ns - f->reading_ns);

	if (part < enough || cost <= 0)
		return;
	f->speed = taken / cost;
	/* The rest of the logs will be like what was read. */
	tell(f, "reading logs", now_ns,
	     (taken * (1 - part) + f->speed * gaspdb_passes_cost(rows)) / part);
}

void gaspdb_forecast_left(struct gaspdb_forecast *f, const char *phase,
			  double cost)
{
	tell(f, phase, f->now_ns(), f->speed * cost);
}
