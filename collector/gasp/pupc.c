/* SPDX-License-Identifier: BSD-2-Clause */
/* Measurement control and user events for C programs with our adapters.  UPC
   runtimes have their own pupc_*, and headers that define them as macros. */
#include "collector/include/pupc.h"

#include "collector/base/clock.h"
#include "collector/core/context.h"

GASPDB_EXPORT int pupc_control(int on)
{
	return gaspdb_control(gaspdb_context_get(), on);
}

GASPDB_EXPORT unsigned int pupc_create_event(const char *name, const char *desc)
{
	return gaspdb_user_event_new(gaspdb_context_get(), name, desc);
}

static void raise_event(unsigned tag, enum gaspdb_phase phase, const void *pc,
			va_list ap)
{
	struct gaspdb_context *c = gaspdb_context_get();
	uint64_t ticks;

	if (!c || !gaspdb_user_event_is_recorded(c, tag, phase))
		return;
	ticks = gaspdb_clock_ticks();
	gaspdb_functions_check(c, (uintptr_t)__builtin_frame_address(0));
	if (!(c->paths & 1u << GASPDB_PATH_ADAPTER))
		gaspdb_context_emit_cost(c, GASPDB_PATH_ADAPTER);
	gaspdb_user_event_raise(c, tag, phase, ticks, pc, NULL, 0, ap);
}

/* The event's place is the return address of the pupc_ function. */
#define RAISE(phase)                                           \
	do {                                                   \
		va_list ap;                                    \
		va_start(ap, evttag);                          \
		raise_event(evttag, phase, GASPDB_CALLER, ap); \
		va_end(ap);                                    \
	} while (0)

GASPDB_EXPORT void pupc_event_start(unsigned int evttag, ...)
{
	RAISE(GASPDB_PHASE_START);
}

GASPDB_EXPORT void pupc_event_end(unsigned int evttag, ...)
{
	RAISE(GASPDB_PHASE_END);
}

GASPDB_EXPORT void pupc_event_atomic(unsigned int evttag, ...)
{
	RAISE(GASPDB_PHASE_ATOMIC);
}

GASPDB_EXPORT pupc_tick_t pupc_ticks_now(void)
{
	return gaspdb_clock_ticks();
}

static double ticks_per_us(void)
{
	static double cached;

	if (cached == 0)
		cached = (double)gaspdb_clock_hz() / 1e6;
	return cached;
}

GASPDB_EXPORT uint64_t pupc_ticks_to_us(pupc_tick_t ticks)
{
	return (uint64_t)((double)ticks / ticks_per_us());
}

GASPDB_EXPORT double pupc_tick_granularityus(void)
{
	return 1.0 / ticks_per_us();
}

/* Cost of one reading: the least of 100. */
GASPDB_EXPORT double pupc_tick_overheadus(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		uint64_t a = gaspdb_clock_ticks(), b = gaspdb_clock_ticks();

		if (b - a < least)
			least = b - a;
	}
	return (double)least / ticks_per_us();
}
