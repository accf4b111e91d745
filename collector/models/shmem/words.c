/* SPDX-License-Identifier: BSD-2-Clause */
/* Which words of an array a call looked at, or found changed, as the log has
   it: runs of indices. */
#include <string.h>

#include "collector/models/shmem/adapter.h"
#include "collector/log/log_format.h"

/* An event has room for so many in the database (events/README.md). */
#define RUNS_MAX 24
/* Those of a test of an array. */
#define GASPDB_SHMEM_WORDS_ARGS 6

static void tell_run(struct gaspdb_context *c, size_t first, size_t last)
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

size_t gaspdb_shmem_left_out(const int *status, size_t n)
{
	size_t left_out = 0;

	for (size_t i = 0; status && i < n; i++)
		left_out += status[i] != 0;
	return left_out;
}

void gaspdb_shmem_emit_looked(struct gaspdb_context *c, const int *status,
			      size_t n, size_t left_out)
{
	size_t i = 0, first;

	if (!left_out || left_out == n || !gaspdb_recording(c))
		return;
	for (int runs = 0; runs < RUNS_MAX; runs++) {
		while (i < n && status[i])
			i++;
		if (i == n)
			return;
		first = i;
		while (i < n && !status[i])
			i++;
		tell_run(c, first, i - 1);
	}
}

enum gaspdb_look_mode
gaspdb_shmem_start_words(struct gaspdb_context *c,
			 const struct gaspdb_operation *op, const void *pc,
			 const int *status, size_t n_words, size_t left_out,
			 unsigned n, const uint64_t *args)
{
	uint64_t told[GASPDB_SHMEM_WORDS_ARGS + 1];
	enum gaspdb_look_mode look;

	memcpy(told, args, n * sizeof *args);
	told[n] = 0; /* beyond the layout: which words */
	for (size_t i = 0; left_out && i < n_words; i++)
		told[n] = told[n] * 31 + !status[i];
	look = gaspdb_start_look(c, GASPDB_LOOK_TEST, op, pc, n + 1, told);
	if (look == GASPDB_LOOK_NEW) {
		gaspdb_shmem_emit_looked(c, status, n_words, left_out);
		gaspdb_look_told(c, look);
	}
	return look;
}

void gaspdb_shmem_emit_joined(struct gaspdb_context *c,
			      enum gaspdb_look_mode look, bool success,
			      const int *status, size_t n_words,
			      size_t left_out)
{
	if (look == GASPDB_LOOK_JOINS && success)
		gaspdb_shmem_emit_looked(c, status, n_words, left_out);
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
		tell_run(c, indices[first], indices[i - 1]);
	}
}
