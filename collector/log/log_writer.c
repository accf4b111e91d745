/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of a log: begin, seal, end. */
#include "collector/log/log_writer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/log/crc32c.h"

/* Least room of a new block. */
#define BLOCK_ROOM (16u << 10)
#define PAGE_BYTES 4096u /* at most the system's page size */

/* Stores v after all earlier stores, at once: bytes is 2 or 4, p a multiple of
   that. */
static void store_last(unsigned char *p, uint32_t v, int bytes)
{
	unsigned char le[4];
	uint32_t four;
	uint16_t two;

	gaspdb_put_le(le, v, bytes);
	if (bytes == 2) {
		memcpy(&two, le, sizeof two);
		__atomic_store_n((uint16_t *)(void *)p, two, __ATOMIC_RELEASE);
	} else {
		memcpy(&four, le, sizeof four);
		__atomic_store_n((uint32_t *)(void *)p, four, __ATOMIC_RELEASE);
	}
}

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
 * Begins the block at w->offset, in the window. sample: the clocks, at or
 * before the block's first event. reserve: bytes to leave at the window's end.
 */
static void begin_block(struct gaspdb_log_writer *w,
			const struct gaspdb_clock_sample *sample,
			size_t reserve)
{
	const struct gaspdb_log_file *f = &w->file;
	unsigned char *h = gaspdb_log_file_at(f, w->offset);
	size_t room = (size_t)(f->window + f->window_bytes - h) - reserve;

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
	/* Last: the magic makes the block exist. */
	store_last(h + GASPDB_BH_MAGIC, GASPDB_BLOCK_MAGIC, 4);
	w->last_ticks = sample->ticks;
	w->block = h;
	w->at = h + GASPDB_BH_BYTES;
	w->limit = h + room;
}

/*
 * Makes the open block's pages now, in the measured time of a block change, not
 * one by one during events.  Nothing is committed beyond w->at, so zeros may be
 * stored there.
 */
static void make_pages(const struct gaspdb_log_writer *w)
{
	unsigned char *first = w->at - ((uintptr_t)w->at & (PAGE_BYTES - 1));

	if (w->file.buffered)
		return;
#ifdef MADV_POPULATE_WRITE /* one system call for all, since Linux 5.14 */
	if (!madvise(first, (size_t)(w->limit - first), MADV_POPULATE_WRITE))
		return;
#endif
	for (unsigned char *p = w->at; p < w->limit; p += PAGE_BYTES)
		*(volatile unsigned char *)p = 0;
	if (w->limit > w->at)
		*(volatile unsigned char *)(w->limit - 1) = 0;
}

/* Seals the open block and returns its end.  It counts as open until its
   checksum is stored: the process can be killed in between. */
static uint64_t seal_block(struct gaspdb_log_writer *w,
			   enum gaspdb_block_type type)
{
	unsigned char h[GASPDB_BH_BYTES];
	uint32_t crc;

	memcpy(h, w->block, sizeof h);
	h[GASPDB_BH_TYPE] = (unsigned char)type;
	h[GASPDB_BH_SEALED] = 1;
	crc = gaspdb_crc32c(0, h, sizeof h);
	crc = gaspdb_crc32c(crc, w->block + sizeof h,
			    (size_t)(w->at - w->block) - sizeof h);
	gaspdb_put_le(w->block + GASPDB_BH_CRC, crc, 4);
	store_last(w->block + GASPDB_BH_TYPE, (uint32_t)type | 1u << 8, 2);
	return w->offset + (uint64_t)(w->at - w->block);
}

static void discard(struct gaspdb_log_writer *w, int folder)
{
	unlinkat(folder, gaspdb_log_file_name(w->file.path), 0);
	gaspdb_log_file_unmap(&w->file);
}

int gaspdb_log_writer_open(struct gaspdb_log_writer *w, int folder,
			   const char *path,
			   const struct gaspdb_log_identity *id)
{
	int error;

	memset(w, 0, offsetof(struct gaspdb_log_writer, file));
	error = gaspdb_log_file_create(&w->file, folder, path, id->max_bytes);
	if (error)
		return error;
	error = gaspdb_log_file_advance(&w->file, 0, BLOCK_ROOM);
	if (error) {
		discard(w, folder);
		return error;
	}
	put_header(w->file.window, id, w->file.buffered);
	w->offset = GASPDB_LH_BYTES;
	begin_block(w, gaspdb_clock_first(), GASPDB_RESERVE_BYTES);
	/* A process that is killed at once leaves at least this. */
	error = gaspdb_log_writer_flush(w);
	if (error)
		discard(w, folder);
	return error;
}

int gaspdb_log_writer_next(struct gaspdb_log_writer *w, size_t bytes)
{
	struct gaspdb_log_file *f = &w->file;
	struct gaspdb_clock_sample now = gaspdb_clock_sample();
	uint64_t end;
	int error;

	w->moving = true;
	end = seal_block(w, GASPDB_BLOCK_RECORDS);
	bytes += GASPDB_BH_BYTES;
	if (bytes < BLOCK_ROOM)
		bytes = BLOCK_ROOM;
	end = (end + 7) & ~(uint64_t)7;
	error = gaspdb_log_file_flush(f, end);
	if (!error)
		f->flushed = end;
	if (!error && end + bytes + GASPDB_RESERVE_BYTES >
			      f->window_offset + f->window_bytes)
		error = gaspdb_log_file_advance(f, end, bytes);
	w->offset = end;
	w->number++;
	begin_block(w, &now, error ? 0 : GASPDB_RESERVE_BYTES);
	if (!error)
		make_pages(w);
	w->moving = false;
	return error;
}

void gaspdb_log_writer_give_up(struct gaspdb_log_writer *w)
{
	const unsigned char *length = w->block + GASPDB_BH_LENGTH;
	uint32_t n = 0;

	for (int i = 0; i < 4; i++)
		n |= (uint32_t)length[i] << 8 * i;
	w->at = w->block + GASPDB_BH_BYTES + n;
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
