/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measurement control and user events (GASP 1.5, sections 5.2 and 5.3), and
 * the ticks of the tool interface's 2005 slides.  UPC programs get these from
 * their runtime; C programs under our OpenSHMEM and MPI adapters from
 * libgaspdb.  `gaspcc` without --inst defines GASPDB_NO_PUPC: then the functions
 * do nothing, and nothing is to be linked.
 */
#ifndef _PUPC_H
#define _PUPC_H

#include <stdint.h>

typedef uint64_t pupc_tick_t;
#define PUPC_TICK_MAX UINT64_MAX
#define PUPC_TICK_MIN ((pupc_tick_t)0)

#if defined(GASPDB_NO_PUPC) && !defined(__UPC_PUPC__)

#define GASPDB_NOTHING __attribute__((always_inline))

static inline GASPDB_NOTHING int pupc_control(int on)
{
	(void)on;
	return 0;
}

static inline GASPDB_NOTHING unsigned int pupc_create_event(const char *name, const char *desc)
{
	(void)name, (void)desc;
	return 0;
}

#define pupc_event_start(...)  ((void)0)
#define pupc_event_end(...)    ((void)0)
#define pupc_event_atomic(...) ((void)0)

static inline GASPDB_NOTHING pupc_tick_t pupc_ticks_now(void)
{
	return 0;
}

static inline GASPDB_NOTHING uint64_t pupc_ticks_to_us(pupc_tick_t ticks)
{
	return ticks;
}

static inline GASPDB_NOTHING double pupc_tick_granularityus(void)
{
	return 0;
}

static inline GASPDB_NOTHING double pupc_tick_overheadus(void)
{
	return 0;
}

#else

#ifdef __cplusplus
extern "C" {
#endif

/* As gasp_control, for the calling thread. */
int pupc_control(int on);

/* As gasp_create_event: tags are the calling thread's own. */
unsigned int pupc_create_event(const char *name, const char *desc);

/* The arguments match the format given as desc.  Unknown tags are ignored. */
void pupc_event_start(unsigned int evttag, ...);
void pupc_event_end(unsigned int evttag, ...);
void pupc_event_atomic(unsigned int evttag, ...);

/* The clock of the recording: consistent on one host, not across hosts. */
pupc_tick_t pupc_ticks_now(void);
uint64_t pupc_ticks_to_us(pupc_tick_t ticks);
double pupc_tick_granularityus(void);
double pupc_tick_overheadus(void);

#ifdef __cplusplus
}
#endif

#endif

#endif
