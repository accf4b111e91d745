/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding of arguments by their codes. Addresses are logged as differences:
 * the last value of each site, phase and position is held in an array that is
 * cleared for each block.
 */
#include "importer/log/arguments.h"

#include <string.h>

#include "common/memory.h"
#include "importer/run/segments.h"
#include "importer/run/teams.h"

/* Allocates a site's last values, at its first event with an address in the
   block. */
static __attribute__((noinline)) void begin_last(struct gaspdb_definitions *d,
						 struct gaspdb_log_site *site)
{
	const struct gaspdb_log_operation *o = site->operation;
	const size_t n = 2 * o->plan[0].n + o->plan[1].n;

	site->block = d->block;
	site->last = (uint32_t)d->n_last;
	d->n_last += n;
	d->last = gaspdb_mem_grow(d->last, &d->last_capacity, d->n_last,
				  sizeof *d->last);
	memset(d->last + site->last, 0, n * sizeof *d->last);
}

/* The last values of a site in this phase, one per argument. */
static inline uint64_t *last_values(struct gaspdb_definitions *d,
				    struct gaspdb_log_site *site,
				    enum gaspdb_phase phase)
{
	unsigned at = 0;

	if (site->block != d->block)
		begin_last(d, site);
	if (phase != GASPDB_PHASE_START)
		at = (phase == GASPDB_PHASE_ATOMIC ? 1 : 2) *
		     site->operation->plan[0].n;
	return d->last + site->last + at;
}

static double real_of(uint64_t reversed)
{
	uint64_t bits = __builtin_bswap64(reversed);
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static void drop(struct gaspdb_argument_rows *rows, int64_t event, unsigned n)
{
	if (!rows->dropped)
		rows->first_dropped = event;
	rows->dropped += n;
}

/* Id of the event's next row; 0: it has the maximum number of rows. */
static int64_t next_row(struct gaspdb_argument_rows *rows, int64_t event,
			struct gaspdb_roles *roles)
{
	if (roles->n_rows < GASPDB_ARGUMENTS_MAX)
		return event * GASPDB_ARGUMENTS_MAX + roles->n_rows++;
	drop(rows, event, 1);
	return 0;
}

void gaspdb_arguments_flush(struct gaspdb_argument_rows *rows)
{
	gaspdb_insert_rows(rows->store, GASPDB_INSERT_event_arg,
			   &rows->batch[0].id, rows->n);
	rows->n = 0;
}

/* Appends a row of integers to the batch. */
static inline void add_ints(struct gaspdb_argument_rows *rows, int64_t id,
			    uint32_t argument, int64_t value)
{
	if (rows->n == GASPDB_ARGUMENTS_BATCH)
		gaspdb_arguments_flush(rows);
	rows->batch[rows->n++] =
		(struct gaspdb_argument_ints){ id, argument, value };
}

void gaspdb_argument_row(struct gaspdb_argument_rows *rows, int64_t event,
			 struct gaspdb_roles *roles, uint32_t argument,
			 struct gaspdb_value value)
{
	const int64_t id = next_row(rows, event, roles);

	if (!id)
		return;
	/* An integer of a log may equal GASPDB_NULL without being NULL. */
	if (value.is == GASPDB_IS_INT && value.i != GASPDB_NULL) {
		add_ints(rows, id, argument, value.i);
		return;
	}
	gaspdb_arguments_flush(rows); /* rows in order of ids */
	gaspdb_insert(
		rows->store, GASPDB_INSERT_event_arg,
		GASPDB_VALUES(event_arg){
			[GASPDB_EVENT_ARG_ID] = gaspdb_int(id),
			[GASPDB_EVENT_ARG_ARGUMENT] = gaspdb_int(argument),
			[GASPDB_EVENT_ARG_VALUE] = value });
}

/*
 * An argument's value in event_arg, unless it stands for a team or an object.
 */
static struct gaspdb_value value_of(const struct gaspdb_definitions *d,
				    const struct gaspdb_plan_arg *a, uint64_t v)
{
	if (a->code == 's')
		return gaspdb_str(gaspdb_text_get(
			d->registry, gaspdb_definitions_string(d, v)));
	if (a->code == 'd')
		return gaspdb_real(real_of(v));
	return (struct gaspdb_value){ .is = GASPDB_IS_INT, .i = (int64_t)v };
}

/* Value in event_arg of an argument that stands for a team or an object. */
static int64_t other_of(const struct gaspdb_definitions *d,
			const struct gaspdb_plan_arg *a, uint64_t v,
			const struct gaspdb_argument_rows *rows)
{
	return a->role == GASPDB_ROLE_signal
		       ? gaspdb_object_at(rows->segments, d, v)
		       : gaspdb_team_id(rows->teams, v);
}

static __attribute__((noinline)) void
add_any_row(const struct gaspdb_definitions *d, const struct gaspdb_plan_arg *a,
	    uint64_t v, int64_t event, struct gaspdb_roles *roles,
	    struct gaspdb_argument_rows *rows)
{
	int64_t id;

	if (!(a->how & GASPDB_ARG_OTHER) || a->code == 's' || a->code == 'd') {
		gaspdb_argument_row(rows, event, roles, a->argument,
				    value_of(d, a, v));
		return;
	}
	id = next_row(rows, event, roles);
	if (id)
		add_ints(rows, id, a->argument, other_of(d, a, v, rows));
}

static inline void add_row(const struct gaspdb_definitions *d,
			   const struct gaspdb_plan_arg *a, uint64_t v,
			   int64_t event, struct gaspdb_roles *roles,
			   struct gaspdb_argument_rows *rows)
{
	if (a->how & GASPDB_ARG_OTHER || (int64_t)v == GASPDB_NULL ||
	    roles->n_rows == GASPDB_ARGUMENTS_MAX)
		add_any_row(d, a, v, event, roles, rows);
	else
		add_ints(rows, event * GASPDB_ARGUMENTS_MAX + roles->n_rows++,
			 a->argument, (int64_t)v);
}

/* An argument's value as a role: sizes are limited, and the value that means
   NULL is replaced. */
static inline int64_t role_value(const struct gaspdb_plan_arg *a, uint64_t v)
{
	const int64_t i = (int64_t)v;

	if (a->how & GASPDB_ARG_SIZE)
		return gaspdb_size(a->code == 'i' && i < 0 ? 0 : v);
	return i == GASPDB_NULL ? -INT64_MAX : i;
}

void gaspdb_arguments_read(struct gaspdb_definitions *d,
			   struct gaspdb_log_site *site,
			   const struct gaspdb_record *rec, int64_t event,
			   struct gaspdb_roles *roles,
			   struct gaspdb_argument_rows *rows)
{
	const struct gaspdb_plan *plan =
		&site->operation->plan[rec->phase == GASPDB_PHASE_END];
	const struct gaspdb_plan_arg *a = plan->arg;
	const unsigned n = rec->n_args < plan->n ? rec->n_args : plan->n;
	uint64_t *last = NULL;

	for (unsigned i = 0; i < n; i++, a++) {
		uint64_t v = rec->args[i];

		if (a->how & GASPDB_ARG_SIGNED) {
			v = (uint64_t)gaspdb_unzigzag(v);
			if (a->how & GASPDB_ARG_LAST) {
				if (!last)
					last = last_values(d, site, rec->phase);
				v = last[i] += v;
			}
		}
		if (a->role != GASPDB_ROLE_none) {
			roles->have |= (uint64_t)1 << a->role;
			roles->value[a->role] = role_value(a, v);
		}
		if (a->argument && rows)
			add_row(d, a, v, event, roles, rows);
	}
	if (rec->n_args == GASPDB_ARGUMENTS_MAX && plan->left_out && rows)
		drop(rows, event, plan->left_out);
}
