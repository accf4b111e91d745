/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the stand-in share: shmem.c (PEs, teams, contexts), memory.c (puts, gets, collectives), atomics.c,
   waiting.c. */
#ifndef SHMEM15_LIBRARY_H
#define SHMEM15_LIBRARY_H

#include "shmem.h"

enum { PES_MAX = 8 };

struct shmem_team {
	int n, me, member[PES_MAX];
};

#pragma GCC visibility push(hidden)
/* Where the same object is on another PE. */
void *shmem15_at(shmem_ctx_t ctx, const void *address, int pe);
/* All members are here. */
void shmem15_meet(shmem_team_t team);
#pragma GCC visibility pop

/* A function: its profiling name, and the other weakly. */
#define DEFINE(R, NAME, P)                                              \
	extern R shmem_##NAME P __attribute__((weak, alias("pshmem_" #NAME))); \
	R pshmem_##NAME P

#endif
