/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of PROFILE blocks: see cells.h. */
#include "importer/profile/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"
#include "common/size_class.h"

void gaspdb_cells_clear(struct gaspdb_cells *c)
{
	c->any = c->has_first = false;
	c->first = c->last = c->events = c->lost = c->from = 0;
	c->unkept = c->tool = c->off = c->off_since = 0;
	c->n_nodes = c->n_traffic = 0;
	c->top = GASPDB_ABSENT;
	c->n_torn = c->torn_offset = c->n_bad = c->losses = 0;
	gaspdb_map_clear(&c->blocks);
	gaspdb_map_clear(&c->index);
}

void gaspdb_cells_free(struct gaspdb_cells *c)
{
	free(c->node);
	free(c->traffic);
	gaspdb_map_free(&c->blocks);
	gaspdb_map_free(&c->index);
	memset(c, 0, sizeof *c);
}

/* --- numbers -------------------------------------------------------------- */

/* Numbers of a block, in its log's byte order. */
struct numbers {
	enum gaspdb_byte_order order;
	const uint8_t *p;
};

static struct numbers numbers_of(const struct gaspdb_reader *rd)
{
	return (struct numbers){ rd->header.order, rd->cells.at };
}

static struct numbers behind(struct numbers n, size_t bytes)
{
	return (struct numbers){ n.order, n.p + bytes };
}

static uint32_t u32(struct numbers n, size_t at)
{
	return (uint32_t)gaspdb_log_number(n.p + at, 4, n.order);
}

static uint64_t u64(struct numbers n, size_t at)
{
	return gaspdb_log_number(n.p + at, 8, n.order);
}

void gaspdb_cells_bad(struct gaspdb_cells *c, struct gaspdb_defects *q,
		      const struct gaspdb_log_file *log, uint64_t offset,
		      const char *detail)
{
	c->n_bad++;
	c->losses++;
	gaspdb_damage_profile(q, log, offset, detail);
}

/* Cuts a number to at most `most`; whether it was larger. */
static bool cut(uint64_t *n, uint64_t most)
{
	if (*n <= most)
		return false;
	*n = most;
	return true;
}

/* --- nodes ---------------------------------------------------------------- */

static const char *check_node(struct gaspdb_node *n)
{
	const char *what = NULL;
	bool contradicts;

	if (cut(&n->count, (uint64_t)GASPDB_BYTES_MAX))
		what = "a node of a profile with an impossible count";
	if (cut(&n->total, (uint64_t)INT64_MAX))
		what = "a node of a profile with an impossible time";
	if (cut(&n->bytes, (uint64_t)INT64_MAX))
		what = "a node of a profile with impossible bytes";
	if (cut(&n->carried_ticks, n->total))
		what = "a node of a profile whose times contradict each other";
	if (!n->count) {
		n->total = n->carried_ticks;
		n->least = n->most = 0;
	}
	/* Of a torn one these may be of another moment. An open call has
	   children already, and no time yet. */
	contradicts = cut(&n->most, n->total);
	contradicts |= cut(&n->least, n->most);
	contradicts |= cut(&n->child,
			   n->open ? (uint64_t)INT64_MAX : n->total);
	if (contradicts)
		what = n->torn ? what
			       : "a node of a profile whose times contradict "
				 "each other";
	if (!isfinite(n->squares) || n->squares < 0) {
		n->squares = 0;
		what = n->torn ? what
			       : "a node of a profile with an impossible sum "
				 "of squares";
	}
	return what;
}

static struct gaspdb_node node_of(struct numbers p, uint64_t offset)
{
	return (struct gaspdb_node){
		.parent = u32(p, GASPDB_NODE_PARENT),
		.site = u32(p, GASPDB_NODE_SITE),
		.torn = u32(p, GASPDB_CELL_SEQUENCE) & 1,
		.offset = offset,
		.count = u64(p, GASPDB_NODE_COUNT),
		.total = u64(p, GASPDB_NODE_TOTAL),
		.child = u64(p, GASPDB_NODE_CHILD),
		.least = u64(p, GASPDB_NODE_LEAST),
		.most = u64(p, GASPDB_NODE_MOST),
		.squares = gaspdb_log_real(p.p + GASPDB_NODE_SQUARES, p.order),
		.bytes = u64(p, GASPDB_NODE_BYTES),
		.open = u64(p, GASPDB_NODE_OPEN),
		.failed = u64(p, GASPDB_NODE_FAILED),
		.written = u64(p, GASPDB_NODE_WRITTEN),
		.carried = u64(p, GASPDB_NODE_CARRIED),
		.carried_ticks = u64(p, GASPDB_NODE_CARRIED_TICKS),
	};
}

static void take_node(struct gaspdb_cells *c, struct numbers p, uint32_t number,
		      uint64_t offset, struct gaspdb_defects *q,
		      const struct gaspdb_log_file *log)
{
	struct gaspdb_node n = node_of(p, offset);
	const char *what = check_node(&n);

	n.number = number;
	if (what)
		gaspdb_cells_bad(c, q, log, offset, what);
	if (n.torn && !c->n_torn++)
		c->torn_offset = offset;
	c->node = gaspdb_mem_grow(c->node, &c->node_capacity, c->n_nodes + 1,
				  sizeof *c->node);
	c->node[c->n_nodes++] = n;
}

/* --- traffic -------------------------------------------------------------- */

static void take_entry(struct gaspdb_cells *c, struct numbers p)
{
	const uint32_t way = u32(p, GASPDB_ENTRY_WAY);
	struct gaspdb_node_traffic t = {
		.node = u32(p, GASPDB_ENTRY_NODE),
		.peer = u32(p, GASPDB_ENTRY_PEER),
		.size_class = (int)u32(p, GASPDB_ENTRY_SIZE),
		.from_peer = way == 1,
		.count = u64(p, GASPDB_ENTRY_COUNT),
		.bytes = u64(p, GASPDB_ENTRY_MOVED),
		.ticks = u64(p, GASPDB_ENTRY_TICKS),
	};

	cut(&t.bytes, (uint64_t)INT64_MAX);
	cut(&t.ticks, (uint64_t)INT64_MAX);
	c->traffic = gaspdb_mem_grow(c->traffic, &c->traffic_capacity,
				     c->n_traffic + 1, sizeof *c->traffic);
	c->traffic[c->n_traffic++] = t;
}

static bool entry_possible(struct numbers p)
{
	return u32(p, GASPDB_ENTRY_SIZE) < GASPDB_SIZE_CLASSES &&
	       u32(p, GASPDB_ENTRY_WAY) <= 1 &&
	       u64(p, GASPDB_ENTRY_COUNT) <= (uint64_t)GASPDB_BYTES_MAX;
}

static void take_traffic(struct gaspdb_cells *c, struct numbers cell,
			 uint64_t offset, struct gaspdb_defects *q,
			 const struct gaspdb_log_file *log)
{
	struct numbers p = behind(cell, GASPDB_TRAFFIC_FIRST);

	if (u32(cell, GASPDB_CELL_SEQUENCE) & 1 && !c->n_torn++)
		c->torn_offset = offset;
	for (int i = 0; i < GASPDB_TRAFFIC_ENTRIES;
	     i++, p = behind(p, GASPDB_TRAFFIC_BYTES)) {
		if (!u32(p, GASPDB_ENTRY_NODE))
			continue;
		if (entry_possible(p))
			take_entry(c, p);
		else
			gaspdb_cells_bad(
				c, q, log, offset,
				"traffic of a profile with an impossible number");
	}
}

/* --- blocks --------------------------------------------------------------- */

static void take_cell(struct gaspdb_cells *c, struct numbers p, uint32_t number,
		      uint64_t offset, struct gaspdb_defects *q,
		      const struct gaspdb_log_file *log)
{
	switch (u32(p, GASPDB_CELL_KIND)) {
	case GASPDB_CELL_FREE: /* taken, and not filled when it was killed */
		break;
	case GASPDB_CELL_NODE:
		take_node(c, p, number, offset, q, log);
		break;
	case GASPDB_CELL_TRAFFIC:
		take_traffic(c, p, offset, q, log);
		break;
	default:
		gaspdb_cells_bad(c, q, log, offset,
				 "a cell of a profile of unknown kind");
	}
}

static void take_head(struct gaspdb_cells *c, struct numbers p, uint64_t offset)
{
	c->has_first = true;
	c->from_offset = offset + GASPDB_PB_FROM;
	c->first = u64(p, GASPDB_PB_FIRST);
	c->last = u64(p, GASPDB_PB_LAST);
	c->events = u64(p, GASPDB_PB_EVENTS);
	c->lost = u64(p, GASPDB_PB_LOST);
	c->unkept = u64(p, GASPDB_PB_UNKEPT);
	c->tool = u64(p, GASPDB_PB_TOOL);
	c->off = u64(p, GASPDB_PB_OFF);
	c->off_since = u64(p, GASPDB_PB_SINCE);
	c->from = u64(p, GASPDB_PB_FROM);
	cut(&c->events, (uint64_t)GASPDB_BYTES_MAX);
	cut(&c->lost, (uint64_t)GASPDB_BYTES_MAX);
	cut(&c->unkept, (uint64_t)GASPDB_BYTES_MAX);
}

bool gaspdb_cells_moments(const struct gaspdb_reader *rd, uint64_t *first,
			  uint64_t *last)
{
	const struct numbers p = numbers_of(rd);

	if (gaspdb_bytes_left(&rd->cells) < GASPDB_PB_BYTES ||
	    u32(p, GASPDB_PB_INDEX))
		return false;
	*first = u64(p, GASPDB_PB_FIRST);
	*last = u64(p, GASPDB_PB_LAST);
	return *first != 0;
}

/* The number of cells in use that are there. */
static uint32_t cells_in(struct gaspdb_cells *c, const struct gaspdb_reader *rd,
			 struct gaspdb_defects *q,
			 const struct gaspdb_log_file *log)
{
	const size_t there = (gaspdb_bytes_left(&rd->cells) - GASPDB_PB_BYTES) /
			     GASPDB_CELL_BYTES;
	const uint32_t used = u32(numbers_of(rd), GASPDB_PB_USED);

	if (used > GASPDB_CELLS_PER_BLOCK)
		gaspdb_cells_bad(
			c, q, log, rd->block.offset,
			"a profile block with more cells than it has room for");
	else if (used > there)
		gaspdb_cells_bad(c, q, log, rd->block.offset,
				 "a profile block is cut");
	return used < there ? used : (uint32_t)there;
}

void gaspdb_cells_block(struct gaspdb_cells *c, const struct gaspdb_reader *rd,
			struct gaspdb_defects *q,
			const struct gaspdb_log_file *log)
{
	const struct numbers p = numbers_of(rd);
	const uint64_t offset = rd->block.offset;
	uint32_t index, n;

	c->any = true;
	if (gaspdb_bytes_left(&rd->cells) < GASPDB_PB_BYTES) {
		gaspdb_cells_bad(c, q, log, offset, "a profile block is cut");
		return;
	}
	index = u32(p, GASPDB_PB_INDEX);
	if (index >= GASPDB_PROFILE_BLOCKS_MAX ||
	    gaspdb_map_get(&c->blocks, index) != GASPDB_ABSENT) {
		gaspdb_cells_bad(c, q, log, offset,
				 "a profile block with an impossible number");
		return;
	}
	gaspdb_map_put(&c->blocks, index, 0);
	if (index == 0)
		take_head(c, p, offset + rd->block.header_bytes);
	else if (u64(p, GASPDB_PB_FROM))
		gaspdb_cells_bad(
			c, q, log, offset,
			"a later block of a profile says when it began");
	n = cells_in(c, rd, q, log);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t at = GASPDB_PB_BYTES + i * GASPDB_CELL_BYTES;

		take_cell(c, behind(p, at),
			  index * GASPDB_CELLS_PER_BLOCK + i + 1,
			  offset + rd->block.header_bytes + at, q, log);
	}
}
