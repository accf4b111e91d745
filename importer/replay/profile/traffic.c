/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traffic of a profile by peer, and its operations by size. */
#include "importer/replay/profile/parts.h"

#include "common/memory.h"
#include "common/sum.h"

enum { COLLECTIVE = GASPDB_SEND + 1 }; /* in table size_total */

static bool is_collective(enum gaspdb_optype type)
{
	return type >= GASPDB_OPTYPE_broadcast &&
	       type <= GASPDB_OPTYPE_neighbor;
}

/* The direction as table traffic has it, or COLLECTIVE; false: none. */
static bool direction_of(enum gaspdb_optype type, bool from_peer, int *to)
{
	switch (type) {
	case GASPDB_OPTYPE_get:
	case GASPDB_OPTYPE_get_nb:
		*to = GASPDB_GET;
		return true;
	case GASPDB_OPTYPE_put:
	case GASPDB_OPTYPE_put_nb:
		*to = GASPDB_PUT;
		return true;
	case GASPDB_OPTYPE_atomic:
	case GASPDB_OPTYPE_atomic_fetch:
		*to = GASPDB_ATOMIC;
		return true;
	case GASPDB_OPTYPE_copy:
	case GASPDB_OPTYPE_copy_nb:
		*to = from_peer ? GASPDB_GET : GASPDB_PUT;
		return true;
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
	case GASPDB_OPTYPE_send_receive:
	case GASPDB_OPTYPE_start: /* of persistent requests */
		*to = GASPDB_SEND;
		return !from_peer;
	default:
		*to = COLLECTIVE;
		return is_collective(type) && !from_peer;
	}
}

static void add_size(struct gaspdb_importer *im,
		     const struct gaspdb_node_traffic *t, int direction)
{
	struct gaspdb_sizes *s =
		&im->reading.profile.sizes[direction][t->size_class];

	gaspdb_add_to(&s->operations, (int64_t)t->count);
	gaspdb_add_to(&s->bytes, gaspdb_number(t->bytes));
}

static const char *direction_name(int direction)
{
	return direction == COLLECTIVE ? "collective"
				       : gaspdb_directions[direction];
}

static void insert_size(struct gaspdb_importer *im, int direction, int class,
			const struct gaspdb_sizes *s)
{
	gaspdb_insert_text(im->store, GASPDB_INSERT_size_total,
			   (int64_t[]){ im->reading.id, 0,
					gaspdb_class_from(class), s->operations,
					s->bytes },
			   1, direction_name(direction));
}

/* Keeps a row until those of events are known. */
static void keep_size(struct gaspdb_importer *im, int direction, int class,
		      const struct gaspdb_sizes *s)
{
	im->kept_sizes.row = gaspdb_mem_grow(
		im->kept_sizes.row, &im->kept_sizes.capacity,
		im->kept_sizes.n + 1, sizeof *im->kept_sizes.row);
	im->kept_sizes.row[im->kept_sizes.n++] = (struct gaspdb_kept_size){
		.thread = im->reading.id,
		.from_bytes = gaspdb_class_from(class),
		.direction = direction_name(direction),
		.sizes = *s,
		.is_rest = im->reading.is_rest
	};
}

/* Writes the thread's rows of table size_total. */
static void write_sizes(struct gaspdb_importer *im)
{
	for (int d = 0; d <= COLLECTIVE; d++)
		for (int c = 0; c < GASPDB_SIZE_CLASSES; c++) {
			const struct gaspdb_sizes *s =
				&im->reading.profile.sizes[d][c];

			if (s->operations)
				(im->reading.traced ? keep_size
						    : insert_size)(im, d, c, s);
		}
}

static void add_traffic(struct gaspdb_importer *im,
			const struct gaspdb_node_traffic *t)
{
	const uint32_t i = gaspdb_map_get(&im->cells.index, t->node);
	const struct gaspdb_node *n =
		i == GASPDB_ABSENT ? NULL : &im->cells.node[i];
	int direction;

	if (!n || !n->operation || n->nested ||
	    !direction_of(n->operation->type, t->from_peer, &direction))
		return;
	/* A send without a peer is one to MPI_PROC_NULL. */
	if (direction != GASPDB_SEND || t->peer != GASPDB_NO_PEER)
		add_size(im, t, direction);
	if (t->peer == GASPDB_NO_PEER || direction == COLLECTIVE)
		return;
	gaspdb_traffic_summed(
		&im->rollups,
		&(struct gaspdb_traffic){
			.peer = gaspdb_thread_of_rank(&im->source, t->peer),
			.source = n->source,
			.direction = (enum gaspdb_direction)direction,
			.size_class = t->size_class,
			.operations = (int64_t)t->count,
			.bytes = gaspdb_number(t->bytes),
			.time_ns = gaspdb_replay_length(im, t->ticks) });
}

void gaspdb_profile_traffic(struct gaspdb_importer *im)
{
	for (size_t i = 0; i < im->cells.n_traffic; i++)
		add_traffic(im, &im->cells.traffic[i]);
	write_sizes(im);
}
