/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input and output of unpacking: bytes for libarchive, and the spool. */
#include "importer/input/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "common/temporary_file.h"
#include "importer/log/utf8.h"

#define PIECE	     4096u /* unit in which zeros are detected */
#define CPIO_END_MAX 128   /* bytes of the end mark's header */

/* --- bytes in ------------------------------------------------------------- */

/* Compressed bytes of the file, or of the outer archive's entry. */
static long read_bytes(void *user, uint8_t *to, size_t n)
{
	struct gaspdb_unpack *u = user;
	ssize_t got;

	if (gaspdb_interrupted || u->stopped)
		return -1;
	if (u->outer)
		return archive_read_data(u->outer->a, to, n);
	do
		got = read(u->fd, to, n);
	while (got < 0 && errno == EINTR && !gaspdb_interrupted);
	u->n_in += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Fills the chunk, because a pipe may return single bytes. An entry is read
   once: a second read could lose the error of the first. */
la_ssize_t gaspdb_unpack_chunk(struct gaspdb_unpack *u)
{
	size_t n = 0;
	long got;

	do {
		got = read_bytes(u, u->chunk + n, GASPDB_CHUNK - n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && n < GASPDB_CHUNK && !u->outer);
	return n ? (la_ssize_t)n : got;
}

size_t gaspdb_unpack_at(const struct gaspdb_unpack *u, uint8_t *to, size_t n,
			uint64_t at)
{
	size_t done = 0;
	ssize_t got;

	while (done < n) {
		got = pread(u->fd, to + done, n - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR && !gaspdb_interrupted)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* --- bytes out ------------------------------------------------------------ */

/* Offset in the archive. */
static uint64_t offset_of(const struct gaspdb_unpack *u)
{
	la_int64_t n;

	if (u->decoder)
		return gaspdb_decoder_offset(u->decoder);
	n = archive_filter_bytes(u->a, -1);
	return u->begin + (n > 0 ? (uint64_t)n : 0);
}

/* Adds the bytes read and unpacked since the last call to the input's sums. */
static void count(struct gaspdb_unpack *u)
{
	la_int64_t out = archive_filter_bytes(u->a, 0);
	uint64_t n_in = u->seekable ? u->size : u->n_in;
	uint64_t n_out = out > 0 ? (uint64_t)out : 0;

	n_out = n_out > u->given ? n_out : u->given;
	n_out -= u->zeros < n_out ? u->zeros : n_out;
	n_out += u->zeros / GASPDB_UNPACK_ZEROS;
	if (n_in > u->counted_in) {
		u->in->packed += n_in - u->counted_in;
		u->counted_in = n_in;
	}
	if (n_out > u->counted_out) {
		u->in->unpacked += n_out - u->counted_out;
		u->counted_out = n_out;
	}
	if (u->options->progress && !u->outer)
		u->options->progress(u->options->user, "unpacking",
				     offset_of(u), u->size);
}

enum gaspdb_status gaspdb_unpack_stop(struct gaspdb_unpack *u)
{
	u->stopped = true;
	if (u->outer)
		u->outer->stopped = true;
	return GASPDB_FAILED;
}

enum gaspdb_status gaspdb_unpack_check(struct gaspdb_unpack *u)
{
	uint64_t limit = u->options->unpack_max;

	count(u);
	if (gaspdb_interrupted) {
		gaspdb_fail(u->err, GASPDB_FAILED, "interrupted");
		return gaspdb_unpack_stop(u);
	}
	if (!limit)
		limit = u->in->packed > GASPDB_UNPACK_FREE / GASPDB_UNPACK_RATIO
				? u->in->packed * GASPDB_UNPACK_RATIO
				: GASPDB_UNPACK_FREE;
	if (u->in->unpacked <= limit)
		return GASPDB_OK;
	gaspdb_fail(u->err, GASPDB_FAILED,
		    "'%.100s' unpacks to more than %" PRIu64
		    " bytes, at entry '%.200s'; --unpack-limit=SIZE allows "
		    "more",
		    u->label, limit, u->entry ? u->entry : "(none)");
	return gaspdb_unpack_stop(u);
}

/* --- callbacks of libarchive ---------------------------------------------- */

static bool is_zero(const uint8_t *p, size_t n)
{
	return !*p && !memcmp(p, p + 1, n - 1);
}

/* Limits the zeros that may follow the end mark. Returns n, or -1. */
static la_ssize_t pass_zeros(struct gaspdb_unpack *u, size_t n)
{
	if (u->entry || !n || !is_zero(u->chunk, n)) {
		u->gap = 0;
		return (la_ssize_t)n;
	}
	u->zeros += n;
	u->gap += n;
	if (u->gap <= GASPDB_UNPACK_FREE)
		return (la_ssize_t)n;
	archive_set_error(u->a, EIO,
			  "more than 1 GiB of zeros: nothing is looked for "
			  "behind them");
	return -1;
}

static la_ssize_t feed_decoded(struct gaspdb_unpack *u)
{
	const char *why;
	size_t n =
		gaspdb_decoder_read(u->decoder, u->chunk, GASPDB_CHUNK, &why);

	u->ended = n == 0;
	if (!why)
		return pass_zeros(u, n);
	u->undecoded = why;
	archive_set_error(u->a, EIO, "%s", why);
	return -1;
}

static la_ssize_t feed(struct archive *a, void *user, const void **buffer)
{
	struct gaspdb_unpack *u = user;
	la_ssize_t n = (la_ssize_t)u->n_head;

	*buffer = u->chunk;
	/* libarchive may read on without returning an entry, in zeros and
	   headers. */
	if (gaspdb_unpack_check(u)) {
		archive_set_error(a, EIO, "%s", u->err->msg);
		return -1;
	}
	if (u->decoder)
		return feed_decoded(u);
	u->n_head = 0;
	if (n == 0)
		n = gaspdb_unpack_chunk(u);
	if (n < 0)
		archive_set_error(a, u->outer ? EIO : errno, "cannot read");
	u->ended = n == 0;
	return n > 0 ? pass_zeros(u, (size_t)n) : n;
}

static la_int64_t feed_seek(struct archive *a, void *user, la_int64_t offset,
			    int whence)
{
	struct gaspdb_unpack *u = user;
	off_t at = lseek(u->fd, (off_t)offset, whence);

	u->n_head = 0;
	/* Beyond the end of a truncated file: its end. */
	if (at > (off_t)u->size) {
		at = lseek(u->fd, (off_t)u->size, SEEK_SET);
		u->ended = true;
	}
	if (at < 0) {
		archive_set_error(a, errno, "cannot seek");
		return ARCHIVE_FATAL;
	}
	return at;
}

/* --- the spool ------------------------------------------------------------ */

enum gaspdb_status gaspdb_unpack_write(struct gaspdb_unpack *u, int fd,
				       const uint8_t *p, size_t n, uint64_t at)
{
	while (n) {
		ssize_t done = pwrite(fd, p, n, (off_t)at);

		if (done < 0 && errno == EINTR && !gaspdb_interrupted)
			continue;
		if (done <= 0) {
			gaspdb_fail_errno(u->err,
					  "cannot write a temporary file in "
					  "'%s'",
					  u->options->spool);
			return gaspdb_unpack_stop(u);
		}
		p += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
	return GASPDB_OK;
}

int gaspdb_unpack_temporary(struct gaspdb_unpack *u)
{
	static const char name[] = "/.gaspdb-spool";
	const char *folder = u->options->spool;
	char *path = gaspdb_mem_alloc(strlen(folder) + sizeof name);
	int fd;

	strcpy(path, folder);
	strcat(path, name);
	fd = gaspdb_temporary_file_open(path);
	free(path);
	if (fd < 0)
		gaspdb_fail_errno(
			u->err, "cannot make a temporary file in '%s'", folder);
	return fd;
}

static enum gaspdb_status open_spool(struct gaspdb_unpack *u)
{
	if (u->in->spool < 0)
		u->in->spool = gaspdb_unpack_temporary(u);
	return u->in->spool < 0 ? gaspdb_unpack_stop(u) : GASPDB_OK;
}

static enum gaspdb_status write_spool(struct gaspdb_unpack *u, const uint8_t *p,
				      size_t n, uint64_t at)
{
	return gaspdb_unpack_write(u, u->in->spool, p, n, at);
}

/* Pages of zeros are not written: they become holes of the spool. */
enum gaspdb_status gaspdb_unpack_keep(struct gaspdb_unpack *u, const uint8_t *p,
				      size_t n, uint64_t at)
{
	enum gaspdb_status status = open_spool(u);
	size_t from = 0, i = 0;

	while (i < n && !status) {
		size_t piece = n - i < PIECE ? n - i : PIECE;

		if (!is_zero(p + i, piece)) {
			i += piece;
			continue;
		}
		status = write_spool(u, p + from, i - from, at + from);
		u->zeros += piece;
		from = i += piece;
	}
	return status ? status : write_spool(u, p + from, n - from, at + from);
}

/* --- through a pipe ------------------------------------------------------- */

enum gaspdb_status gaspdb_unpack_settle(struct gaspdb_unpack *u)
{
	la_ssize_t n = (la_ssize_t)u->n_head;
	uint64_t size = 0;
	int fd = gaspdb_unpack_temporary(u);

	while (fd >= 0 && n > 0) {
		if (gaspdb_unpack_write(u, fd, u->chunk, (size_t)n, size))
			break;
		size += (uint64_t)n;
		n = gaspdb_unpack_chunk(u);
	}
	if (fd < 0 || n) {
		if (n < 0)
			gaspdb_fail_errno(u->err, "cannot read '%s'", u->label);
		if (fd >= 0)
			close(fd);
		return gaspdb_unpack_stop(u);
	}
	u->fd = fd;
	u->owns_fd = u->seekable = true;
	u->size = size;
	n = gaspdb_unpack_chunk(u);
	u->n_head = n > 0 ? (size_t)n : 0;
	return GASPDB_OK;
}

/* --- defects -------------------------------------------------------------- */

void gaspdb_unpack_emit(struct gaspdb_unpack *u, enum gaspdb_quality_kind kind,
			const char *what)
{
	char detail[600];

	if (u->entry)
		snprintf(detail, sizeof detail, "entry '%.300s': %.250s",
			 u->entry, what);
	else
		snprintf(detail, sizeof detail, "%.500s", what);
	/* Some of libarchive's messages end in a newline. */
	detail[strcspn(detail, "\n")] = 0;
	gaspdb_utf8_repair(detail, strlen(detail));
	gaspdb_defect_add(u->quality, kind,
			  &(struct gaspdb_defect){ .file = u->label,
						   .offset = offset_of(u),
						   .detail = detail });
}

const char *gaspdb_unpack_why(const struct gaspdb_unpack *u)
{
	const char *why = archive_error_string(u->a);

	if (why)
		return why;
	return u->ended ? "it is cut" : "it cannot be read";
}

void gaspdb_unpack_skipped(struct gaspdb_unpack *u, const char *why)
{
	if (!*u->why)
		snprintf(u->why, sizeof u->why, "%s", why);
	gaspdb_unpack_emit(u, GASPDB_QUALITY_ENTRY_SKIPPED, why);
}

void gaspdb_unpack_damage(struct gaspdb_unpack *u, int r)
{
	const char *why = gaspdb_unpack_why(u);

	if (!*u->why)
		snprintf(u->why, sizeof u->why, "%.*s, at byte %" PRIu64,
			 (int)strcspn(why, "\n"), why, offset_of(u));
	if (!u->stopped && !u->dead)
		gaspdb_unpack_emit(u, GASPDB_QUALITY_ARCHIVE_DAMAGED, why);
	u->dead |= r == ARCHIVE_FATAL;
}

/*
 * Reports entries that may be missing at the archive's end. A tar file without
 * its end mark may have been cut between two entries. libarchive searches for
 * the end mark of a cpio file as for any header, and may skip unreadable
 * entries before it.
 */
void gaspdb_unpack_end(struct gaspdb_unpack *u)
{
	const int format = archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK;
	const la_int64_t n = archive_filter_bytes(u->a, 0) -
			     archive_read_header_position(u->a);

	if (format == ARCHIVE_FORMAT_TAR && n == 0)
		gaspdb_unpack_emit(u, GASPDB_QUALITY_ARCHIVE_DAMAGED,
				   "it ends without an end-of-archive mark: "
				   "entries may be missing");
	if (format == ARCHIVE_FORMAT_CPIO && n > CPIO_END_MAX)
		gaspdb_unpack_emit(u, GASPDB_QUALITY_ARCHIVE_DAMAGED,
				   "no header before its end mark can be read: "
				   "entries may be missing");
	if (format == ARCHIVE_FORMAT_ZIP)
		gaspdb_zip_check(u);
}

/* Reports entries of a cpio file that libarchive skipped. Its other warnings
   are about characters of names. */
void gaspdb_unpack_resync(struct gaspdb_unpack *u)
{
	if (!strncmp(gaspdb_unpack_why(u), "Skipped ", 8))
		gaspdb_unpack_damage(u, ARCHIVE_WARN);
}

enum gaspdb_status gaspdb_unpack_nothing(struct gaspdb_unpack *u)
{
	const uint64_t n_in = u->seekable ? u->size : u->n_in;
	char cut[64] = "";

	if (u->known) {
		gaspdb_fail(u->err, GASPDB_FAILED, "'%s' is %s",
			    u->options->path, u->known);
		return gaspdb_unpack_stop(u);
	}
	if (n_in < 512) /* the smallest archive */
		snprintf(cut, sizeof cut,
			 ", or it is cut: it has only %" PRIu64 " bytes", n_in);
	gaspdb_fail(u->err, GASPDB_FAILED,
		    "'%s' is neither a run directory, nor an archive of one, "
		    "nor a log%s",
		    u->options->path, cut);
	return gaspdb_unpack_stop(u);
}

/* --- libarchive ----------------------------------------------------------- */

/* Is it a tar file, even with a damaged first header? */
static bool is_tar(const struct gaspdb_unpack *u)
{
	return !u->packed && u->n_head >= 512 &&
	       !memcmp(u->chunk + 257, "ustar", 5);
}

static void set_archives(struct gaspdb_unpack *u)
{
	archive_read_support_format_tar(u->a);
	/* Another archive may follow the end mark (tar -A, cat). */
	archive_read_set_format_option(u->a, "tar",
				       "read_concatenated_archives", "1");
	if (is_tar(u))
		archive_read_set_format(u->a, ARCHIVE_FORMAT_TAR);
	archive_read_support_format_cpio(u->a);
	if (gaspdb_seven_begins(u) && !u->known)
		gaspdb_seven_set(u);
	archive_read_support_format_zip(u->a);
}

/* Enables the formats, and the one compression found. */
static void set_formats(struct gaspdb_unpack *u, bool single)
{
	u->decoder = gaspdb_decoder_new(u->chunk, u->n_head, read_bytes, u);
	u->packed = gaspdb_decoder_format(u->chunk, u->n_head) != NULL;
	if (!single)
		set_archives(u);
	if (single || u->packed)
		archive_read_support_format_raw(u->a);
	if (u->packed && !u->decoder)
		archive_read_append_filter(u->a, ARCHIVE_FILTER_LZ4);
	archive_read_set_read_callback(u->a, feed);
	if (u->seekable && !u->packed && !u->begin)
		archive_read_set_seek_callback(u->a, feed_seek);
	archive_read_set_callback_data(u->a, u);
}

enum gaspdb_status gaspdb_unpack_head(struct gaspdb_unpack *u)
{
	la_ssize_t n;
	struct stat st;

	u->chunk = gaspdb_mem_alloc(GASPDB_CHUNK);
	if (!u->outer && !fstat(u->fd, &st) && S_ISREG(st.st_mode)) {
		u->seekable = true;
		u->size = (uint64_t)st.st_size;
	}
	n = gaspdb_unpack_chunk(u);
	if (n < 0 && gaspdb_interrupted) {
		gaspdb_fail(u->err, GASPDB_FAILED, "interrupted");
		return gaspdb_unpack_stop(u);
	}
	if (n < 0 && u->outer)
		return gaspdb_fail(u->err, GASPDB_DAMAGED, "%s",
				   gaspdb_unpack_why(u->outer));
	if (n < 0)
		return gaspdb_fail_errno(u->err, "cannot read '%s'", u->label);
	u->n_head = (size_t)n;
	u->known = gaspdb_unpack_known(u->chunk, u->n_head);
	if (!u->known)
		u->known = gaspdb_seven_why_not(u);
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_unpack_open(struct gaspdb_unpack *u, bool single)
{
	u->a = archive_read_new();
	if (!u->a) {
		gaspdb_fail(u->err, GASPDB_FAILED, "out of memory");
		return gaspdb_unpack_stop(u);
	}
	set_formats(u, single);
	if (archive_read_open1(u->a) == ARCHIVE_OK)
		return GASPDB_OK;
	if (single)
		return gaspdb_fail(u->err, GASPDB_DAMAGED, "%s",
				   gaspdb_unpack_why(u));
	if (!u->packed)
		return gaspdb_unpack_nothing(u);
	/* Of data that end early libarchive may say that it knows no such
	   format. */
	return gaspdb_fail(u->err, GASPDB_DAMAGED, "cannot read '%s': %s",
			   u->options->path,
			   u->undecoded ? u->undecoded : gaspdb_unpack_why(u));
}

void gaspdb_unpack_hand_over(struct gaspdb_unpack *to,
			     struct gaspdb_unpack *from)
{
	gaspdb_names_free(&to->paths);
	free(to->seen);
	to->paths = from->paths;
	to->seen = from->seen;
	to->seen_capacity = from->seen_capacity;
	memset(&from->paths, 0, sizeof from->paths);
	from->seen = NULL;
	from->seen_capacity = 0;
}

void gaspdb_unpack_close(struct gaspdb_unpack *u)
{
	archive_read_free(u->a);
	gaspdb_seven_end(u);
	gaspdb_decoder_free(u->decoder);
	gaspdb_names_free(&u->paths);
	if (u->owns_fd)
		close(u->fd);
	free(u->seen);
	free(u->chunk);
}
