/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments that a callback passes, as slots of 8 bytes. */
#ifndef GASPDB_COLLECTOR_GASP_SLOTS_H
#define GASPDB_COLLECTOR_GASP_SLOTS_H

#include <stdarg.h>
#include <string.h>

#include "collector/core/context.h"

/* On x86-64 the ABI places arguments in slots of 8 bytes: system events pass
   only integers and addresses.  Elsewhere va_arg reads them. */
#if defined(__x86_64__) && defined(__LP64__) && !defined(GASPDB_PORTABLE)
#define GASPDB_KNOWN_ABI
#define GASPDB_REGISTER_BYTES 48 /* of the argument registers */
#endif

#ifndef GASPDB_KNOWN_ABI
/* Reads the arguments into slots. */
static inline void gaspdb_read_slots(const char *code, uint64_t *slots,
				     va_list ap)
{
	for (; *code; code++, slots++) {
		double d;

		switch (*code) {
		case 'i':
			*slots = (uint64_t)va_arg(ap, int);
			break;
		case 'z':
			*slots = va_arg(ap, size_t);
			break;
		case 'd':
			d = va_arg(ap, double);
			memcpy(slots, &d, sizeof d);
			break;
		default:
			*slots = (uintptr_t)va_arg(ap, void *);
		}
	}
}
#endif

/*
 * The slots of the arguments: in place, or copied to room.  If a runtime passes
 * on its caller's va_list, some are in the register save area and the rest on
 * the stack.
 */
static inline const uint64_t *gaspdb_slots_of(const struct gaspdb_plan *plan,
					      va_list ap, uint64_t *room)
{
#ifdef GASPDB_KNOWN_ABI
	const unsigned used = ap->gp_offset, n = plan->n_passed;
	const uint64_t *stacked = ap->overflow_arg_area;
	const uint64_t *stored =
		(const uint64_t *)((const char *)ap->reg_save_area + used);
	const unsigned n_stored = (GASPDB_REGISTER_BYTES - used) / sizeof *room;

	if (used >= GASPDB_REGISTER_BYTES)
		return stacked;
	if (n <= n_stored)
		return stored;
	for (unsigned i = 0; i < n; i++)
		room[i] = i < n_stored ? stored[i] : stacked[i - n_stored];
#else
	gaspdb_read_slots(plan->passed, room, ap);
#endif
	return room;
}

#endif
