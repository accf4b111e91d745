/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_attempts: as a UPC runtime would, raises attempts to take locks, whose
 * pointers are 8 bytes.  ONE attempts in vain at line 10 for one lock
 * and the one that gets it; at line 20 by turns TWO each for two others, then
 * the second is taken; at line 30 three with another event between.
 */
#include <stdint.h>

#include <gasp.h>
#include <gasp_upc.h>
#include <gaspdb_upc.h>

#define ONE 100000
#define TWO 5000

static gasp_context_t c;

int gaspdb_upc_mythread(void)
{
	return 0;
}

int gaspdb_upc_threads(void)
{
	return 1;
}

size_t gaspdb_upc_pts_size(void)
{
	return sizeof(uint64_t);
}

static void attempt(int line, uint64_t *lock, int success)
{
	gasp_event_notify(c, GASP_UPC_LOCK_ATTEMPT, GASP_START, "a.upc", line,
			  0, lock);
	gasp_event_notify(c, GASP_UPC_LOCK_ATTEMPT, GASP_END, "a.upc", line, 0,
			  lock, success);
}

static void unlock(int line, uint64_t *lock)
{
	gasp_event_notify(c, GASP_UPC_UNLOCK, GASP_START, "a.upc", line, 0,
			  lock);
	gasp_event_notify(c, GASP_UPC_UNLOCK, GASP_END, "a.upc", line, 0, lock);
}

int main(int argc, char **argv)
{
	uint64_t lock[] = { 0x1000, 0x2000, 0x3000 };

	c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	for (int i = 0; i <= ONE; i++)
		attempt(10, &lock[0], i == ONE);
	unlock(11, &lock[0]);
	for (int i = 0; i < 2 * TWO; i++)
		attempt(20, &lock[1 + i % 2], 0);
	attempt(20, &lock[1], 0);
	attempt(20, &lock[2], 1);
	unlock(21, &lock[2]);
	for (int i = 0; i < 3; i++) {
		attempt(30, &lock[0], 0);
		gasp_event_notify(c, GASP_UPC_FENCE, GASP_START, "a.upc", 31,
				  0);
		gasp_event_notify(c, GASP_UPC_FENCE, GASP_END, "a.upc", 31, 0);
	}
	return 0;
}
