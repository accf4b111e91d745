/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring buffer of recent holds, with the older ones in a spool file. A long wait
   reads the file backwards hold by hold, so a read loads READ of them. */
#include "analysis/locks/history.h"

#include <stdlib.h>

#include "analysis/rows/spool.h"

enum { RECENT = 4096, READ = 512 };

typedef struct gaspdb_lock_history history;

static bool make_room(history *h)
{
	if (!h->recent)
		h->recent =
			gaspdb_zeroed(h->run, RECENT + READ, sizeof *h->recent);
	return h->recent;
}

static void put_away(history *h, const struct gaspdb_hold *hold)
{
	if (!h->spool)
		h->spool = gaspdb_spool_open(h->run);
	if (h->n == RECENT && h->spool)
		h->offset = gaspdb_spool_bytes(h->spool);
	if (h->spool)
		gaspdb_spool_write(h->run, h->spool, hold, sizeof *hold);
}

void gaspdb_lock_history_add(history *h, const struct gaspdb_hold *hold)
{
	struct gaspdb_hold *place;

	if (!make_room(h))
		return;
	place = &h->recent[h->n % RECENT];
	if (h->n >= RECENT)
		put_away(h, place);
	*place = *hold;
	h->n++;
}

/* Read the READ holds of the file that include number i. */
static bool read_around(history *h, size_t i)
{
	const size_t from = i - i % READ, rest = h->n - RECENT - from;
	const size_t n = rest < READ ? rest : READ;

	gaspdb_spool_rewind(h->run, h->spool);
	h->from = h->until = from;
	if (!gaspdb_spool_read_at(h->run, h->spool,
				  h->offset +
					  (int64_t)(from * sizeof *h->recent),
				  h->recent + RECENT, n * sizeof *h->recent))
		return false;
	h->until += n;
	return true;
}

const struct gaspdb_hold *gaspdb_lock_history_get(history *h, size_t i)
{
	if (h->run->status != GASPDB_OK)
		return NULL;
	if (i + RECENT >= h->n)
		return &h->recent[i % RECENT];
	if ((i < h->from || i >= h->until) && !read_around(h, i))
		return NULL;
	return &h->recent[RECENT + i - h->from];
}

void gaspdb_lock_history_clear(history *h)
{
	h->n = h->from = h->until = 0;
}

void gaspdb_lock_history_free(history *h)
{
	gaspdb_spool_close(h->spool);
	free(h->recent);
}
