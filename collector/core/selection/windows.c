/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/windows.h"

#include <stdio.h>
#include <string.h>

#include "collector/base/environment.h"
#include "collector/core/context.h"
#include "collector/process/process.h"

struct gaspdb_windows gaspdb_windows;

static char list[GASPDB_PHASES_TEXT_MAX + 1];

static void read_phases(void)
{
	const char *value = gaspdb_getenv("GASPDB_PHASE"), *wrong;

	if (!value || !*value)
		return;
	/* A longer one is found to be wrong. */
	snprintf(list, sizeof list, "%s", value);
	wrong = gaspdb_phase_list_parse(&gaspdb_windows.phases,
					strlen(value) < sizeof list ? list
								    : value);
	if (!wrong)
		return;
	gaspdb_windows.phases.n = 0;
	gaspdb_complain("GASPDB_PHASE is ignored: %s", wrong);
}

__attribute__((constructor)) void gaspdb_windows_load(void)
{
	static bool loaded;
	const char *start = gaspdb_getenv("GASPDB_START");

	if (loaded)
		return;
	loaded = true;
	read_phases();
	if (!start || !*start || !strcmp(start, "on"))
		return;
	gaspdb_windows.start_off = !strcmp(start, "off");
	if (!gaspdb_windows.start_off)
		gaspdb_complain("GASPDB_START=%.100s is ignored: it is neither "
				"on nor off",
				start);
}

uint32_t gaspdb_phases_of(const char *name)
{
	const struct gaspdb_phase_list *l = &gaspdb_windows.phases;
	uint32_t phases = 0;

	for (unsigned i = 0; name && i < l->n; i++)
		if (gaspdb_phase_is(&l->phase[i], name))
			phases |= UINT32_C(1) << i;
	return phases;
}

void gaspdb_phases_begin(struct gaspdb_context *c, uint32_t phases)
{
	struct gaspdb_thread_windows *w = &gaspdb_inherited(c)->windows;
	const struct gaspdb_phase_range *range = gaspdb_windows.phases.phase;

	for (unsigned i = 0; phases >> i; i++) {
		struct gaspdb_thread_phase *p = &w->phase[i];

		if (!(phases >> i & 1))
			continue;
		p->count++;
		p->depth++;
		if (p->recorded || p->count < range[i].first ||
		    p->count > range[i].last)
			continue;
		p->recorded = p->depth;
		w->n_open++;
	}
	gaspdb_recording_switch(c);
}

void gaspdb_phases_end(struct gaspdb_context *c, uint32_t phases)
{
	struct gaspdb_thread_windows *w = &gaspdb_inherited(c)->windows;

	for (unsigned i = 0; phases >> i; i++) {
		struct gaspdb_thread_phase *p = &w->phase[i];

		if (!(phases >> i & 1) || !p->depth)
			continue;
		if (p->depth-- != p->recorded)
			continue;
		p->recorded = 0;
		w->n_open--;
	}
	gaspdb_recording_switch(c);
}

bool gaspdb_is_in_window(const struct gaspdb_context *c)
{
	return !gaspdb_has_phases() || gaspdb_inherited(c)->windows.n_open;
}

void gaspdb_windows_explain(char *text, size_t size)
{
	const char *which =
		gaspdb_process.n_contexts > 1 ? "thread" : "program";

	if (gaspdb_windows.start_off)
		snprintf(text, size,
			 "recording was off throughout (--start=off): the %s "
			 "never called pupc_control(1) or MPI_Pcontrol(1)%s",
			 which,
			 gaspdb_has_phases() ? " within a phase of --phase"
					     : "");
	else
		snprintf(text, size,
			 "recording was off throughout: the %s began no phase "
			 "of --phase=%s",
			 which, list);
}
