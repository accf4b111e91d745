/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting time per time bin, in arrays. The bins are those of tables bin and
 * thread_bin; the import bounds their number.
 */
#include "analysis/waits/wait_bins.h"

#include <stdlib.h>
#include <string.h>

#include "common/sum.h"
#include "sql/passes/waits.h"
#include "sql/store/table.h"

/* Limit of the bins of all threads, and of all kinds; above what an import
   creates. */
#define BINS_MAX ((int64_t)1 << 27)

void gaspdb_wait_bins_open(struct gaspdb_wait_bins *bins,
			   struct gaspdb_run *run)
{
	const int64_t last_ns = gaspdb_select_number(run, gaspdb_sql_run_end);

	*bins = (struct gaspdb_wait_bins){
		.run = run,
		.width_ns = gaspdb_select_number(run, gaspdb_sql_bin_width),
		.thread_width_ns = gaspdb_select_number(run, gaspdb_sql_thread_bin_width),
	};
	if (bins->width_ns <= 0 || bins->thread_width_ns <= 0 || last_ns < 0)
		return;
	bins->n = last_ns / bins->width_ns + 1;
	bins->n_thread = last_ns / bins->thread_width_ns + 1;
	if (bins->n > BINS_MAX / GASPDB_N_WAIT_KINDS ||
	    (run->n_threads && bins->n_thread > BINS_MAX / run->n_threads))
		return;
	bins->ns = gaspdb_zeroed(run,
				 (size_t)(bins->n * GASPDB_N_WAIT_KINDS +
					  bins->n_thread * run->n_threads),
				 sizeof *bins->ns);
}

/* Distribute interval [from, to) over n bins. */
static void distribute(int64_t *ns, int64_t n, int64_t width_ns, int64_t from,
		       int64_t to)
{
	from = gaspdb_max(from, 0);
	for (int64_t i = from / width_ns; i < n && i * width_ns < to; i++)
		gaspdb_add_to(&ns[i], gaspdb_min((i + 1) * width_ns, to) -
					      gaspdb_max(i * width_ns, from));
}

/* The bins of a kind. */
static int64_t *of_kind(const struct gaspdb_wait_bins *bins, int kind)
{
	return bins->ns + bins->n_thread * bins->run->n_threads +
	       bins->n * kind;
}

void gaspdb_wait_bins_add(struct gaspdb_wait_bins *bins,
			  const struct gaspdb_wait *wait)
{
	if (!bins->ns || !gaspdb_run_thread(bins->run, wait->thread))
		return;
	distribute(bins->ns + bins->n_thread * wait->thread, bins->n_thread,
		   bins->thread_width_ns, wait->start_ns, wait->end_ns);
	distribute(of_kind(bins, (int)wait->kind), bins->n, bins->width_ns,
		   wait->start_ns, wait->end_ns);
}

/* --- tables --------------------------------------------------------------- */

static void write_threads(struct gaspdb_wait_bins *bins)
{
	struct gaspdb_run *run = bins->run;
	struct gaspdb_table_writer *bulk = gaspdb_table_writer_open_keyed(
		&run->tables, GASPDB_KEYED_TABLE(thread_wait_bin), 0, NULL);

	for (int64_t t = 0; t < run->n_threads; t++)
		for (int64_t i = 0; i < bins->n_thread; i++) {
			const int64_t values[GASPDB_THREAD_WAIT_BIN_COLUMNS] = {
				[GASPDB_THREAD_WAIT_BIN_THREAD] = t,
				[GASPDB_THREAD_WAIT_BIN_START] =
					i * bins->thread_width_ns,
				[GASPDB_THREAD_WAIT_BIN_TIME] =
					bins->ns[t * bins->n_thread + i]
			};

			if (values[GASPDB_THREAD_WAIT_BIN_TIME])
				gaspdb_table_writer_add(bulk, values);
		}
}

static int by_name(const void *a, const void *b)
{
	const enum gaspdb_wait_kind *x = a, *y = b;

	return strcmp(gaspdb_wait_kind_name(*x), gaspdb_wait_kind_name(*y));
}

/* Within a bin, kinds are in the order of their names: the table's key. */
static void write_kinds(struct gaspdb_wait_bins *bins)
{
	enum gaspdb_wait_kind kinds[GASPDB_N_WAIT_KINDS];
	struct gaspdb_table_writer *bulk = gaspdb_table_writer_open_keyed(
		&bins->run->tables, GASPDB_KEYED_TABLE(wait_bin),
		GASPDB_WAIT_BIN_KIND, gaspdb_wait_kind_names());

	for (int i = 0; i < GASPDB_N_WAIT_KINDS; i++)
		kinds[i] = (enum gaspdb_wait_kind)i;
	qsort(kinds, GASPDB_N_WAIT_KINDS, sizeof *kinds, by_name);
	for (int64_t i = 0; i < bins->n; i++)
		for (int k = 0; k < GASPDB_N_WAIT_KINDS; k++) {
			const int64_t values[GASPDB_WAIT_BIN_COLUMNS] = {
				[GASPDB_WAIT_BIN_START] = i * bins->width_ns,
				[GASPDB_WAIT_BIN_KIND] = kinds[k],
				[GASPDB_WAIT_BIN_TIME] =
					of_kind(bins, kinds[k])[i]
			};

			if (values[GASPDB_WAIT_BIN_TIME])
				gaspdb_table_writer_add(bulk, values);
		}
}

void gaspdb_wait_bins_close(struct gaspdb_wait_bins *bins)
{
	if (bins->ns) {
		write_threads(bins);
		write_kinds(bins);
	}
	free(bins->ns);
}
