/* SPDX-License-Identifier: BSD-2-Clause */
/* The upcalls of gaspdb_upc.h, in UPC.  Compile it without --inst. */
#include <upc.h>
#if __UPC_TICK__
#include <upc_tick.h>
#endif

#if __UPC_COLLECTIVE__
#include <upc_collective.h>
#endif

#include "gaspdb_upc.h"

int gaspdb_upc_mythread(void)
{
	return MYTHREAD;
}

int gaspdb_upc_threads(void)
{
	return THREADS;
}

int gaspdb_upc_pts_thread(const void *pts)
{
	return (int)upc_threadof(*(shared void *const *)pts);
}

size_t gaspdb_upc_pts_phase(const void *pts)
{
	return upc_phaseof(*(shared void *const *)pts);
}

size_t gaspdb_upc_pts_address(const void *pts)
{
	return upc_addrfield(*(shared void *const *)pts);
}

size_t gaspdb_upc_pts_size(void)
{
	return sizeof(shared void *);
}

void gaspdb_upc_barrier(void)
{
	upc_barrier;
}

#if __UPC_TICK__
uint64_t gaspdb_upc_clock_ns(void)
{
	return upc_ticks_to_ns(upc_ticks_now());
}
#endif

#ifdef UPC_IN_ALLSYNC
void gaspdb_upc_sync_flags(int flags[6])
{
	const int all[6] = { UPC_IN_ALLSYNC,  UPC_IN_MYSYNC,  UPC_IN_NOSYNC,
			     UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC };

	for (int i = 0; i < 6; i++)
		flags[i] = all[i];
}
#endif
