/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Windows: when a thread is recorded, besides the program's own control.
 * GASPDB_START=off begins with recording off; GASPDB_PHASE records only while
 * one of its phases is open.  Each thread counts its phases itself, recorded or
 * not.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_WINDOWS_H
#define GASPDB_COLLECTOR_CORE_SELECTION_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/core/selection/phase_list.h"

struct gaspdb_context;

struct gaspdb_windows {
	bool start_off;
	struct gaspdb_phase_list phases; /* n 0: at any time */
};

/* From the environment at load time. */
extern struct gaspdb_windows gaspdb_windows GASPDB_HIDDEN;

static inline bool gaspdb_has_phases(void)
{
	return GASPDB_UNLIKELY(gaspdb_windows.phases.n);
}

/* Of one thread; a forked child inherits it. */
struct gaspdb_thread_windows {
	struct gaspdb_thread_phase {
		uint64_t count;	   /* starts so far */
		uint32_t depth;	   /* open ones of the name */
		uint32_t recorded; /* depth of the one that is recorded; 0: none
				    */
	} phase[GASPDB_PHASES_MAX];
	uint32_t n_open; /* phases with a recorded one */
};

/* The phases of a user event, a bit each. */
uint32_t gaspdb_phases_of(const char *name);

/* Counts a start or an end of a user event of the phases, and switches
   recording. */
GASPDB_COLD void gaspdb_phases_begin(struct gaspdb_context *c, uint32_t phases);
GASPDB_COLD void gaspdb_phases_end(struct gaspdb_context *c, uint32_t phases);

/* Whether a thread is recorded as far as windows decide. */
bool gaspdb_is_in_window(const struct gaspdb_context *c);

/* Writes why a thread that was never recorded was not, into text. */
void gaspdb_windows_explain(char *text, size_t size);

/* Reads the settings: a constructor, as gaspdb_process_load. */
void gaspdb_windows_load(void);

#endif
