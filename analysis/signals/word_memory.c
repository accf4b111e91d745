/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes by piece: those of a known value in word_values.h, others in trees,
   where one write covers many pieces at once. */
#include "analysis/signals/word_memory.h"

#include "common/sum.h"

/* Maximum pieces of a wait whose values are compared. */
enum { VALUED_PIECES_MAX = 64 };

void gaspdb_word_memory_init(struct gaspdb_word_memory *m,
			     struct gaspdb_run *run,
			     const struct gaspdb_waited_words *words)
{
	*m = (struct gaspdb_word_memory){ .words = words,
					  .last.run = run,
					  .unknown.run = run,
					  .values.run = run };
}

bool gaspdb_word_memory_begin(struct gaspdb_word_memory *m)
{
	return gaspdb_last_writes_begin(&m->last, m->words->n) &&
	       gaspdb_last_writes_begin(&m->unknown, m->words->n) &&
	       gaspdb_word_values_begin(&m->values, m->words->n);
}

/* --- writes --------------------------------------------------------------- */

/* Add a write to the pieces in [from, until). */
static void write_pieces(struct gaspdb_word_memory *m, size_t from,
			 size_t until, const struct gaspdb_value_write *write)
{
	gaspdb_last_writes_add(&m->last, from, until, &write->write);
	if (!write->bytes)
		gaspdb_last_writes_add(&m->unknown, from, until, &write->write);
	for (size_t i = from; write->bytes && i < until; i++)
		gaspdb_word_values_add(&m->values, i, write);
}

/* Add a write to those of the pieces in [from, until) that it changes. */
static void write_each(struct gaspdb_word_memory *m,
		       const struct gaspdb_byte_ranges *to, size_t from,
		       size_t until, const struct gaspdb_value_write *write)
{
	const struct gaspdb_waited_piece *pieces = m->words->pieces;

	for (size_t i = from; i < until; i++)
		if (gaspdb_byte_ranges_overlap(to, pieces[i].object,
					       pieces[i].bytes))
			write_pieces(m, i, i + 1, write);
}

/* Add a write to every piece of which it changes a byte. */
static void write_bytes(struct gaspdb_word_memory *m, int64_t first,
			int64_t bytes, const struct gaspdb_value_write *write)
{
	write_pieces(
		m, gaspdb_waited_words_ended(m->words, first),
		gaspdb_waited_words_begun(m->words, gaspdb_plus(first, bytes)),
		write);
}

/* Add a strided write range by range, or piece by piece if these are fewer. */
static void write_strided(struct gaspdb_word_memory *m,
			  const struct gaspdb_byte_ranges *to,
			  const struct gaspdb_value_write *write)
{
	const size_t from = gaspdb_waited_words_ended(m->words, to->first);
	const size_t until = gaspdb_waited_words_begun(
		m->words, gaspdb_plus(gaspdb_byte_ranges_last(to), 1));

	if (from >= until)
		return;
	if ((uint64_t)to->n >= until - from) {
		write_each(m, to, from, until, write);
		return;
	}
	for (int64_t i = 0; i < to->n; i++)
		write_bytes(m, gaspdb_byte_ranges_at(to, i), to->bytes, write);
}

void gaspdb_word_memory_write(struct gaspdb_word_memory *m,
			      const struct gaspdb_byte_ranges *to,
			      const struct gaspdb_value_write *write)
{
	if (to->n == 1)
		write_bytes(m, to->first, to->bytes, write);
	else
		write_strided(m, to, write);
}

/* --- waits ---------------------------------------------------------------- */

static void query_pieces(struct gaspdb_word_memory *m,
			 const struct gaspdb_wanted *wanted, size_t from,
			 size_t until, int64_t return_ns,
			 struct gaspdb_value_answer *answer)
{
	for (size_t i = from; i < until; i++) {
		const struct gaspdb_last_write unknown =
			gaspdb_last_writes_query(&m->unknown, i, i + 1,
						 return_ns);

		gaspdb_word_values_query(&m->values, i, wanted, &unknown,
					 return_ns, answer);
	}
}

struct gaspdb_value_answer
gaspdb_word_memory_query(struct gaspdb_word_memory *m,
			 const struct gaspdb_wanted *wanted, int64_t bytes,
			 int64_t return_ns)
{
	const size_t from = gaspdb_waited_words_ended(m->words, wanted->object);
	const size_t until = gaspdb_waited_words_begun(
		m->words, gaspdb_plus(wanted->object, bytes));
	struct gaspdb_value_answer answer = { .last = gaspdb_last_writes_query(
						      &m->last, from, until,
						      return_ns) };

	if (until <= from)
		return answer;
	if (until - from > VALUED_PIECES_MAX) {
		gaspdb_last_writes_query(&m->unknown, from, until, return_ns);
		gaspdb_word_values_return(&m->values, from, until, return_ns);
		return answer;
	}
	answer.last = (struct gaspdb_last_write){ .write.event = 0 };
	query_pieces(m, wanted, from, until, return_ns, &answer);
	return answer;
}

void gaspdb_word_memory_free(struct gaspdb_word_memory *m)
{
	gaspdb_last_writes_free(&m->last);
	gaspdb_last_writes_free(&m->unknown);
	gaspdb_word_values_free(&m->values);
}
