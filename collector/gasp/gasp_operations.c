/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of GASP's system events: the arguments that callbacks pass, and
   those that are logged. */
#include "collector/gasp/gasp_operations.h"

#include <stdio.h>
#include <string.h>

#include "collector/core/event.h"
#include "collector/gasp/clocks.h"
#include "collector/gasp/dialect.h"

/* Length of the "name:code" at the start of a layout, without the space. */
static size_t token(const char *layout)
{
	return strcspn(layout, " ");
}

static bool has_token(const char *layout, const char *name, size_t n)
{
	for (; *layout; layout += strspn(layout, " ")) {
		size_t length = token(layout);

		if (length == n && !memcmp(layout, name, n))
			return true;
		layout += length;
	}
	return false;
}

/* The arguments that a callback passes, and the logged ones. */
struct passed {
	unsigned n, n_logged, n_parts;
	size_t used;		      /* of the layout */
	char code[GASPDB_PASSED_MAX]; /* p for a P that is not logged */
	uint8_t logged[GASPDB_GASP_VALUES_MAX]; /* indices of the logged ones */
	char layout[GASPDB_TEXT_MAX / 8];	/* of the logged ones */
};

/* Adds a logged argument. name: without the code; suffix: of a part. */
static void log_argument(struct passed *passed, unsigned from, const char *name,
			 size_t length, const char *suffix, char code)
{
	passed->logged[passed->n_logged++] = (uint8_t)from;
	passed->used += (size_t)snprintf(passed->layout + passed->used,
					 sizeof passed->layout - passed->used,
					 "%s%.*s%s:%c", passed->used ? " " : "",
					 (int)length, name, suffix, code);
}

static void log_pointer(struct passed *passed, const char *name, size_t length)
{
	struct gaspdb_pts_part part[GASPDB_PTS_PARTS];
	const unsigned n = gaspdb_pts_parts(part);

	if (!n ||
	    GASPDB_PASSED_MAX + passed->n_parts + n > GASPDB_GASP_VALUES_MAX)
		passed->code[passed->n] = 'p';
	else
		for (unsigned i = 0; i < n; i++)
			log_argument(
				passed, GASPDB_PASSED_MAX + passed->n_parts++,
				name, length, part[i].suffix, part[i].code);
}

/* Chooses the logged arguments: those that can be read (a pointer-to-shared: if
   its size or an upcall is known), and for END only those that START lacks. */
static void choose(struct passed *passed, const char *layout, const char *start)
{
	size_t length;

	*passed = (struct passed){ 0 };
	for (; *layout && passed->n < GASPDB_PASSED_MAX - 1;
	     layout += length, layout += strspn(layout, " "), passed->n++) {
		bool pointer;
		char code;

		length = token(layout);
		code = layout[length - 1];
		pointer = code == 'P' || code == 'L';
		passed->code[passed->n] = code;
		if (has_token(start, layout, length))
			passed->code[passed->n] = pointer ? 'p' : code;
		else if (pointer)
			log_pointer(passed, layout, length - 2);
		else
			log_argument(passed, passed->n, layout, length - 2, "",
				     code);
	}
}

/* Whether an argument's logged value differs from the passed one. */
static bool is_translated(char code)
{
	return code == 's' || (code == 'h' && (void *)GASPDB_NB_TRIVIAL);
}

/* Sets the source slot of each logged argument in the plan. */
static void set_sources(struct gaspdb_plan *plan, const struct passed *passed)
{
	memcpy(plan->passed, passed->code, sizeof plan->passed);
	for (unsigned i = 0; i < plan->n; i++) {
		const uint8_t from = passed->logged[i];

		plan->step[i].from = from;
		if (from >= GASPDB_PASSED_MAX) {
			plan->translate = true;
			continue;
		}
		if (passed->code[from] == 'i')
			plan->step[i].how = GASPDB_HOW_INT;
		if (is_translated(passed->code[from]))
			plan->translate = true;
	}
	plan->n_usual = plan->translate ? GASPDB_ARGS_FOLLOW : plan->n;
	plan->n_passed = (uint8_t)passed->n;
}

GASPDB_COLD struct gaspdb_op_state *
gaspdb_gasp_operation(struct gaspdb_context *c, const void *key,
		      const char *name, const struct gaspdb_event_info *e)
{
	struct gaspdb_op_state *op;
	struct gaspdb_layouts l;
	struct passed start, end;
	bool polls;

	l = gaspdb_dialect_layouts(e);
	choose(&start, l.start, "");
	choose(&end, l.end, l.start);
	polls = e == &gaspdb_events[GASPDB_EVENT_UPC_LOCK_ATTEMPT] &&
		end.n_logged == 1;
	if (polls) /* not passed: the number of attempts in the event */
		log_argument(&end, end.n, "attempts", 8, "", 'u');
	op = gaspdb_op_add(c, key, e, name, start.layout, end.layout);
	if (op) {
		set_sources(&op->plan[GASPDB_PHASE_START], &start);
		set_sources(&op->plan[GASPDB_PHASE_END], &end);
		set_sources(&op->plan[GASPDB_PHASE_ATOMIC], &start);
		op->polls = polls;
		if (gaspdb_upc_clocks_counts())
			op->sync = (uint8_t)gaspdb_upc_sync_of(
				(enum gaspdb_event)(e - gaspdb_events));
		op->special |= polls || op->sync;
	}
	return op;
}

/* --- values --------------------------------------------------------------- */

static uint64_t translate(struct gaspdb_context *c, char code, uint64_t slot)
{
	void *p = (void *)(uintptr_t)slot;

	if (code == 's')
		return gaspdb_string_id(c, p);
	return code == 'h' && p == (void *)GASPDB_NB_TRIVIAL ? 0 : slot;
}

/* Reads the parts of the pointers-to-shared, in the order of passing. */
static void read_pointers(struct gaspdb_context *c,
			  const struct gaspdb_plan *plan, const uint64_t *slots,
			  uint64_t *parts)
{
	for (unsigned i = 0; plan->passed[i]; i++)
		if (plan->passed[i] == 'P' || plan->passed[i] == 'L')
			parts += gaspdb_pts_read(
				c, (const void *)(uintptr_t)slots[i],
				plan->passed[i] == 'L', parts);
}

void gaspdb_gasp_values(struct gaspdb_context *c,
			const struct gaspdb_plan *plan, const uint64_t *slots,
			uint64_t *values)
{
	for (unsigned i = 0; i < plan->n; i++) {
		const unsigned from = plan->step[i].from;

		if (from < GASPDB_PASSED_MAX)
			values[from] =
				translate(c, plan->passed[from], slots[from]);
	}
	if (plan->translate)
		read_pointers(c, plan, slots, values + GASPDB_PASSED_MAX);
}
