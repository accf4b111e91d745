/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Upcalls as a UPC file that was compiled with instrumentation makes them: they
 * raise events, which nobody may count; and some take their time.
 */
#include "runtime.h"

#include <string.h>
#include <unistd.h>

#include "gaspdb_upc.h"
#include "pts.h"

static void raise_events(void)
{
	gasp_event_notify(rt_context(), GASP_UPC_NOTIFY, GASP_START,
			  "upcalls.upc", 1, 0, 0, 0);
	gasp_event_notify(rt_context(), GASP_UPC_NOTIFY, GASP_END,
			  "upcalls.upc", 1, 0, 0, 0);
}

static struct pts at(const void *pts)
{
	struct pts p;

	memcpy(&p, pts, sizeof p);
	return p;
}

int gaspdb_upc_mythread(void)
{
	usleep(20000);
	raise_events();
	return rt_thread();
}

int gaspdb_upc_threads(void)
{
	raise_events();
	return rt_threads();
}

int gaspdb_upc_pts_thread(const void *pts)
{
	if (at(pts).address == 0x5000)
		usleep(2000);
	if (at(pts).address == 0x6000) {
		rt_arrive();
		for (;;)
			pause();
	}
	raise_events();
	return (int)at(pts).thread;
}

size_t gaspdb_upc_pts_address(const void *pts)
{
	raise_events();
	return at(pts).address;
}

void gaspdb_upc_barrier(void)
{
	raise_events();
	rt_wait_for_all();
}

uint64_t gaspdb_upc_clock_ns(void)
{
	raise_events();
	return 1234567890123u;
}
