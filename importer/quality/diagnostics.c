/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of diagnostics: "FILE (WORD R): KIND at byte N (COUNT): WHAT; and M
   more" */
#include "importer/quality/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "sql/sql.h"

enum { LINE_BYTES = 1024 };

/* The message: a loss's own detail; otherwise the kind's summary with the
   detail. */
static void print_what(char *to, size_t size, enum gaspdb_quality_kind kind,
		       const char *detail)
{
	const char *summary = gaspdb_quality[kind].summary;

	if (!detail)
		snprintf(to, size, "%s", summary);
	else if (gaspdb_quality_is_loss(kind))
		snprintf(to, size, "%s", detail);
	else
		snprintf(to, size, "%s: %s", summary, detail);
}

/* " (rank 3)", with the word of the model. */
static void print_whose(char *to, size_t size, int64_t rank, const char *model)
{
	char *word = model ? gaspdb_model_word(model) : NULL;

	snprintf(to, size, " (%.20s %" PRId64 ")", word ? word : "rank", rank);
	free(word);
}

static void print_line(char line[LINE_BYTES], enum gaspdb_quality_kind kind,
		       int64_t rank, const char *model,
		       const struct gaspdb_defect *d)
{
	char whose[48] = "", at[48] = "", count[32] = "", what[600];

	if (d->file && rank != GASPDB_NULL)
		print_whose(whose, sizeof whose, rank, model);
	if (d->file && d->offset)
		snprintf(at, sizeof at, " at byte %" PRIu64, d->offset);
	if (d->count > 1)
		snprintf(count, sizeof count, " (%" PRIu64 ")", d->count);
	print_what(what, sizeof what, kind, d->detail);
	snprintf(line, LINE_BYTES, "%.250s%s%s%s%s%s: %s",
		 d->file ? d->file : "", whose, d->file ? ": " : "",
		 gaspdb_quality[kind].kind, at, count, what);
}

void gaspdb_diagnostics_add(struct gaspdb_diagnostics *diagnostics,
			    enum gaspdb_quality_kind kind, int64_t rank,
			    const char *model, const struct gaspdb_defect *d)
{
	char line[LINE_BYTES];
	unsigned *n = &diagnostics->kind[kind].n;

	if (gaspdb_quality_is_note(kind))
		return;
	diagnostics->losses += gaspdb_quality_is_loss(kind);
	if (*n < GASPDB_DIAGNOSTICS_OF_KIND)
		print_line(line, kind, rank, model, d);
	/* A line equal to the last one, as threads may share it, is not
	   repeated. */
	if (*n == GASPDB_DIAGNOSTICS_OF_KIND ||
	    (*n && !strcmp(diagnostics->kind[kind].line[*n - 1], line))) {
		diagnostics->kind[kind].more += d->count ? d->count : 1;
		return;
	}
	diagnostics->kind[kind].line[*n] = gaspdb_mem_alloc(strlen(line) + 1);
	strcpy(diagnostics->kind[kind].line[*n], line);
	if ((*n)++ == 0)
		diagnostics->order[diagnostics->n_kinds++] = kind;
}

/* The first loss; "": none. */
static const char *first_loss(const struct gaspdb_diagnostics *diagnostics)
{
	for (unsigned i = 0; i < diagnostics->n_kinds; i++)
		if (gaspdb_quality_is_loss(diagnostics->order[i]))
			return diagnostics->kind[diagnostics->order[i]].line[0];
	return "";
}

enum gaspdb_status
gaspdb_diagnostics_empty(const struct gaspdb_diagnostics *diagnostics,
			 const char *run, const char *not_seen, uint64_t masked,
			 struct gaspdb_error *err)
{
	const char *reason = not_seen ? not_seen : "";
	char masked_out[100];

	if (!*reason)
		reason = first_loss(diagnostics);
	if (!*reason && masked) {
		snprintf(masked_out, sizeof masked_out,
			 "the masks (--only, --except, --filter) kept all "
			 "%" PRIu64 " out",
			 masked);
		reason = masked_out;
	}
	return gaspdb_fail(err, GASPDB_FAILED, "'%s' holds no events%s%s", run,
			   *reason ? ": " : "", reason);
}

static void print_kind(const struct gaspdb_diagnostics *diagnostics,
		       enum gaspdb_quality_kind kind,
		       void (*print)(const char *text))
{
	const unsigned n = diagnostics->kind[kind].n;
	char last[LINE_BYTES + 48];

	for (unsigned i = 0; i + 1 < n; i++)
		print(diagnostics->kind[kind].line[i]);
	snprintf(last, sizeof last, "%s", diagnostics->kind[kind].line[n - 1]);
	if (diagnostics->kind[kind].more)
		snprintf(last + strlen(last), 48, "; and %" PRIu64 " more",
			 diagnostics->kind[kind].more);
	print(last);
}

void gaspdb_diagnostics_each(const struct gaspdb_diagnostics *diagnostics,
			     void (*print)(const char *text))
{
	for (int losses = 1; losses >= 0; losses--)
		for (unsigned i = 0; i < diagnostics->n_kinds; i++)
			if (gaspdb_quality_is_loss(diagnostics->order[i]) ==
			    losses)
				print_kind(diagnostics, diagnostics->order[i],
					   print);
}

void gaspdb_diagnostics_free(struct gaspdb_diagnostics *diagnostics)
{
	for (int i = 0; i < GASPDB_N_QUALITY; i++)
		for (unsigned k = 0; k < diagnostics->kind[i].n; k++)
			free(diagnostics->kind[i].line[k]);
	memset(diagnostics, 0, sizeof *diagnostics);
}
