/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of word indices: the words of an array that a call polled or found
   changed. */
#include <string.h>

#include "collector/log/log_format.h"
#include "collector/models/shmem/adapter.h"

/* Most runs of an event in the database (events/README.md). */
#define RUNS_MAX 24
/* Arguments of a test of an array. */
#define GASPDB_SHMEM_WORDS_ARGS 6

static void emit_run(struct gaspdb_context *c, size_t first, size_t last)
{
	gaspdb_record(c, GASPDB_RECORD_ARGUMENT, "si", "index", (int64_t)first);
	if (last > first)
		gaspdb_record(c, GASPDB_RECORD_ARGUMENT, "si", "index_last",
			      (int64_t)last);
}

void gaspdb_shmem_emit_value(struct gaspdb_context *c, int64_t value)
{
	if (gaspdb_recording(c))
		gaspdb_record(c, GASPDB_RECORD_ARGUMENT, "si", "word_value",
			      value);
}

size_t gaspdb_shmem_excluded(const int *status, size_t n)
{
	size_t excluded = 0;

	for (size_t i = 0; status && i < n; i++)
		excluded += status[i] != 0;
	return excluded;
}

void gaspdb_shmem_emit_polled(struct gaspdb_context *c, const int *status,
			      size_t n, size_t excluded)
{
	size_t i = 0, first;

	if (!excluded || excluded == n || !gaspdb_recording(c))
		return;
	for (int runs = 0; runs < RUNS_MAX; runs++) {
		while (i < n && status[i])
			i++;
		if (i == n)
			return;
		first = i;
		while (i < n && !status[i])
			i++;
		emit_run(c, first, i - 1);
	}
}

enum gaspdb_poll_mode
gaspdb_shmem_start_words(struct gaspdb_context *c,
			 const struct gaspdb_operation *op, const void *pc,
			 const int *status, size_t n_words, size_t excluded,
			 unsigned n, const uint64_t *args)
{
	uint64_t key[GASPDB_SHMEM_WORDS_ARGS + 1];
	enum gaspdb_poll_mode mode;

	memcpy(key, args, n * sizeof *args);
	key[n] = 0; /* beyond the layout: a hash of the polled words */
	for (size_t i = 0; excluded && i < n_words; i++)
		key[n] = key[n] * 31 + !status[i];
	mode = gaspdb_start_poll(c, GASPDB_POLL_TEST, op, pc, n + 1, key);
	if (mode == GASPDB_POLL_NEW) {
		gaspdb_shmem_emit_polled(c, status, n_words, excluded);
		gaspdb_poll_extend(c, mode);
	}
	return mode;
}

void gaspdb_shmem_emit_joined(struct gaspdb_context *c,
			      enum gaspdb_poll_mode mode, bool success,
			      const int *status, size_t n_words,
			      size_t excluded)
{
	if (mode == GASPDB_POLL_JOINS && success)
		gaspdb_shmem_emit_polled(c, status, n_words, excluded);
}

void gaspdb_shmem_emit_come(struct gaspdb_context *c, const size_t *indices,
			    size_t n, size_t n_indices)
{
	size_t i = 0, first;

	if (n_indices > n || !gaspdb_recording(c))
		return;
	for (int runs = 0; runs < RUNS_MAX && i < n_indices; runs++) {
		first = i++;
		while (i < n_indices && indices[i] == indices[i - 1] + 1)
			i++;
		emit_run(c, indices[first], indices[i - 1]);
	}
}
