/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of a log. A header is trusted only after its checksum, or for the open
   block its limits, have confirmed it. */
#include "importer/log/reader_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/log/crc32c.h"
#include "importer/log/header.h"

enum gaspdb_status gaspdb_reader_bytes(const struct gaspdb_reader *rd,
				       uint8_t *to, uint64_t offset, size_t n,
				       size_t *got, struct gaspdb_error *err)
{
	*got = 0;
	if (offset >= rd->size)
		return GASPDB_OK;
	if (n > rd->size - offset)
		n = (size_t)(rd->size - offset);
	if (rd->cache) {
		memcpy(to, rd->cache + offset, n);
		*got = n;
		return GASPDB_OK;
	}
	while (*got < n) {
		ssize_t done = pread(rd->fd, to + *got, n - *got,
				     (off_t)(rd->begin + offset + *got));

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			gaspdb_fail_errno(err, "cannot read");
			err->offset = offset + *got;
			return GASPDB_FAILED;
		}
		if (done == 0)
			break;
		*got += (size_t)done;
	}
	return GASPDB_OK;
}

/* --- the file's header ---------------------------------------------------- */

static void keep(struct gaspdb_reader *rd, uint8_t *cache)
{
	struct gaspdb_error ignored;
	size_t got;

	if (cache && rd->size <= GASPDB_CACHED_MAX &&
	    !gaspdb_reader_bytes(rd, cache, 0, (size_t)rd->size, &got,
				 &ignored) &&
	    got == rd->size)
		rd->cache = cache;
}

static enum gaspdb_status read_file_header(struct gaspdb_reader *rd,
					   struct gaspdb_error *err)
{
	uint8_t h[GASPDB_HEADER_READ];
	size_t got;
	enum gaspdb_status status =
		gaspdb_reader_bytes(rd, h, 0, sizeof h, &got, err);

	if (status)
		return status;
	if (gaspdb_log_header_unmade(h, got) && gaspdb_reader_zero_behind(rd)) {
		memset(&rd->header, 0, sizeof rd->header);
		rd->header.unmade = rd->over = true;
		rd->next = 0;
		return GASPDB_OK;
	}
	rd->header.unmade = false;
	return gaspdb_log_header_parse(&rd->header, h, got, &rd->next, err);
}

static void init(struct gaspdb_reader *rd, int fd)
{
	memset(rd, 0, offsetof(struct gaspdb_reader, buffer));
	rd->tries = GASPDB_RESYNC_MAX;
	rd->fd = fd;
}

enum gaspdb_status gaspdb_reader_open(struct gaspdb_reader *rd,
				      const char *path, uint8_t *cache,
				      struct gaspdb_error *err)
{
	enum gaspdb_status status = GASPDB_OK;
	struct stat st;

	/* Non-blocking: it could be a FIFO. */
	init(rd, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
	if (rd->fd < 0)
		return gaspdb_fail_errno(err, "cannot open");
	if (fstat(rd->fd, &st))
		status = gaspdb_fail_errno(err, "cannot look at it");
	else if (!S_ISREG(st.st_mode))
		status = gaspdb_fail(err, GASPDB_FAILED, "not a regular file");
	if (!status) {
		rd->size = (uint64_t)st.st_size;
		keep(rd, cache);
		status = read_file_header(rd, err);
	}
	if (status)
		gaspdb_reader_close(rd);
	return status;
}

enum gaspdb_status gaspdb_reader_open_part(struct gaspdb_reader *rd, int fd,
					   uint64_t begin, uint64_t size,
					   uint8_t *cache,
					   struct gaspdb_error *err)
{
	enum gaspdb_status status;

	init(rd, fd);
	rd->borrowed = true;
	rd->begin = begin;
	rd->size = size;
	keep(rd, cache);
	status = read_file_header(rd, err);
	if (status)
		gaspdb_reader_close(rd);
	return status;
}

void gaspdb_reader_close(struct gaspdb_reader *rd)
{
	if (rd->fd >= 0 && !rd->borrowed)
		close(rd->fd);
	rd->fd = -1;
}

void gaspdb_reader_seek(struct gaspdb_reader *rd, uint64_t offset,
			uint64_t number)
{
	rd->number = number;
	rd->next = offset;
	rd->whole = rd->cut = rd->over = rd->has_pending = false;
	rd->n_moved = 0;
	rd->resume = 0;
	rd->tries = GASPDB_RESYNC_MAX;
}

void gaspdb_reader_follow(struct gaspdb_reader *rd,
			  const struct gaspdb_reader *other)
{
	const int fd = rd->fd;
	const bool borrowed = rd->borrowed;

	memcpy(rd, other, offsetof(struct gaspdb_reader, buffer));
	rd->fd = fd;
	rd->borrowed = borrowed;
	rd->cache = NULL;
}

void gaspdb_reader_rewind(struct gaspdb_reader *rd)
{
	struct gaspdb_error ignored;

	gaspdb_reader_seek(rd, 0, 0);
	if (read_file_header(rd, &ignored))
		rd->over = true;
}

/* --- one block ------------------------------------------------------------ */

/* Number of bytes to read before the block's length is known. */
static size_t first_bytes(const struct gaspdb_reader *rd)
{
	return rd->headers_only ? GASPDB_BH_BYTES
	       : rd->longest	? rd->longest
				: GASPDB_BLOCK_MAX;
}

/* Reads the rest of a block, of which *got bytes are in the buffer. */
static enum gaspdb_status read_rest(struct gaspdb_reader *rd, uint64_t offset,
				    uint32_t bytes, size_t *got,
				    struct gaspdb_error *err)
{
	enum gaspdb_status status = GASPDB_OK;
	size_t more = 0;

	if (bytes > rd->longest)
		rd->longest = bytes;
	if (*got < bytes)
		status = gaspdb_reader_bytes(rd, rd->buffer + *got,
					     offset + *got, bytes - *got, &more,
					     err);
	*got += more;
	return status;
}

enum gaspdb_status gaspdb_reader_load(struct gaspdb_reader *rd, uint64_t offset,
				      struct gaspdb_block *b,
				      struct gaspdb_error *err)
{
	enum gaspdb_status status;
	size_t got, bytes;

	status = gaspdb_reader_bytes(rd, rd->buffer, offset, first_bytes(rd),
				     &got, err);
	if (status)
		return status;
	if (got < GASPDB_BH_BYTES)
		return GASPDB_EOF;
	if (!gaspdb_block_parse(rd, offset, b) ||
	    (rd->header_bytes && b->header_bytes != rd->header_bytes))
		return gaspdb_block_none(rd, err);
	bytes = (size_t)b->header_bytes + b->length;
	if (!rd->headers_only) {
		status = read_rest(rd, offset, (uint32_t)bytes, &got, err);
		if (status)
			return status;
	}
	b->cut = gaspdb_block_end(b) > rd->size;
	/* The checksum decides whether a block is sealed: the seal is written
	   first, and damage may clear it. */
	b->sealed = gaspdb_reader_number(rd, rd->buffer + GASPDB_BH_CRC, 4);
	rd->buffer[GASPDB_BH_SEALED] = b->sealed;
	if (b->sealed && !b->cut && !rd->headers_only) {
		if (got < bytes || !gaspdb_block_checksum_right(rd, bytes))
			return gaspdb_fail(err, GASPDB_DAMAGED,
					   "wrong checksum");
		rd->header_bytes = b->header_bytes;
	}
	if (!rd->headers_only) {
		rd->payload.at =
			rd->buffer +
			(got < b->header_bytes ? got : b->header_bytes);
		rd->payload.end = rd->buffer + (got < bytes ? got : bytes);
		rd->payload.ran_out = false;
		rd->last_site = 0;
	}
	return GASPDB_OK;
}

/* --- going on after damage ------------------------------------------------ */

/* Reports damage at offset, with err's reason. The next call returns the next
   good block. */
static enum gaspdb_status skip_damage(struct gaspdb_reader *rd, uint64_t offset,
				      struct gaspdb_error *err)
{
	struct gaspdb_block found;
	char why[64];

	snprintf(why, sizeof why, "%.60s", err->msg);
	rd->has_pending = gaspdb_reader_find(rd, offset + 8, &found);
	rd->over = !rd->has_pending;
	rd->pending = found;
	gaspdb_fail(err, GASPDB_DAMAGED, "%s; %" PRIu64 " bytes skipped", why,
		    (rd->over ? rd->size : found.offset) - offset);
	err->offset = offset;
	return GASPDB_DAMAGED;
}

/* --- blocks in order ------------------------------------------------------ */

static enum gaspdb_status give(struct gaspdb_reader *rd,
			       const struct gaspdb_block *b)
{
	rd->block = *b;
	rd->cells = (struct gaspdb_bytes){ 0 };
	if (b->type == GASPDB_BLOCK_PROFILE && !rd->headers_only) {
		rd->cells = rd->payload;
		rd->payload.at = rd->payload.end;
	}
	rd->number = b->number + 1;
	rd->next = gaspdb_align8(gaspdb_block_end(b));
	rd->whole = b->type == GASPDB_BLOCK_END && b->sealed && !b->cut;
	rd->cut |= b->cut;
	rd->over = b->cut;
	return GASPDB_OK;
}

/* Handles an offset without a block: a hole if a block follows, otherwise the
   log's end. */
static enum gaspdb_status unwritten(struct gaspdb_reader *rd, uint64_t offset,
				    struct gaspdb_error *err)
{
	struct gaspdb_block found;

	if (!gaspdb_reader_find(rd, offset + 8, &found)) {
		rd->over = true;
		return GASPDB_EOF;
	}
	rd->has_pending = true;
	rd->pending = found;
	gaspdb_fail(err, GASPDB_DAMAGED, "a hole of %" PRIu64 " bytes",
		    found.offset - offset);
	err->offset = offset;
	return GASPDB_DAMAGED;
}

/* Is the length of a block that reaches beyond the file wrong? Then other
   blocks follow. */
static bool length_wrong(struct gaspdb_reader *rd, const struct gaspdb_block *b)
{
	struct gaspdb_block other;

	return b->cut && gaspdb_reader_find(rd, b->offset + 8, &other);
}

/* Does this place follow an open block? Then it is what was being written when
   the process ended. */
static bool follows_open(const struct gaspdb_reader *rd)
{
	return rd->number > 0 && !rd->block.sealed;
}

/* Does the block in the buffer end at most 7 bytes before `at`? Its checksum
   decides. */
static bool ends_before(struct gaspdb_reader *rd, const struct gaspdb_block *b,
			size_t at)
{
	for (size_t end = at; end + 8 > at && end >= b->header_bytes; end--) {
		gaspdb_log_set_number(rd->buffer + GASPDB_BH_LENGTH,
				      end - b->header_bytes, 4,
				      rd->header.order);
		if (gaspdb_block_checksum_right(rd, end)) {
			rd->payload.end = rd->buffer + end;
			return true;
		}
	}
	return false;
}

/*
 * Cuts a block whose length reaches beyond the file at the first header within
 * it. If its checksum fits none, its payload is dropped when the next block's
 * header is among them.
 */
static void end_at_next(struct gaspdb_reader *rd, const struct gaspdb_block *b)
{
	const size_t n = (size_t)(rd->payload.end - rd->buffer);
	size_t at = (size_t)(gaspdb_align8(b->offset + b->header_bytes) -
			     b->offset);
	unsigned tries = 8;
	bool follows = false;

	for (; at + GASPDB_BH_BYTES <= n && tries; at += 8) {
		const uint8_t *h = rd->buffer + at;

		if (gaspdb_reader_number(rd, h, 4) != GASPDB_BLOCK_MAGIC)
			continue;
		if (ends_before(rd, b, at))
			return;
		follows |= gaspdb_reader_number(rd, h + GASPDB_BH_NUMBER, 8) ==
			   b->number + 1;
		tries--;
	}
	if (follows)
		rd->payload.end = rd->payload.at;
}

static enum gaspdb_status take(struct gaspdb_reader *rd, uint64_t offset,
			       struct gaspdb_error *err)
{
	struct gaspdb_block b;
	enum gaspdb_status status = gaspdb_reader_load(rd, offset, &b, err);

	if (status == GASPDB_EOF) {
		rd->cut = offset < rd->size && !rd->whole;
		rd->over = true;
		if (!rd->whole || offset == rd->size)
			return GASPDB_EOF;
		gaspdb_fail(err, GASPDB_DAMAGED, "%u bytes after the end block",
			    (unsigned)(rd->size - offset));
		err->offset = offset;
		return GASPDB_DAMAGED;
	}
	if (status == GASPDB_DAMAGED &&
	    (!gaspdb_le(rd->buffer, 4) || follows_open(rd)))
		return unwritten(rd, offset, err);
	if (!status && length_wrong(rd, &b))
		status = gaspdb_fail(err, GASPDB_DAMAGED, "wrong length");
	else if (!status && b.cut) /* the search overwrote the buffer */
		status = gaspdb_reader_load(rd, offset, &b, err);
	if (!status && b.cut && !rd->headers_only)
		end_at_next(rd, &b);
	if (!status && b.number < rd->number)
		status = gaspdb_fail(err, GASPDB_DAMAGED,
				     "block %" PRIu64 " again", b.number);
	if (status == GASPDB_DAMAGED)
		return skip_damage(rd, offset, err);
	return status ? status : give(rd, &b);
}

/* --- blocks out of order -------------------------------------------------- */

/* Is a sealed block of that number among the next ones? */
static bool find_moved(struct gaspdb_reader *rd, uint64_t number,
		       struct gaspdb_block *b)
{
	uint64_t at = rd->next;

	if (rd->n_moved == GASPDB_MOVED_MAX || rd->tries == 0)
		return false;
	rd->tries--;
	for (unsigned i = 0; i < GASPDB_MOVED_MAX; i++) {
		const bool headers_only = rd->headers_only;
		struct gaspdb_error ignored;
		enum gaspdb_status status;

		rd->headers_only = false;
		status = gaspdb_reader_load(rd, at, b, &ignored);
		rd->headers_only = headers_only;
		if (status || b->cut || !b->sealed)
			return false;
		if (b->number == number)
			return true;
		at = gaspdb_align8(gaspdb_block_end(b));
	}
	return false;
}

/* Handles a block with an unexpected number. If the expected one comes later,
   it is returned first. */
static enum gaspdb_status out_of_order(struct gaspdb_reader *rd,
				       uint64_t expected,
				       struct gaspdb_error *err)
{
	const struct gaspdb_block early = rd->block;
	struct gaspdb_block late;

	rd->pending = early;
	rd->has_pending = true;
	if (find_moved(rd, expected, &late)) {
		rd->pending = late;
		rd->resume = early.offset;
		rd->moved[rd->n_moved++] = (struct gaspdb_moved){
			late.offset, gaspdb_align8(gaspdb_block_end(&late))
		};
		rd->whole = false;
		gaspdb_fail(err, GASPDB_DAMAGED,
			    "block %" PRIu64 " stands after block %" PRIu64,
			    expected, early.number);
	} else {
		gaspdb_fail(err, GASPDB_DAMAGED,
			    "blocks %" PRIu64 " to %" PRIu64 " are missing",
			    expected, early.number - 1);
	}
	err->offset = early.offset;
	return GASPDB_DAMAGED;
}

/* Skips blocks that were returned before their turn. */
static void pass_moved(struct gaspdb_reader *rd)
{
	unsigned i = 0;

	while (i < rd->n_moved) {
		if (rd->moved[i].offset != rd->next) {
			i++;
			continue;
		}
		rd->next = rd->moved[i].next;
		i = 0;
	}
}

static enum gaspdb_status give_pending(struct gaspdb_reader *rd,
				       struct gaspdb_error *err)
{
	struct gaspdb_block b;
	enum gaspdb_status status =
		gaspdb_reader_load(rd, rd->pending.offset, &b, err);

	rd->has_pending = false;
	if (status)
		return status;
	if (b.cut && !rd->headers_only)
		end_at_next(rd, &b);
	give(rd, &b);
	if (rd->resume)
		rd->next = rd->resume;
	rd->resume = 0;
	return GASPDB_OK;
}

/* Is the previous block open though another follows? A writer seals a block
   before it begins the next, so its contents are unproven. Those of profiles
   are open to the log's end. */
static bool is_open_before(const struct gaspdb_block *last,
			   const struct gaspdb_block *next)
{
	return !last->sealed && last->type != GASPDB_BLOCK_PROFILE &&
	       last->number + 1 == next->number &&
	       gaspdb_align8(gaspdb_block_end(last)) == next->offset;
}

static enum gaspdb_status not_sealed(struct gaspdb_reader *rd,
				     const struct gaspdb_block *last,
				     struct gaspdb_error *err)
{
	rd->pending = rd->block;
	rd->has_pending = true;
	gaspdb_fail(err, GASPDB_DAMAGED, "block %" PRIu64 " was not sealed",
		    last->number);
	err->offset = last->offset;
	return GASPDB_DAMAGED;
}

bool gaspdb_reader_at_end(const struct gaspdb_reader *rd)
{
	return rd->whole && !rd->has_pending && rd->next >= rd->size;
}

static enum gaspdb_status next_block(struct gaspdb_reader *rd,
				     struct gaspdb_error *err)
{
	const uint64_t expected = rd->number;
	struct gaspdb_block last;
	enum gaspdb_status status;

	if (rd->has_pending)
		return give_pending(rd, err);
	if (rd->over)
		return GASPDB_EOF;
	pass_moved(rd);
	if (gaspdb_reader_at_end(rd))
		return GASPDB_EOF;
	last = rd->block;
	status = take(rd, rd->next, err);
	if (status)
		return status;
	if (rd->block.number != expected)
		return out_of_order(rd, expected, err);
	return is_open_before(&last, &rd->block) ? not_sealed(rd, &last, err)
						 : GASPDB_OK;
}

static bool is_wanted(const struct gaspdb_reader *rd)
{
	return rd->block.type == GASPDB_BLOCK_RECORDS ||
	       rd->block.type == GASPDB_BLOCK_END ||
	       (rd->block.type == GASPDB_BLOCK_PROFILE && rd->profiles);
}

/* Block types of later minor versions are skipped. */
enum gaspdb_status gaspdb_reader_block(struct gaspdb_reader *rd,
				       struct gaspdb_error *err)
{
	enum gaspdb_status status;

	do
		status = next_block(rd, err);
	while (!status && !is_wanted(rd));
	return status;
}
