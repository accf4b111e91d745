/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations by name: those of the event tables, and a script's own. */
#include <string.h>

#include "collector/core/events.h"
#include "tests/script/script.h"

/* --- layouts ---------------------------------------------------------------
 */

/* Does the layout have an argument of that name? */
static bool in_layout(const char *layout, const char *name, size_t n)
{
	for (const char *p = layout; *p; p += strspn(p, " ")) {
		if (!strncmp(p, name, n) && p[n] == ':')
			return true;
		p += strcspn(p, " ");
	}
	return false;
}

const char *script_layout(struct script *s, const char *layout,
			  const char *without)
{
	char *logged = script_print(s, "%s", "");
	size_t name, word;

	for (const char *p = layout; *p; p += word, p += strspn(p, " ")) {
		word = strcspn(p, " ");
		name = strcspn(p, ":");
		if (in_layout(without, p, name))
			continue;
		if (p[name + 1] == 'P')
			logged = script_print(s, "%s%.*s:p %.*s_thread:i ",
					      logged, (int)name, p, (int)name,
					      p);
		else if (p[name + 1] == 'L')
			logged = script_print(s, "%s%.*s:p ", logged, (int)name,
					      p);
		else
			logged = script_print(s, "%s%.*s ", logged, (int)word,
					      p);
	}
	if (*logged)
		logged[strlen(logged) - 1] = 0;
	return logged;
}

/* --- operations ------------------------------------------------------------
 */

static const struct script_operation *add(struct script *s,
					  struct script_operation o)
{
	struct script_operation *copy = script_alloc(s, sizeof *copy);

	*copy = o;
	return copy;
}

/* Its ends repeat what the start has: they are matched by that. */
static bool is_mapping(const struct gaspdb_event_info *e)
{
	return !strcmp(e->model, "Mapping");
}

static const struct script_operation *
of_table(struct script *s, const char *row, size_t n, const char *name)
{
	for (size_t i = 0; i < GASPDB_N_EVENTS; i++) {
		const struct gaspdb_event_info *e = &gaspdb_events[i];
		const char *ident = e->symbol + strlen("GASP_");

		if ((strncmp(ident, row, n) || ident[n]) &&
		    (strncmp(e->name, row, n) || e->name[n]))
			continue;
		return add(s,
			   (struct script_operation){
				   .name = name ? name : e->name,
				   .model = e->model,
				   .type = gaspdb_types[e->type].name,
				   .category = gaspdb_types[e->type].category,
				   .start = script_layout(s, e->start, ""),
				   .end = script_layout(
					   s, e->end,
					   is_mapping(e) ? "" : e->start),
			   });
	}
	return NULL;
}

/* ROW, ROW/NAME, user:NAME, or a name of the script's own. */
static const struct script_operation *find(struct script *s, const char *name)
{
	const char *slash = strchr(name, '/');

	for (size_t i = 0; i < s->n_operations; i++)
		if (!strcmp(s->operation[i].name, name))
			return &s->operation[i];
	if (!strncmp(name, "user:", 5))
		return add(s, (struct script_operation){ .name = name + 5,
							 .model = "C",
							 .type = "user",
							 .category = "none",
							 .start = "",
							 .end = "" });
	return of_table(s, name, slash ? (size_t)(slash - name) : strlen(name),
			slash ? slash + 1 : NULL);
}

/* Lines that name the same operation share it. */
const struct script_operation *script_operation(struct script *s,
						const char *name)
{
	const struct script_line *l = s->line;

	for (size_t i = 0; i < s->n_lines; i++)
		if (l[i].operation && !strcmp(l[i].what.text, name))
			return l[i].operation;
	return find(s, name);
}
