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

/* Stores v after all earlier stores, at once; p is a multiple of 4. */
static void store_last(unsigned char *p, uint32_t v)
{
	__atomic_store_n((uint32_t *)(void *)p, v, __ATOMIC_RELEASE);
}

/* Stores a block's type and its seal, the same way. */
static void store_seal(unsigned char *h, enum gaspdb_block_type type)
{
	const unsigned char two[2] = { (unsigned char)type, 1 };
	uint16_t v;

	memcpy(&v, two, sizeof v);
	__atomic_store_n((uint16_t *)(void *)(h + GASPDB_BH_TYPE), v,
			 __ATOMIC_RELEASE);
}

static void put_header(unsigned char *h, const struct gaspdb_log_identity *id,
		       bool buffered)
{
	memset(h, 0, GASPDB_LH_BYTES);
	memcpy(h + GASPDB_LH_MAGIC, GASPDB_LOG_MAGIC, 8);
	gaspdb_put_u16(h + GASPDB_LH_MAJOR, GASPDB_LOG_MAJOR);
	gaspdb_put_u16(h + GASPDB_LH_MINOR, GASPDB_LOG_MINOR);
	gaspdb_put_u32(h + GASPDB_LH_SIZE, GASPDB_LH_BYTES);
	gaspdb_put_u64(h + GASPDB_LH_RUN, id->run);
	gaspdb_put_u64(h + GASPDB_LH_START_REAL, (uint64_t)id->start_real_ns);
	gaspdb_put_u64(h + GASPDB_LH_TICKS_HZ, id->ticks_hz);
	gaspdb_put_u32(h + GASPDB_LH_PID, id->pid);
	gaspdb_put_u32(h + GASPDB_LH_TID, id->tid);
	gaspdb_put_u32(h + GASPDB_LH_ORDINAL, id->ordinal);
	gaspdb_put_u32(h + GASPDB_LH_FLAGS, buffered ? GASPDB_LOG_BUFFERED : 0);
	h[GASPDB_LH_CLOCK] = (unsigned char)gaspdb_clock_kind;
	gaspdb_put_u32(h + GASPDB_LH_CRC, gaspdb_crc32c(0, h, GASPDB_LH_CRC));
}

/* Puts the header of a block with payload bytes.  Its magic, which makes it
   exist, is last. */
static void put_block_header(const struct gaspdb_log_writer *w,
			     unsigned char *h, enum gaspdb_block_type type,
			     const struct gaspdb_clock_sample *sample,
			     size_t payload)
{
	memset(h, 0, GASPDB_BH_BYTES);
	h[GASPDB_BH_TYPE] = (unsigned char)type;
	gaspdb_put_u16(h + GASPDB_BH_SIZE, GASPDB_BH_BYTES);
	gaspdb_put_u32(h + GASPDB_BH_LENGTH, (uint32_t)payload);
	gaspdb_put_u64(h + GASPDB_BH_NUMBER, w->number);
	gaspdb_put_u64(h + GASPDB_BH_TICKS, sample->ticks);
	gaspdb_put_u64(h + GASPDB_BH_MONOTONIC, (uint64_t)sample->monotonic_ns);
	gaspdb_put_u32(h + GASPDB_BH_UNCERTAIN, sample->uncertainty_ns);
	gaspdb_put_u32(h + GASPDB_BH_LOST, w->lost);
	store_last(h + GASPDB_BH_MAGIC, GASPDB_BLOCK_MAGIC);
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
	put_block_header(w, h, GASPDB_BLOCK_RECORDS, sample, 0);
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

/* Seals the block at b, of n bytes.  It counts as open until its checksum is
   stored: the process can be killed in between. */
static void seal(unsigned char *b, size_t n, enum gaspdb_block_type type)
{
	unsigned char h[GASPDB_BH_BYTES];
	uint32_t crc;

	memcpy(h, b, sizeof h);
	h[GASPDB_BH_TYPE] = (unsigned char)type;
	h[GASPDB_BH_SEALED] = 1;
	crc = gaspdb_crc32c(0, h, sizeof h);
	crc = gaspdb_crc32c(crc, b + sizeof h, n - sizeof h);
	gaspdb_put_u32(b + GASPDB_BH_CRC, crc);
	store_seal(b, type);
}

/* Seals the open block and returns its end. */
static uint64_t seal_block(struct gaspdb_log_writer *w,
			   enum gaspdb_block_type type)
{
	seal(w->block, (size_t)(w->at - w->block), type);
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

/* Seals the open block, and writes it out; *end: where the next one begins. */
static int finish_block(struct gaspdb_log_writer *w, uint64_t *end)
{
	int error;

	*end = (seal_block(w, GASPDB_BLOCK_RECORDS) + 7) & ~(uint64_t)7;
	error = gaspdb_log_file_flush(&w->file, *end);
	if (!error)
		w->file.flushed = *end;
	return error;
}

int gaspdb_log_writer_next(struct gaspdb_log_writer *w, size_t bytes)
{
	struct gaspdb_log_file *f = &w->file;
	struct gaspdb_clock_sample now = gaspdb_clock_sample();
	uint64_t end;
	int error;

	w->moving = true;
	bytes += GASPDB_BH_BYTES;
	if (bytes < BLOCK_ROOM)
		bytes = BLOCK_ROOM;
	error = finish_block(w, &end);
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

/* --- profile blocks ------------------------------------------------------- */

/* Offset of a profile block that follows the open block. */
static uint64_t profile_offset(const struct gaspdb_log_writer *w)
{
	return (w->offset + (uint64_t)(w->at - w->block) + GASPDB_CELL_BYTES -
		1) &
	       ~(uint64_t)(GASPDB_CELL_BYTES - 1);
}

/* Fills the open block up to offset with a PADDING record, if it ends more than
   a block's alignment before. */
static void put_padding(struct gaspdb_log_writer *w, uint64_t offset)
{
	const size_t n =
		(size_t)(offset - w->offset) - (size_t)(w->at - w->block);

	if (n < 8)
		return;
	memset(w->at, 0, n);
	w->at[0] = GASPDB_PHASE_OTHER | GASPDB_RECORD_PADDING << 2;
	w->at[1] = (unsigned char)(n - 2);
	gaspdb_log_writer_commit(w, w->at + n);
}

/* Seals the open block, and moves the window to offset, beyond the new profile
   block. */
static int pass_profile(struct gaspdb_log_writer *w, uint64_t offset)
{
	struct gaspdb_log_file *f = &w->file;
	uint64_t end;
	int error = finish_block(w, &end);

	if (error)
		return error;
	f->flushed = offset;
	if (offset + BLOCK_ROOM + GASPDB_RESERVE_BYTES <=
	    f->window_offset + f->window_bytes)
		return 0;
	error = gaspdb_log_file_advance(f, offset, BLOCK_ROOM);
	if (error)
		f->flushed = end;
	return error;
}

int gaspdb_log_writer_profile(struct gaspdb_log_writer *w,
			      struct gaspdb_profile_block *b, bool *begun)
{
	const struct gaspdb_clock_sample now = gaspdb_clock_sample();
	const uint64_t offset = profile_offset(w);
	int error;

	*begun = false;
	error = gaspdb_log_file_map(&w->file, offset, GASPDB_PROFILE_BYTES,
				    BLOCK_ROOM + GASPDB_RESERVE_BYTES, &b->map);
	if (error)
		return error;
	*begun = w->moving = true;
	b->offset = offset;
	put_padding(w, offset);
	error = pass_profile(w, offset + GASPDB_PROFILE_BYTES);
	w->number++;
	w->offset = offset;
	if (!error) {
		gaspdb_put_u64(b->map.at + GASPDB_BH_BYTES + GASPDB_PB_FROM,
			       b->from);
		put_block_header(w, b->map.at, GASPDB_BLOCK_PROFILE, &now,
				 GASPDB_PROFILE_BYTES - GASPDB_BH_BYTES);
		w->number++;
		w->offset += GASPDB_PROFILE_BYTES;
	} else {
		munmap(b->map.pages, b->map.bytes);
	}
	begin_block(w, &now, error ? 0 : GASPDB_RESERVE_BYTES);
	if (!error)
		make_pages(w);
	w->moving = false;
	return error;
}

void gaspdb_profile_block_seal(struct gaspdb_profile_block *b)
{
	seal(b->map.at, GASPDB_PROFILE_BYTES, GASPDB_BLOCK_PROFILE);
}

/* --- the end -------------------------------------------------------------- */

void gaspdb_log_writer_give_up(struct gaspdb_log_writer *w)
{
	uint32_t n;

	memcpy(&n, w->block + GASPDB_BH_LENGTH, sizeof n);
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
