/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs of a script that was read. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/script/writer.h"

static void write_clock(struct writer *w, int64_t t)
{
	log_clock(w->log, (uint64_t)(t + w->boot),
		  (uint64_t)(LOG_BASE + t + w->boot),
		  LOG_REAL + (uint64_t)(t + w->skew), (uint64_t)w->error);
}

static enum gaspdb_status write_start(struct writer *w,
				      const struct script_line *l)
{
	int64_t v[LOG_ARGS];
	unsigned site = script_site_of(w, l);
	size_t n;

	if (!site || script_check_names(w, l) ||
	    script_arguments(w, l, l->operation->start, v, &n))
		return GASPDB_FAILED;
	if (w->profile) {
		script_profile_start(w, l, site);
		return GASPDB_OK;
	}
	script_note_open(w, l, !l->instant);
	(l->instant ? log_atomic : log_start)(
		w->log, (uint64_t)(l->start + w->boot), site, v, n);
	return l->end == SCRIPT_NEVER ? script_write_notes(w, l) : GASPDB_OK;
}

static enum gaspdb_status write_end(struct writer *w,
				    const struct script_line *l)
{
	int64_t v[LOG_ARGS];
	unsigned site = script_site_of(w, l);
	size_t n;

	if (w->profile && site) {
		script_profile_end(w, l, site);
		return GASPDB_OK;
	}
	if (!site || script_write_notes(w, l) ||
	    script_arguments(w, l, l->operation->end, v, &n))
		return GASPDB_FAILED;
	script_note_open(w, l, false);
	log_end(w->log, (uint64_t)(l->end + w->boot), site, v, n);
	return GASPDB_OK;
}

static enum gaspdb_status write_lost(struct writer *w,
				     const struct script_line *l)
{
	int64_t n;

	if (l->words.n != 2 || !script_number(l->words.word[0].text, &n))
		return script_fail(w->err, &l->what,
				   "'lost COUNT REASON' was expected");
	log_lost(w->log, (uint64_t)n, l->words.word[1].text);
	return GASPDB_OK;
}

/* Its sums are those of the log so far; of the time used: all that it tells. */
static enum gaspdb_status write_unserved(struct writer *w,
					 const struct script_line *l)
{
	const uint64_t t = (uint64_t)(l->end + w->boot);
	int64_t n;

	if (l->words.n != 1 || !script_number(l->words.word[0].text, &n))
		return script_fail(w->err, &l->what,
				   "'unserved NS' was expected");
	w->unserved += (uint64_t)n;
	log_processor(w->log, t, t, (uint64_t)n, w->unserved);
	return GASPDB_OK;
}

bool script_damages(const struct script_line *l)
{
	return l->kind == SCRIPT_BLOCK && l->words.n == 1 &&
	       !strcmp(l->words.word[0].text, "damaged");
}

/* What it held was written whole. */
static void spoil_block(struct writer *w, size_t block)
{
	if (w->damaged)
		log_spoil(w->log, block);
	w->damaged = false;
}

static enum gaspdb_status write_block(struct writer *w,
				      const struct script_line *l, uint64_t t)
{
	const size_t before = w->log->block;

	if (l->words.n && !script_damages(l))
		return script_fail(w->err, &l->words.word[0],
				   "'block' or 'block damaged' was expected");
	log_block_at(w->log, t, (int64_t)(LOG_BASE + t));
	spoil_block(w, before);
	w->damaged = script_damages(l);
	return GASPDB_OK;
}

static enum gaspdb_status write_moment(struct writer *w,
				       const struct script_moment *m)
{
	const struct script_line *l = m->line;
	const uint64_t t = (uint64_t)(m->t + w->boot);

	switch (l->kind) {
	case SCRIPT_EVENT:
		if (m->end)
			return write_end(w, l);
		if (write_start(w, l))
			return GASPDB_FAILED;
		return m->whole && !l->instant ? write_end(w, l) : GASPDB_OK;
	case SCRIPT_OFF:
		if (m->end && script_write_unseen(w, l))
			return GASPDB_FAILED;
		log_recording(w->log, m->end, t);
		return m->end ? script_write_passed(w, l) : GASPDB_OK;
	case SCRIPT_TOOL:
		if (!m->end)
			return GASPDB_OK;
		log_tool(w->log, (uint64_t)(l->start + w->boot), t);
		return GASPDB_OK;
	case SCRIPT_UNSERVED:
		return m->end ? write_unserved(w, l) : GASPDB_OK;
	case SCRIPT_BLOCK:
		return write_block(w, l, t);
	case SCRIPT_CLOCK:
		write_clock(w, m->t);
		return GASPDB_OK;
	case SCRIPT_PROFILE:
		return script_begin_profile(w, m->t);
	case SCRIPT_LOST:
		break;
	}
	return write_lost(w, l);
}

/* What a log can hold. */
static enum gaspdb_status check_block(const struct writer *w,
				      const struct script_line *l)
{
	enum { BLOCK_MAX = 65536 };

	if (w->log->n - w->log->block <= BLOCK_MAX)
		return GASPDB_OK;
	return script_fail(w->err, &l->what,
			   "a block has at most %d bytes: 'at T thread ID "
			   "block' begins another",
			   BLOCK_MAX);
}

static enum gaspdb_status find_host(struct writer *w)
{
	w->boot = w->skew = 0;
	w->error = 1;
	for (size_t i = 0; i < w->s->n_hosts; i++)
		if (!strcmp(w->s->host[i].name, w->thread->host)) {
			w->boot = w->s->host[i].boot;
			w->skew = w->s->host[i].skew;
			w->error = w->s->host[i].error;
		}
	return GASPDB_OK;
}

/* Whether it was closed, or its process killed. */
static enum gaspdb_status end_log(struct writer *w)
{
	static const struct script_word nowhere = { "", 1, 1 };

	if (w->thread->cut == SCRIPT_NEVER) {
		log_close(w->log);
		spoil_block(w, w->log->block);
		return GASPDB_OK;
	}
	if (w->damaged)
		return script_fail(w->err, &nowhere,
				   "the log of rank %" PRId64
				   " is cut in a damaged block: only one that "
				   "was written whole can be damaged",
				   w->thread->rank);
	log_kill(w->log, 0);
	return GASPDB_OK;
}

static enum gaspdb_status write_thread(struct writer *w, size_t thread,
				       const char *directory)
{
	const struct script_thread *t = w->thread = &w->s->thread[thread];
	struct script_moment *moment;
	size_t n;

	if (find_host(w) || script_order(w->s, thread, &moment, &n, w->err))
		return GASPDB_FAILED;
	w->log = log_new(t->host, 100 + (unsigned)t->rank, (unsigned)t->number);
	script_define_thread(w);
	write_clock(w, t->from != SCRIPT_NEVER ? t->from
		       : n > 0		       ? moment[0].t
					       : 0);
	for (size_t i = 0; i < n; i++)
		if (write_moment(w, &moment[i]) ||
		    check_block(w, moment[i].line)) {
			log_free(w->log);
			return GASPDB_FAILED;
		}
	script_write_profile(w);
	if (t->to != SCRIPT_NEVER)
		write_clock(w, t->to);
	if (end_log(w)) {
		log_free(w->log);
		return GASPDB_FAILED;
	}
	run_add(directory, w->log);
	return GASPDB_OK;
}

enum gaspdb_status script_write(struct script *s, const char *directory,
				struct gaspdb_error *err)
{
	for (size_t i = 0; i < s->n_threads; i++) {
		struct writer *w = script_alloc(s, sizeof *w);

		w->s = s;
		w->err = err;
		w->open = script_alloc(s, (s->n_lines + 1) * sizeof *w->open);
		w->sequence =
			script_alloc(s, (s->n_teams + 1) * sizeof *w->sequence);
		if (!s->thread[i].missing && write_thread(w, i, directory))
			return GASPDB_FAILED;
	}
	return GASPDB_OK;
}
