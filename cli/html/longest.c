/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest of many times. */
#include "cli/html/longest.h"

#include <stdlib.h>

#include "cli/html/chunk.h"
#include "cli/output/text.h"

struct gaspdb_longest gaspdb_longest_new(size_t most)
{
	return (struct gaspdb_longest){
		.list = gaspdb_memory_new(2 * most, sizeof(struct gaspdb_long)),
		.most = most,
	};
}

static int by_length(const void *a, const void *b)
{
	const struct gaspdb_long *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

static void cut(struct gaspdb_longest *l)
{
	qsort(l->list, l->n, sizeof *l->list, by_length);
	if (l->n < l->most)
		return;
	l->n = l->most;
	l->least_ns = l->list[l->n - 1].ns + 1;
}

void gaspdb_longest_add(struct gaspdb_longest *l, int64_t ns, int64_t id)
{
	if (ns < l->least_ns)
		return;
	if (l->n == 2 * l->most)
		cut(l);
	if (ns >= l->least_ns)
		l->list[l->n++] = (struct gaspdb_long){ ns, id };
}

void gaspdb_longest_insert(struct gaspdb_longest *l, struct gaspdb_report *r,
			   const char *sql)
{
	sqlite3_stmt *add = gaspdb_chunk_prepare(r, sql);

	cut(l);
	for (size_t i = 0; add && i < l->n; i++) {
		sqlite3_bind_int64(add, 1, l->list[i].id);
		sqlite3_step(add);
		sqlite3_reset(add);
	}
	sqlite3_finalize(add);
}
