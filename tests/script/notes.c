/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indented lines: records about an event, or about a gap. */
#include <string.h>

#include "tests/script/writer.h"

struct note_kind {
	const char *name;
	unsigned n_words;
	void (*write)(struct log *l, const int64_t *word, unsigned flags,
		      const int64_t *value);
	const char *values[5]; /* of value[], in this order */
};

static void complete(struct log *l, const int64_t *word, unsigned flags,
		     const int64_t *v)
{
	log_complete(l, (uint64_t)word[0], v[0], flags, v[1], v[2],
		     (uint64_t)v[3], v[4]);
}

static void started(struct log *l, const int64_t *word, unsigned flags,
		    const int64_t *v)
{
	(void)flags;
	(void)v;
	log_numbers(l, 17, 2,
		    (uint64_t[]){ (uint64_t)word[0], (uint64_t)word[1] });
}

static void made(struct log *l, const int64_t *word, unsigned flags,
		 const int64_t *v)
{
	log_made(l, (uint64_t)word[0], flags, v[0], v[1], (uint64_t)v[2],
		 (uint64_t)v[3]);
}

static void freed(struct log *l, const int64_t *word, unsigned flags,
		  const int64_t *v)
{
	(void)flags;
	(void)v;
	log_numbers(l, 18, 1, (uint64_t[]){ (uint64_t)word[0] });
}

static void cancel(struct log *l, const int64_t *word, unsigned flags,
		   const int64_t *v)
{
	(void)flags;
	(void)v;
	log_numbers(l, 19, 1, (uint64_t[]){ (uint64_t)word[0] });
}

static void note_probed(struct log *l, const int64_t *word, unsigned flags,
			const int64_t *v)
{
	(void)flags;
	log_probed(l, (uint64_t)word[0], v[0], v[1], (uint64_t)v[2]);
}

static void note_passed(struct log *l, const int64_t *word, unsigned flags,
			const int64_t *v)
{
	(void)word;
	(void)flags;
	log_passed(l, (uint64_t)v[0], v[1], v[2], (uint64_t)v[3],
		   (uint64_t)v[4]);
}

static void sequence(struct log *l, const int64_t *word, unsigned flags,
		     const int64_t *v)
{
	(void)flags;
	(void)v;
	log_numbers(l, 38, 2,
		    (uint64_t[]){ (uint64_t)word[0], (uint64_t)word[1] });
}

static const struct note_kind note_kinds[] = {
	{ "complete",
	  1,
	  complete,
	  { "index", "peer", "tag", "bytes", "error" } },
	{ "started", 2, started, { NULL } },
	{ "made", 1, made, { "peer", "tag", "bytes", "team" } },
	{ "freed", 1, freed, { NULL } },
	{ "cancel", 1, cancel, { NULL } },
	{ "probed", 1, note_probed, { "peer", "tag", "bytes" } },
	{ "passed",
	  0,
	  note_passed,
	  { "team", "peer", "tag", "sends", "receives" } },
	{ "sequence", 2, sequence, { NULL } },
};

/* COMPLETE's and REQUEST_MADE's flags are words: docs/log-format.md. */
static unsigned flag_of(const char *word)
{
	static const char *const flags[] = { "receive", "cancelled",
					     "collective", "one-sided" };

	for (unsigned i = 0; i < 4; i++)
		if (!strcmp(flags[i], word))
			return 1u << i;
	return 0;
}

static enum gaspdb_status note_values(struct writer *w,
				      const struct script_note *note,
				      const struct note_kind *kind, int64_t *v)
{
	for (size_t j = 0; j < 5; j++)
		v[j] = !kind->values[j]			  ? 0
		       : !strcmp(kind->values[j], "peer") ? -1
		       : !strcmp(kind->values[j], "team") ? script_team_id(w, 0)
							  : 0;
	for (size_t i = 0; i < note->n_values; i++) {
		const struct script_value *given = &note->value[i];
		size_t j = 0;

		while (j < 5 && kind->values[j] &&
		       strcmp(kind->values[j], given->name.text))
			j++;
		if (j == 5 || !kind->values[j])
			return script_fail(w->err, &given->name,
					   "'%s' has no '%s'", note->kind.text,
					   given->name.text);
		if (script_value_of(w, 'i', &given->value, &v[j]))
			return GASPDB_FAILED;
	}
	return GASPDB_OK;
}

static enum gaspdb_status write_argument(struct writer *w,
					 const struct script_note *note)
{
	int64_t v;

	if (note->n_values != 1 || note->words.n)
		return script_fail(w->err, &note->kind,
				   "'argument NAME=VALUE' was expected");
	if (script_value_of(w, 'i', &note->value[0].value, &v))
		return GASPDB_FAILED;
	log_argument(w->log, note->value[0].name.text, v);
	return GASPDB_OK;
}

static enum gaspdb_status write_note(struct writer *w,
				     const struct script_note *note)
{
	const struct note_kind *kind = note_kinds;
	const size_t n = sizeof note_kinds / sizeof *note_kinds;
	int64_t word[2] = { 0 }, v[5];
	unsigned flags = 0;
	size_t taken = 0;

	if (!strcmp(note->kind.text, "argument"))
		return write_argument(w, note);
	while (kind < note_kinds + n && strcmp(kind->name, note->kind.text))
		kind++;
	if (kind == note_kinds + n)
		return script_fail(w->err, &note->kind,
				   "'%s' begins no indented line",
				   note->kind.text);
	for (size_t i = 0; i < note->words.n; i++) {
		const struct script_word *text = &note->words.word[i];

		if ((kind->write == complete || kind->write == made) &&
		    flag_of(text->text))
			flags |= flag_of(text->text);
		else if (taken == kind->n_words)
			return script_fail(w->err, text,
					   "'%s' was not expected", text->text);
		else if (script_value_of(w, 'i', text, &word[taken++]))
			return GASPDB_FAILED;
	}
	if (taken < kind->n_words)
		return script_fail(w->err, &note->kind, "'%s' needs %u numbers",
				   kind->name, kind->n_words);
	if (note_values(w, note, kind, v))
		return GASPDB_FAILED;
	kind->write(w->log, word, flags, v);
	return GASPDB_OK;
}

enum gaspdb_status script_write_notes(struct writer *w,
				      const struct script_line *l)
{
	for (size_t i = 0; i < l->n_notes; i++)
		if (write_note(w, &l->note[i]))
			return GASPDB_FAILED;
	return GASPDB_OK;
}

static enum gaspdb_status
write_completions(struct writer *w, const struct script_line *l, bool wanted)
{
	for (size_t i = 0; i < l->n_notes; i++)
		if (!strcmp(l->note[i].kind.text, "complete") == wanted &&
		    write_note(w, &l->note[i]))
			return GASPDB_FAILED;
	return GASPDB_OK;
}

enum gaspdb_status script_write_unseen(struct writer *w,
				       const struct script_line *l)
{
	return write_completions(w, l, true);
}

enum gaspdb_status script_write_passed(struct writer *w,
				       const struct script_line *l)
{
	return write_completions(w, l, false);
}
