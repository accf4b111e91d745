/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reader of access arguments. The format of a pointer-to-shared depends on the
 * compiler, so pointers are compared as bits: equal bits are the same word, and
 * differences of pointers to one thread's memory are strides.
 */
#include "analysis/access/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "sql/passes/access.h"
#include "sql/passes/engine.h"

/* In the order of enum gaspdb_access_argument. */
static const char *const names[] = {
	"relaxed",	 "source",	 "source_high",	  "target",
	"target_high",	 "signal",	 "address",	  "old_address",
	"element_bytes", "elements",	 "target_stride", "source_thread",
	"target_thread", "signal_value", "signal_adds",	  "after",
	"after_known"
};

static int64_t count_arguments(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_last_argument);
	const int64_t n =
		gaspdb_row(run, stmt) ? sqlite3_column_int64(stmt, 0) + 1 : 0;

	sqlite3_finalize(stmt);
	return n;
}

static unsigned char role_of(const char *name)
{
	unsigned char i = 0;

	while (i < GASPDB_ACCESS_ARGUMENTS && strcmp(name, names[i]) != 0)
		i++;
	return i;
}

static void load(struct gaspdb_access_arguments *a, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_access_arguments);

	while (gaspdb_row(run, stmt)) {
		const unsigned char role =
			role_of((const char *)sqlite3_column_text(stmt, 2));

		a->role[sqlite3_column_int64(stmt, 0)] = role;
		a->declares[sqlite3_column_int64(stmt, 1)] |= 1u << role;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_access_arguments_open(struct gaspdb_access_arguments *a,
				  struct gaspdb_run *run)
{
	*a = (struct gaspdb_access_arguments){ .n = count_arguments(run) };
	a->declares =
		gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *a->declares);
	a->role = gaspdb_zeroed(run, (size_t)a->n, 1);
	gaspdb_event_args_open(&a->rows, run);
	if (!a->declares || !a->role)
		return;
	memset(a->role, GASPDB_ACCESS_ARGUMENTS, (size_t)a->n);
	load(a, run);
}

bool gaspdb_access_knows_strict(const struct gaspdb_access_arguments *a,
				int64_t source)
{
	return a->declares && a->declares[source] & 1u << GASPDB_ACCESS_RELAXED;
}

void gaspdb_access_read(struct gaspdb_access_arguments *a,
			const struct gaspdb_event *e, unsigned wanted,
			struct gaspdb_access_values *given)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&a->rows, e->id, args);
	unsigned left = wanted;

	for (size_t i = 0; left && i < n; i++) {
		const int64_t id = args[i].argument;
		const unsigned role = id >= 0 && id < a->n
					      ? a->role[id]
					      : GASPDB_ACCESS_ARGUMENTS;

		if (!(left & 1u << role))
			continue; /* the value of the start, not of the end */
		left &= ~(1u << role);
		given->found |= 1u << role;
		given->values[role] = args[i].value;
	}
}

int64_t gaspdb_access_pointer_hash(const struct gaspdb_access_values *given)
{
	const uint64_t low =
		(uint64_t)gaspdb_access_value(given, GASPDB_ACCESS_SOURCE, 0);
	const uint64_t high = (uint64_t)gaspdb_access_value(
		given, GASPDB_ACCESS_SOURCE_HIGH, 0);

	/* A null pointer is no word. */
	return low || high ? (int64_t)(low ^ high * 0x9e3779b97f4a7c15u)
			   : GASPDB_NONE;
}

bool gaspdb_access_place(const struct gaspdb_access_values *given,
			 int64_t object, int64_t place[2])
{
	const bool target = given->found & GASPDB_ACCESS_BIT(TARGET);

	place[0] = object;
	place[1] = 0;
	if (object != GASPDB_NONE)
		return true;
	place[0] = gaspdb_access_value(
		given, target ? GASPDB_ACCESS_TARGET : GASPDB_ACCESS_SOURCE, 0);
	place[1] = gaspdb_access_value(given,
				       target ? GASPDB_ACCESS_TARGET_HIGH
					      : GASPDB_ACCESS_SOURCE_HIGH,
				       0);
	return place[0] || place[1]; /* a null pointer is no place */
}

void gaspdb_access_arguments_close(struct gaspdb_access_arguments *a)
{
	gaspdb_event_args_close(&a->rows);
	free(a->declares);
	free(a->role);
}
