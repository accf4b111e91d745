/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scan of each process, with its threads merged in the order of time. An event
 * may complete open transfers, then begin new ones. A gap of recording ends
 * transfers whose completion it may hide.
 */
#include "analysis/completion/completions.h"

#include <stdlib.h>

#include "analysis/completion/state.h"
#include "common/sum.h"
#include "sql/passes/completion.h"

/* --- data in flight ------------------------------------------------------- */

/* Exclude the computation between two data intervals of a transfer, when its
   data were not in flight. */
static void skip_idle(struct completions *c, struct gaspdb_walk_thread *of,
		      struct gaspdb_transfer *t, int64_t start_ns)
{
	const int64_t computed_ns =
		gaspdb_walk_computed(&c->walk, of, start_ns);

	t->computed_ns += computed_ns - (t->data_end_ns > t->begun_ns
						 ? t->data_computed_ns
						 : t->computed_ns);
}

static bool add_data(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	struct gaspdb_walk_thread *of = gaspdb_walk_thread(&c->walk, t->thread);
	const int64_t start_ns = c->event[GASPDB_EVENT_START];
	const struct gaspdb_sample sample = {
		.ns = c->end_ns,
		.transfer = (uint32_t)(t - c->open.transfer),
		.serial = t->serial,
		.data_end = true
	};

	if (t->data_start_ns == GASPDB_NONE) {
		t->data_start_ns = start_ns;
		if (start_ns > t->begun_ns)
			t->computed_ns =
				gaspdb_walk_computed(&c->walk, of, start_ns);
	} else if (start_ns > t->data_end_ns && start_ns > t->begun_ns) {
		skip_idle(c, of, t, start_ns);
	}
	if (t->data_end_ns == GASPDB_NONE || t->data_end_ns < c->end_ns) {
		t->data_end_ns = c->end_ns;
		gaspdb_walk_sample(&c->walk, of, &sample);
	}
	return false;
}

/* --- the walk ------------------------------------------------------------- */

static void process_event(struct completions *c)
{
	const int64_t *e = c->event = c->thread->event;
	const struct gaspdb_completion_rule *rule = c->rule =
		gaspdb_completion_rule(&c->rules, e[GASPDB_EVENT_SOURCE]);

	if (!rule)
		return;
	c->end_ns = e[GASPDB_EVENT_START] + e[GASPDB_EVENT_DURATION];
	if (!rule->overlay)
		gaspdb_walk_enter(&c->walk, c->thread, c->end_ns,
				  rule->function);
	if (e[GASPDB_EVENT_NESTED])
		return;
	c->argument = c->none;
	if (rule->needed && (rule->begins || c->open.index.n)) {
		gaspdb_walk_arguments(&c->walk, c->thread, c->values);
		c->argument = c->values;
	}
	if (rule->type == GASPDB_TYPE_nb_data)
		gaspdb_open_transfers_visit(&c->open, GASPDB_KEY_HANDLE,
					    c->argument[GASPDB_ARG_HANDLE], 0,
					    add_data, c);
	if (rule->overlay || rule->function)
		return;
	if (c->open.index.n)
		gaspdb_completions_complete(c);
	if (rule->type == GASPDB_TYPE_probe ||
	    rule->type == GASPDB_TYPE_probe_nb)
		gaspdb_completions_probed(c);
	else if (rule->begins && !e[GASPDB_EVENT_OPEN])
		gaspdb_completions_begin(c);
}

static void begin_process(struct completions *c, int64_t first, int64_t last)
{
	gaspdb_walk_process(&c->walk, first, last);
	c->logs_complete = true;
	c->last_gap_ns = INT64_MIN;
	for (int64_t id = first; id <= last; id++)
		c->logs_complete &= c->run->threads[id].to_the_end;
	for (size_t i = 0; i < c->walk.n_threads; i++)
		c->last_gap_ns = gaspdb_max(c->last_gap_ns,
					    c->walk.threads[i].last_gap_ns);
}

static void walk_process(struct completions *c, int64_t first, int64_t last)
{
	begin_process(c, first, last);
	while ((c->thread = gaspdb_walk_next(&c->walk)))
		if (c->thread->next_is_gap)
			gaspdb_completions_stop(c, c->thread->next_ns);
		else
			process_event(c);
	c->n_probed = 0;
	gaspdb_completions_finish(c);
	gaspdb_completion_rows_process(&c->rows);
}

/* Walk each process; its threads have consecutive ids. */
static void walk_processes(struct completions *c)
{
	int64_t first = 0;

	for (int64_t id = 1; id <= c->run->n_threads; id++)
		if (id == c->run->n_threads ||
		    gaspdb_run_process(c->run, id) !=
			    gaspdb_run_process(c->run, first)) {
			walk_process(c, first, id - 1);
			first = id;
		}
}

static void analyse(struct completions *c)
{
	gaspdb_open_transfers_init(&c->open, c->run);
	gaspdb_completion_rows_open(&c->rows, c->run);
	gaspdb_groups_init(&c->unseen, 3, 3);
	gaspdb_walk_open(&c->walk, c->run, &c->rules, &c->open);
	c->request = gaspdb_prepare(c->run, gaspdb_sql_posted_requests);
	c->lost_ns = GASPDB_NONE;
	for (int i = 0; i < GASPDB_N_TRANSFER_ARGUMENTS; i++)
		c->none[i] = GASPDB_NONE;
	if (c->run->status == GASPDB_OK)
		walk_processes(c);
	sqlite3_finalize(c->request);
	gaspdb_walk_close(&c->walk);
	gaspdb_groups_fini(&c->unseen);
	gaspdb_completion_rows_close(&c->rows);
	gaspdb_open_transfers_free(&c->open);
	free(c->completed);
	free(c->parts);
	free(c->posted);
	free(c->probed);
}

enum gaspdb_status gaspdb_pass_completions(struct gaspdb_run *run)
{
	struct completions c = { .run = run };

	gaspdb_completion_rules_load(&c.rules, run);
	if (run->status == GASPDB_OK && c.rules.any)
		analyse(&c);
	gaspdb_completion_rules_free(&c.rules);
	return run->status;
}
