/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of docs/analyses.md, "Completion". OpenSHMEM operations have a context,
 * UPC operations a handle or none, MPI operations a window or a request.
 */
#include "analysis/completion/rules.h"

#include <stdlib.h>
#include <string.h>

#include "sql/passes/completion.h"
#include "sql/passes/engine.h"

static const char *const argument_names[] = {
	"context", "handle",	  "window",	  "request",
	"message", "relaxed",	  "success",	  "completes",
	"address", "old_address", "target_thread"
};

#define BIT(argument)		 (1u << GASPDB_ARG_##argument)
#define DECLARES(rule, argument) ((rule)->declared & BIT(argument))

/* --- begin ---------------------------------------------------------------- */

/* The key of a non-blocking access. */
static enum gaspdb_transfer_key
key_of_access(const struct gaspdb_completion_rule *r)
{
	if (DECLARES(r, REQUEST))
		return GASPDB_KEY_REQUEST;
	if (DECLARES(r, WINDOW))
		return GASPDB_KEY_WINDOW;
	if (DECLARES(r, HANDLE))
		return GASPDB_KEY_HANDLE;
	if (DECLARES(r, CONTEXT))
		return r->type == GASPDB_TYPE_get_nb ||
				       r->type == GASPDB_TYPE_atomic_fetch
			       ? GASPDB_KEY_GET_ON
			       : GASPDB_KEY_PUT_ON;
	return GASPDB_KEY_IMPLICIT;
}

static void set_begin(struct gaspdb_completion_rule *r, bool blocking_access)
{
	switch (r->type) {
	case GASPDB_TYPE_get_nb:
	case GASPDB_TYPE_put_nb:
	case GASPDB_TYPE_copy_nb:
		r->begins = key_of_access(r);
		break;
	case GASPDB_TYPE_atomic:
	case GASPDB_TYPE_atomic_fetch:
		r->begins =
			blocking_access ? GASPDB_KEY_NONE : key_of_access(r);
		break;
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_copy: /* its put part */
		r->blocking = true;
		r->begins = DECLARES(r, CONTEXT) ? GASPDB_KEY_PUT_ON
						 : GASPDB_KEY_RELAXED;
		break;
	case GASPDB_TYPE_send_nb:
	case GASPDB_TYPE_receive_nb:
	case GASPDB_TYPE_start:
		r->begins = GASPDB_KEY_REQUEST;
		r->posts_message = true;
		break;
	case GASPDB_TYPE_send_init:
	case GASPDB_TYPE_receive_init:
	case GASPDB_TYPE_request:
		break;
	default:
		if (DECLARES(r, REQUEST))
			r->begins = GASPDB_KEY_REQUEST;
	}
}

/* --- completion ----------------------------------------------------------- */

static enum gaspdb_transfer_key
completed_by(const struct gaspdb_completion_rule *r)
{
	const bool context = DECLARES(r, CONTEXT);

	switch (r->type) {
	case GASPDB_TYPE_quiet:
	case GASPDB_TYPE_barrier:
	case GASPDB_TYPE_finalize:
	case GASPDB_TYPE_unlock:
		return context ? GASPDB_KEY_PUT_ON : GASPDB_KEY_RELAXED;
	case GASPDB_TYPE_notify:
	case GASPDB_TYPE_lock:
	case GASPDB_TYPE_lock_attempt:
		return GASPDB_KEY_RELAXED;
	case GASPDB_TYPE_get:
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_get_nb:
	case GASPDB_TYPE_put_nb: /* if strict */
		return DECLARES(r, RELAXED) ? GASPDB_KEY_RELAXED
					    : GASPDB_KEY_NONE;
	case GASPDB_TYPE_shared_alloc:
	case GASPDB_TYPE_shared_free:
	case GASPDB_TYPE_context: /* its end */
		return context ? GASPDB_KEY_PUT_ON : GASPDB_KEY_NONE;
	case GASPDB_TYPE_nb_sync:
	case GASPDB_TYPE_nb_test:
		return DECLARES(r, HANDLE) ? GASPDB_KEY_HANDLE
					   : GASPDB_KEY_IMPLICIT;
	case GASPDB_TYPE_window_sync:
	case GASPDB_TYPE_window_complete:
	case GASPDB_TYPE_window_unlock:
		return DECLARES(r, WINDOW) && DECLARES(r, COMPLETES)
			       ? GASPDB_KEY_WINDOW
			       : GASPDB_KEY_NONE;
	default:
		return GASPDB_KEY_NONE;
	}
}

bool gaspdb_completes(const struct gaspdb_completion_rule *rule,
		      const int64_t *arguments, int64_t bytes)
{
	const int64_t address = arguments[GASPDB_ARG_ADDRESS];
	const int64_t old = arguments[GASPDB_ARG_OLD_ADDRESS];

	switch (rule->type) {
	case GASPDB_TYPE_lock_attempt:
	case GASPDB_TYPE_nb_test:
		return arguments[GASPDB_ARG_SUCCESS] != GASPDB_NONE &&
		       arguments[GASPDB_ARG_SUCCESS] != 0;
	case GASPDB_TYPE_get:
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_get_nb:
	case GASPDB_TYPE_put_nb:
		return arguments[GASPDB_ARG_RELAXED] == 0;
	case GASPDB_TYPE_window_sync:
	case GASPDB_TYPE_window_complete:
	case GASPDB_TYPE_window_unlock:
		return arguments[GASPDB_ARG_COMPLETES] == 1;
	case GASPDB_TYPE_shared_alloc:
	case GASPDB_TYPE_shared_free:
		return !gaspdb_is_of_nothing(rule->type, bytes, address, old);
	default:
		return true;
	}
}

/* --- needed arguments ----------------------------------------------------- */

/* Arguments that gaspdb_completes() uses. */
static unsigned success_arguments(enum gaspdb_type type)
{
	switch (type) {
	case GASPDB_TYPE_lock_attempt:
	case GASPDB_TYPE_nb_test:
		return BIT(SUCCESS);
	case GASPDB_TYPE_get:
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_get_nb:
	case GASPDB_TYPE_put_nb:
		return BIT(RELAXED);
	case GASPDB_TYPE_window_sync:
	case GASPDB_TYPE_window_complete:
	case GASPDB_TYPE_window_unlock:
		return BIT(COMPLETES);
	case GASPDB_TYPE_shared_alloc:
		return BIT(OLD_ADDRESS);
	case GASPDB_TYPE_shared_free:
		return BIT(ADDRESS);
	default:
		return 0;
	}
}

/* Arguments with the values of a key. */
static unsigned key_arguments(enum gaspdb_transfer_key key)
{
	switch (key) {
	case GASPDB_KEY_PUT_ON:
	case GASPDB_KEY_GET_ON:
		return BIT(CONTEXT);
	case GASPDB_KEY_HANDLE:
		return BIT(HANDLE);
	case GASPDB_KEY_WINDOW:
		return BIT(WINDOW);
	default:
		return 0;
	}
}

/* Arguments that a rule uses. Without any, the arguments of an event are not
   read, which would take most of the pass's time. */
static unsigned needed_arguments(const struct gaspdb_completion_rule *r)
{
	unsigned bits = key_arguments(r->begins) | key_arguments(r->completes);

	if (r->completes)
		bits |= success_arguments(r->type);
	if (r->blocking)
		bits |= BIT(RELAXED);
	if (r->type == GASPDB_TYPE_copy)
		bits |= BIT(TARGET_THREAD);
	if (r->begins == GASPDB_KEY_REQUEST)
		bits |= BIT(WINDOW) | BIT(MESSAGE);
	if (r->begins == GASPDB_KEY_REQUEST && DECLARES(r, MESSAGE))
		bits |= BIT(REQUEST);
	if (r->type == GASPDB_TYPE_nb_data)
		bits |= BIT(HANDLE);
	return r->declared & bits;
}

/* --- tables --------------------------------------------------------------- */

static unsigned char argument_of(const char *name)
{
	unsigned char i = 0;

	while (i < GASPDB_ARG_OTHER && strcmp(name, argument_names[i]) != 0)
		i++;
	return i;
}

/* Does an argument apply to the call? The context that a call creates is no
   context of the call itself. */
static bool declares(enum gaspdb_type type, enum gaspdb_transfer_argument a,
		     bool at_end)
{
	return a != GASPDB_ARG_CONTEXT || type != GASPDB_TYPE_context ||
	       !at_end;
}

static void load_arguments(struct gaspdb_completion_rules *rules,
			   struct gaspdb_run *run,
			   struct gaspdb_completion_rule *by_operation,
			   int64_t n_operations)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(run, gaspdb_sql_completion_arguments);

	while (gaspdb_row(run, stmt)) {
		const unsigned char a =
			argument_of((const char *)sqlite3_column_text(stmt, 1));
		const int64_t operation = sqlite3_column_int64(stmt, 3);
		const enum gaspdb_type type = sqlite3_column_int(stmt, 4)
						      ? GASPDB_TYPE_context
						      : GASPDB_TYPE_user;

		if (a == GASPDB_ARG_OTHER || operation < 0 ||
		    operation >= n_operations ||
		    !declares(type, a, sqlite3_column_int(stmt, 2)))
			continue;
		by_operation[operation].declared |= 1u << a;
		rules->argument[sqlite3_column_int64(stmt, 0)] = a;
	}
	sqlite3_finalize(stmt);
}

static void make_rule(struct gaspdb_completion_rules *rules,
		      struct gaspdb_completion_rule *r, bool blocking_access)
{
	set_begin(r, blocking_access);
	r->completes = completed_by(r);
	r->only_puts = r->type == GASPDB_TYPE_unlock;
	r->needed = needed_arguments(r);
	if (r->begins)
		rules->any = true;
}

/* Load the fields that depend on the operation only. */
static void load_operations(struct gaspdb_run *run,
			    struct gaspdb_completion_rule *by_operation)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(run, gaspdb_sql_completion_operations);

	while (gaspdb_row(run, stmt)) {
		struct gaspdb_completion_rule *r =
			&by_operation[sqlite3_column_int64(stmt, 0)];

		r->overlay = sqlite3_column_int(stmt, 1);
		r->function = sqlite3_column_int(stmt, 2);
		r->model = sqlite3_column_int64(stmt, 3);
	}
	sqlite3_finalize(stmt);
}

static void make_rules(struct gaspdb_completion_rules *rules,
		       const struct gaspdb_run *run,
		       const struct gaspdb_completion_rule *by_operation)
{
	for (int64_t id = 0; id < run->n_sources; id++) {
		const struct gaspdb_run_source *source =
			gaspdb_run_source(run, id);
		struct gaspdb_completion_rule *r = &rules->by_source[id];

		if (!source)
			continue;
		*r = by_operation[source->operation];
		r->type = source->type;
		make_rule(rules, r, source->blocking_access);
	}
}

/* The largest id of a table plus 1. */
static int64_t id_limit(struct gaspdb_run *run, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, sql);
	int64_t limit = 0;

	if (gaspdb_row(run, stmt))
		limit = sqlite3_column_int64(stmt, 0) + 1;
	sqlite3_finalize(stmt);
	return limit;
}

void gaspdb_completion_rules_load(struct gaspdb_completion_rules *rules,
				  struct gaspdb_run *run)
{
	const int64_t n_operations = id_limit(run, gaspdb_sql_last_operation);
	struct gaspdb_completion_rule *by_operation;

	*rules =
		(struct gaspdb_completion_rules){ .n_sources = run->n_sources };
	rules->n_arguments = id_limit(run, gaspdb_sql_last_argument);
	by_operation =
		gaspdb_zeroed(run, (size_t)n_operations, sizeof(*by_operation));
	rules->by_source = gaspdb_zeroed(run, (size_t)rules->n_sources,
					 sizeof(*rules->by_source));
	rules->argument = gaspdb_zeroed(run, (size_t)rules->n_arguments, 1);
	if (rules->argument) {
		memset(rules->argument, GASPDB_ARG_OTHER,
		       (size_t)rules->n_arguments);
		load_arguments(rules, run, by_operation, n_operations);
		load_operations(run, by_operation);
		make_rules(rules, run, by_operation);
	}
	free(by_operation);
}

void gaspdb_completion_rules_free(struct gaspdb_completion_rules *rules)
{
	free(rules->by_source);
	free(rules->argument);
}
