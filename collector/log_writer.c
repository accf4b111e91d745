/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks: beginning, sealing and ending them. */
#include "log_writer.h"

#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "crc32c.h"

/* A block is begun only where it has at least this much room. */
#define BLOCK_ROOM (16u << 10)

static void put_header(unsigned char *h, const struct gaspdb_log_identity *id,
		       bool buffered)
{
	memset(h, 0, GASPDB_LH_BYTES);
	memcpy(h + GASPDB_LH_MAGIC, GASPDB_LOG_MAGIC, 8);
	gaspdb_put_le(h + GASPDB_LH_MAJOR, GASPDB_LOG_MAJOR, 2);
	gaspdb_put_le(h + GASPDB_LH_MINOR, GASPDB_LOG_MINOR, 2);
	gaspdb_put_le(h + GASPDB_LH_SIZE, GASPDB_LH_BYTES, 4);
	gaspdb_put_le(h + GASPDB_LH_RUN, id->run, 8);
	gaspdb_put_le(h + GASPDB_LH_START_REAL, (uint64_t)id->start_real_ns, 8);
	gaspdb_put_le(h + GASPDB_LH_TICKS_HZ, id->ticks_hz, 8);
	gaspdb_put_le(h + GASPDB_LH_PID, id->pid, 4);
	gaspdb_put_le(h + GASPDB_LH_TID, id->tid, 4);
	gaspdb_put_le(h + GASPDB_LH_ORDINAL, id->ordinal, 4);
	gaspdb_put_le(h + GASPDB_LH_FLAGS, buffered ? GASPDB_LOG_BUFFERED : 0,
		      4);
	h[GASPDB_LH_CLOCK] = (unsigned char)gaspdb_clock_kind;
	gaspdb_put_le(h + GASPDB_LH_CRC, gaspdb_crc32c(0, h, GASPDB_LH_CRC), 4);
}

/*
 * The block at w->offset, which lies in the window, becomes the open one.
 * sample: the clocks, at or before the block's first event.
 */
static void begin_block(struct gaspdb_log_writer *w,
			const struct gaspdb_clock_sample *sample)
{
	const struct gaspdb_log_file *f = &w->file;
	unsigned char *h = gaspdb_log_file_at(f, w->offset);
	size_t room = (size_t)(f->window + f->window_bytes - h);

	if (room > GASPDB_BLOCK_MAX)
		room = GASPDB_BLOCK_MAX;
	memset(h, 0, GASPDB_BH_BYTES);
	h[GASPDB_BH_TYPE] = GASPDB_BLOCK_RECORDS;
	gaspdb_put_le(h + GASPDB_BH_SIZE, GASPDB_BH_BYTES, 2);
	gaspdb_put_le(h + GASPDB_BH_NUMBER, w->number, 8);
	gaspdb_put_le(h + GASPDB_BH_TICKS, sample->ticks, 8);
	gaspdb_put_le(h + GASPDB_BH_MONOTONIC, (uint64_t)sample->monotonic_ns,
		      8);
	gaspdb_put_le(h + GASPDB_BH_UNCERTAIN, sample->uncertainty_ns, 4);
	gaspdb_put_le(h + GASPDB_BH_LOST, w->lost, 4);
	/* Last: until the magic stands the block does not exist. */
	atomic_thread_fence(memory_order_release);
	gaspdb_put_le(h + GASPDB_BH_MAGIC, GASPDB_BLOCK_MAGIC, 4);
	w->last_ticks = sample->ticks;
	w->block = h;
	w->at = h + GASPDB_BH_BYTES;
	w->limit = h + room;
}

/* What stands in a sealed block no longer changes; returns its end. */
static uint64_t seal_block(struct gaspdb_log_writer *w,
			   enum gaspdb_block_type type)
{
	uint32_t crc;

	w->block[GASPDB_BH_TYPE] = (unsigned char)type;
	w->block[GASPDB_BH_SEALED] = 1;
	crc = gaspdb_crc32c(0, w->block, (size_t)(w->at - w->block));
	gaspdb_put_le(w->block + GASPDB_BH_CRC, crc, 4);
	return w->offset + (uint64_t)(w->at - w->block);
}

int gaspdb_log_writer_open(struct gaspdb_log_writer *w, const char *path,
			   const struct gaspdb_log_identity *id)
{
	int error;

	memset(w, 0, offsetof(struct gaspdb_log_writer, file));
	error = gaspdb_log_file_create(&w->file, path);
	if (error)
		return error;
	error = gaspdb_log_file_advance(&w->file, 0, GASPDB_WINDOW_BYTES);
	if (error) {
		unlink(path);
		return error;
	}
	put_header(w->file.window, id, w->file.buffered);
	w->offset = GASPDB_LH_BYTES;
	begin_block(w, gaspdb_clock_first());
	return 0;
}

int gaspdb_log_writer_next(struct gaspdb_log_writer *w, size_t bytes)
{
	const struct gaspdb_log_file *f = &w->file;
	struct gaspdb_clock_sample now = gaspdb_clock_sample();
	uint64_t end = seal_block(w, GASPDB_BLOCK_RECORDS);
	int error;

	bytes += GASPDB_BH_BYTES;
	if (bytes < BLOCK_ROOM)
		bytes = BLOCK_ROOM;
	w->limit = w->at;
	end = (end + 7) & ~(uint64_t)7;
	if (end + bytes > f->window_offset + f->window_bytes) {
		error = gaspdb_log_file_advance(&w->file, end, bytes);
		if (error)
			return error;
	}
	w->offset = end;
	w->number++;
	begin_block(w, &now);
	return 0;
}

int gaspdb_log_writer_close(struct gaspdb_log_writer *w)
{
	uint64_t end = seal_block(w, GASPDB_BLOCK_END);

	w->limit = w->at;
	return gaspdb_log_file_finish(&w->file, end);
}

int gaspdb_log_writer_flush(struct gaspdb_log_writer *w)
{
	return gaspdb_log_file_flush(&w->file,
				     w->offset + (uint64_t)(w->at - w->block));
}
