/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of a log: what an OPERATION record means, and the plans of its
   arguments. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/definitions_parts.h"

static const struct {
	const char *name;
	bool column;
} roles[GASPDB_N_ROLES] = {
#define COLUMN		  true
#define FURTHER		  false
#define ROLE(name, where) { #name, where },
	GASPDB_ROLES(ROLE)
#undef ROLE
};

/* --- layouts -------------------------------------------------------------- */

static uint8_t role_of(struct gaspdb_text name)
{
	uint8_t i = 0;

	while (i < GASPDB_N_ROLES && (strlen(roles[i].name) != name.n ||
				      memcmp(roles[i].name, name.p, name.n)))
		i++;
	return i;
}

static uint8_t how_of(const struct gaspdb_plan_arg *a)
{
	uint8_t how = 0;

	if (a->code == 'p' || a->code == 'h')
		how |= GASPDB_ARG_LAST;
	if (how || a->code == 'i')
		how |= GASPDB_ARG_SIGNED;
	if (a->role == GASPDB_ROLE_bytes ||
	    a->role == GASPDB_ROLE_bytes_received ||
	    a->role == GASPDB_ROLE_limit)
		how |= GASPDB_ARG_SIZE;
	if (a->code == 's' || a->code == 'd' || a->role == GASPDB_ROLE_team ||
	    a->role == GASPDB_ROLE_created ||
	    a->role == GASPDB_ROLE_created_y || a->role == GASPDB_ROLE_signal)
		how |= GASPDB_ARG_OTHER;
	return how;
}

static void plan_argument(struct gaspdb_definitions *d,
			  const struct gaspdb_log_operation *o, bool end,
			  struct gaspdb_text name, char code,
			  struct gaspdb_plan *plan)
{
	struct gaspdb_plan_arg *a;

	plan->arg = gaspdb_mem_grow(plan->arg, &plan->capacity, plan->n + 1,
				    sizeof *plan->arg);
	a = &plan->arg[plan->n++];
	a->code = code;
	a->role = role_of(name);
	/* Columns of event hold integers only. */
	if (a->role != GASPDB_ROLE_none && (code == 's' || code == 'd') &&
	    a->role != GASPDB_ROLE_signature)
		a->role = GASPDB_ROLE_none;
	a->how = how_of(a);
	if (a->role == GASPDB_ROLE_none || !roles[a->role].column ||
	    (a->role == GASPDB_ROLE_bytes && o->prepares))
		a->argument = gaspdb_argument_add(d->registry, o->id, end, name,
						  code);
}

/* "name:code name:code ..." */
static void make_plan(struct gaspdb_definitions *d,
		      const struct gaspdb_log_operation *o, bool end,
		      struct gaspdb_text layout, struct gaspdb_plan *plan)
{
	const char *p = layout.p, *stop = p + layout.n;

	while (p < stop) {
		const char *space = memchr(p, ' ', (size_t)(stop - p));
		const char *word_end = space ? space : stop;
		const char *colon = memchr(p, ':', (size_t)(word_end - p));

		const struct gaspdb_text name = { p, colon ? (size_t)(colon - p)
							   : 0 };

		p = word_end + 1;
		if (!colon || !name.n || word_end != colon + 2)
			continue;
		if (plan->n < GASPDB_ARGUMENTS_MAX)
			plan_argument(d, o, end, name, colon[1], plan);
		else
			plan->left_out++;
	}
}

/* --- operations ----------------------------------------------------------- */

/* Texts of an OPERATION record: its fields from symbol to format. */
static const struct gaspdb_field *texts_of(const struct gaspdb_field *f)
{
	return f + 2;
}

bool gaspdb_log_operation_has(const struct gaspdb_definitions *d,
			      const struct gaspdb_log_operation *o,
			      const struct gaspdb_field *f)
{
	for (int i = 0; i < GASPDB_OPERATION_TEXTS; i++)
		if (!gaspdb_text_is(d->registry, o->texts[i], texts_of(f)[i].s))
			return false;
	return true;
}

bool gaspdb_log_operation_means(struct gaspdb_definitions *d,
				const struct gaspdb_log_operation *o,
				const struct gaspdb_field *f)
{
	for (int i = 0; i < GASPDB_OPERATION_TEXTS; i++)
		if (gaspdb_text_add(d->registry, texts_of(f)[i].s) !=
		    o->texts[i])
			return false;
	return true;
}

static bool is_text(struct gaspdb_text t, const char *what)
{
	return t.n == strlen(what) && !memcmp(t.p, what, t.n);
}

/* Sets what follows from the operation's type, category and model. */
static void set_meaning(struct gaspdb_log_operation *o, bool upc)
{
	o->overlay = o->type == GASPDB_OPTYPE_user ||
		     o->category == GASPDB_CATEGORY_none;
	o->in_tree = !o->overlay || o->type == GASPDB_OPTYPE_user;
	o->function = o->type == GASPDB_OPTYPE_function;
	o->runtime = !o->overlay && o->category != GASPDB_CATEGORY_computation;
	o->prepares = o->type == GASPDB_OPTYPE_send_init ||
		      o->type == GASPDB_OPTYPE_receive_init ||
		      o->type == GASPDB_OPTYPE_request;
	o->upc = upc;
	o->maps = o->type == GASPDB_OPTYPE_entity ||
		  o->type == GASPDB_OPTYPE_work ||
		  o->type == GASPDB_OPTYPE_work_put;
	o->pairs_by = o->type == GASPDB_OPTYPE_entity ? GASPDB_ROLE_entity
		      : o->type == GASPDB_OPTYPE_work ? GASPDB_ROLE_work
						      : GASPDB_ROLE_none;
	o->ends_all = o->upc && o->type == GASPDB_OPTYPE_finalize;
}

struct gaspdb_log_operation *
gaspdb_log_operation_make(struct gaspdb_definitions *d,
			  const struct gaspdb_field *f)
{
	struct gaspdb_log_operation *o = gaspdb_mem_alloc(sizeof *o);
	struct gaspdb_registry *r = d->registry;
	struct gaspdb_operation_names names;

	for (int i = 0; i < GASPDB_OPERATION_TEXTS; i++)
		o->texts[i] = gaspdb_text_add(r, texts_of(f)[i].s);
	names = (struct gaspdb_operation_names){ .symbol = o->texts[0],
						 .name = o->texts[1],
						 .model = o->texts[2],
						 .type = o->texts[3],
						 .category = o->texts[4],
						 .format = o->texts[7] };
	o->id = gaspdb_operation_add(r, &names);
	o->name = names.name;
	o->type = gaspdb_optype_of(names.type ? gaspdb_text_get(r, names.type)
					      : "");
	o->category = gaspdb_category_of(
		r, names.category ? gaspdb_text_get(r, names.category) : "");
	set_meaning(o, is_text(f[4].s, "UPC"));
	make_plan(d, o, false, f[7].s, &o->plan[0]);
	make_plan(d, o, true, f[8].s, &o->plan[1]);
	return o;
}

void gaspdb_log_operation_free(struct gaspdb_log_operation *o)
{
	if (!o)
		return;
	free(o->plan[0].arg);
	free(o->plan[1].arg);
	free(o);
}
