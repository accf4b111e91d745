/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a script, word by word. */
#include "tests/script/cursor.h"

#include <stdio.h>
#include <string.h>

const struct script_word *script_take(struct script_cursor *c)
{
	return c->next < c->words->n ? &c->words->word[c->next++] : NULL;
}

enum gaspdb_status script_take_text(struct script_cursor *c, const char *what,
				    struct script_word *word)
{
	const struct script_word *w = script_take(c);

	if (!w)
		return script_fail(c->err, &c->end, "%s is missing", what);
	*word = *w;
	return GASPDB_OK;
}

enum gaspdb_status script_number_at(const struct script_word *w, int64_t *n,
				    struct gaspdb_error *err)
{
	if (!script_number(w->text, n))
		return script_fail(err, w, "'%s' is no number", w->text);
	return GASPDB_OK;
}

enum gaspdb_status script_take_number(struct script_cursor *c, const char *what,
				      int64_t *n)
{
	struct script_word w;

	return script_take_text(c, what, &w) || script_number_at(&w, n, c->err)
		       ? GASPDB_FAILED
		       : GASPDB_OK;
}

enum gaspdb_status script_range_at(const struct script_word *w, bool open,
				   int64_t *from, int64_t *to, bool *instant,
				   struct gaspdb_error *err)
{
	char text[64];
	char *dots;

	snprintf(text, sizeof text, "%s", w->text);
	dots = strstr(text, "..");
	*instant = !dots;
	if (!dots) {
		if (script_number_at(w, from, err))
			return GASPDB_FAILED;
		*to = *from;
		return GASPDB_OK;
	}
	*dots = 0;
	*from = *to = SCRIPT_NEVER;
	if ((*text || !open) && !script_number(text, from))
		return script_fail(err, w, "'%s' is no number", text);
	if ((dots[2] || !open) && !script_number(dots + 2, to))
		return script_fail(err, w, "'%s' is no number", dots + 2);
	if (*from != SCRIPT_NEVER && *to != SCRIPT_NEVER && *to < *from)
		return script_fail(err, w, "it ends before it begins");
	if (*from == SCRIPT_NEVER && *to == SCRIPT_NEVER)
		return script_fail(err, w, "neither start nor end");
	return GASPDB_OK;
}

enum gaspdb_status script_take_settings(struct script_cursor *c,
					const struct script_setting *settings,
					size_t n)
{
	struct script_value v;

	while (c->next < c->words->n &&
	       script_split(c->s, &c->words->word[c->next], &v)) {
		size_t i = 0;

		while (i < n && strcmp(settings[i].name, v.name.text))
			i++;
		if (i == n)
			return script_fail(c->err, &v.name,
					   "there is no setting '%s' here",
					   v.name.text);
		if (settings[i].text)
			*settings[i].text = v.value.text;
		else if (script_number_at(&v.value, settings[i].number, c->err))
			return GASPDB_FAILED;
		c->next++;
	}
	return GASPDB_OK;
}

enum gaspdb_status script_no_more(struct script_cursor *c)
{
	const struct script_word *w = script_take(c);

	return w ? script_fail(c->err, w, "'%s' was not expected", w->text)
		 : GASPDB_OK;
}

enum gaspdb_status script_find_thread(struct script *s,
				      const struct script_word *w,
				      size_t *index, struct gaspdb_error *err)
{
	int64_t id;

	if (script_number_at(w, &id, err))
		return GASPDB_FAILED;
	for (*index = 0; *index < s->n_threads; ++*index)
		if (s->thread[*index].id == id)
			return GASPDB_OK;
	return script_fail(err, w, "there is no thread %s", w->text);
}
