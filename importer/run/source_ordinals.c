/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps in the numbers of a process's logs. Logs are numbered from 0; a number
   without a log and without a .failed file is a missing log. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/map.h"
#include "common/memory.h"
#include "importer/run/source_parts.h"

struct search {
	const struct gaspdb_source *s;
	struct gaspdb_defects *quality;
	struct gaspdb_names names; /* of all files, without suffixes */
	unsigned tries;		   /* left for checks of missing numbers */
};

/* "HOST-PID-N" of HOST-PID-N.gasplog and HOST-PID-N-ERRNO.failed. */
static void add_name(struct search *q, const char *name)
{
	const char *end = strcasestr(name, GASPDB_LOG_SUFFIX);

	if (!end)
		end = strrchr(name, '-');
	if (end)
		gaspdb_names_add(&q->names, name, (size_t)(end - name), NULL);
}

static void add_names(struct search *q, const struct gaspdb_input *in)
{
	for (size_t i = 0; i < in->n; i++)
		add_name(q, in->logs.file[in->first + i].name);
	for (size_t i = 0; i < in->others.n; i++)
		if (gaspdb_input_failed(in, &in->others.file[i]))
			add_name(q, in->others.file[i].name);
}

/* Writes the part of a log's name after the host. */
static size_t name_tail(char *to, size_t size,
			const struct gaspdb_log_file *log, uint32_t ordinal)
{
	size_t n = (size_t)snprintf(to, size, "-%" PRIu32 "-%" PRIu32,
				    log->header.pid, ordinal);

	if (log->program > 0)
		n += (size_t)snprintf(to + n, size - n, "-%" PRId64,
				      log->program);
	return n;
}

/* Is there a file for that number of the process? Its defect was reported. */
static bool has_file(struct search *q, const struct gaspdb_log_file *other,
		     uint32_t ordinal)
{
	const char *end = strcasestr(other->name, GASPDB_LOG_SUFFIX);
	char name[400], tail[64];
	size_t n_tail =
		name_tail(tail, sizeof tail, other, other->header.ordinal);
	size_t n = end ? (size_t)(end - other->name) : 0;

	if (n < n_tail || n - n_tail > sizeof name - sizeof tail ||
	    memcmp(end - n_tail, tail, n_tail))
		return false; /* another naming scheme */
	n -= n_tail;
	memcpy(name, other->name, n);
	n += name_tail(name + n, sizeof name - n, other, ordinal);
	return gaspdb_names_find(&q->names, name, n) != GASPDB_ABSENT;
}

/* Reports missing logs: numbers first to end - 1 of a process. */
static void miss(struct search *q, const struct gaspdb_log_file *log,
		 uint32_t first, uint32_t end)
{
	uint32_t n = end - first, found = 0;
	char detail[160];

	if (!q->names.n)
		add_names(q, q->s->input);
	for (uint32_t i = first; i < end && q->tries; i++, q->tries--)
		found += has_file(q, log, i);
	if (found == n)
		return;
	if (n == 1)
		snprintf(detail, sizeof detail,
			 "number %" PRIu32 " of process %" PRIu32
			 ", which has later ones",
			 first, log->header.pid);
	else
		snprintf(detail, sizeof detail,
			 "numbers %" PRIu32 " to %" PRIu32
			 " of process %" PRIu32 ", which has later ones",
			 first, end - 1, log->header.pid);
	gaspdb_defect_add(q->quality, GASPDB_QUALITY_LOG_MISSING,
			  &(struct gaspdb_defect){ .count = n - found,
						   .detail = detail });
}

/* Numbers in damaged headers are ignored. */
void gaspdb_source_note_ordinals(const struct gaspdb_source *s,
				 struct gaspdb_defects *quality)
{
	struct search q = { .s = s,
			    .quality = quality,
			    .tries = GASPDB_MISSING_MAX };
	uint32_t expected = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		const struct gaspdb_log_file *log = &s->logs[i];
		const uint32_t ordinal = log->header.ordinal;

		if (i == 0 || !gaspdb_same_process(log - 1, log))
			expected = 0;
		if (ordinal > expected && !log->header.damaged)
			miss(&q, log, expected, ordinal);
		if (ordinal >= expected && !log->header.damaged)
			expected = ordinal + 1;
	}
	gaspdb_names_free(&q.names);
}
