/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streaming decoders, one per compression. Everything that can be decoded is
   returned before an error is. */
#include "importer/input/decoder.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "common/memory.h"

#define INPUT	  ((size_t)1 << 16)
#define XZ_BYTES  ((uint64_t)1 << 28) /* of memory; xz -9 needs 2^26 */
#define ZSTD_LOG2 27		      /* of a window's bytes; zstd -19: 23 */

/* Result of one step of decoding. */
enum result { MORE, STARVED, FILE_ENDS, DAMAGED, TOO_LARGE, NO_MEMORY };

struct format;

struct gaspdb_decoder {
	const struct format *format;
	gaspdb_decoder_fn more;
	void *user;
	bool over, input_over;
	const char *why;
	char reason[64]; /* storage of why */
	union {
		z_stream gzip;
		lzma_stream xz;
		bz_stream bzip2;
		ZSTD_DStream *zstd;
	} of;
	const uint8_t *at; /* next byte of input */
	size_t left;
	uint64_t offset; /* of the end of input, in the file */
	uint8_t input[INPUT];
};

/*
 * A compression. step decodes from the input to `to`, a buffer of *n bytes, and
 * sets *n to the number of bytes left free. again, called between concatenated
 * files, resets the decoder; NULL: step handles concatenation.
 */
struct format {
	const char *name, *magic;
	size_t n_magic;
	bool (*begin)(struct gaspdb_decoder *);
	enum result (*step)(struct gaspdb_decoder *, uint8_t *to, size_t *n);
	bool (*again)(struct gaspdb_decoder *);
	void (*end)(struct gaspdb_decoder *);
};

/* --- gzip ----------------------------------------------------------------- */

static bool begin_gzip(struct gaspdb_decoder *d)
{
	return inflateInit2(&d->of.gzip, 15 + 16) == Z_OK;
}

static enum result step_gzip(struct gaspdb_decoder *d, uint8_t *to, size_t *n)
{
	z_stream *z = &d->of.gzip;
	int r;

	z->next_in = (Bytef *)(uintptr_t)d->at;
	z->avail_in = (uInt)d->left;
	z->next_out = to;
	z->avail_out = (uInt)*n;
	r = inflate(z, Z_NO_FLUSH);
	d->at = z->next_in;
	d->left = z->avail_in;
	*n = z->avail_out;
	switch (r) {
	case Z_OK:
		return MORE;
	case Z_BUF_ERROR:
		return STARVED;
	case Z_STREAM_END:
		return FILE_ENDS;
	case Z_MEM_ERROR:
		return NO_MEMORY;
	default:
		return DAMAGED;
	}
}

static bool again_gzip(struct gaspdb_decoder *d)
{
	return inflateReset(&d->of.gzip) == Z_OK;
}

static void end_gzip(struct gaspdb_decoder *d)
{
	inflateEnd(&d->of.gzip);
}

/* --- xz ------------------------------------------------------------------- */

static bool begin_xz(struct gaspdb_decoder *d)
{
	return lzma_stream_decoder(&d->of.xz, XZ_BYTES, LZMA_CONCATENATED) ==
	       LZMA_OK;
}

static enum result step_xz(struct gaspdb_decoder *d, uint8_t *to, size_t *n)
{
	lzma_stream *x = &d->of.xz;
	lzma_ret r;

	x->next_in = d->at;
	x->avail_in = d->left;
	x->next_out = to;
	x->avail_out = *n;
	r = lzma_code(x, d->input_over ? LZMA_FINISH : LZMA_RUN);
	d->at = x->next_in;
	d->left = x->avail_in;
	*n = x->avail_out;
	switch (r) {
	case LZMA_OK:
		return MORE;
	case LZMA_BUF_ERROR:
		return STARVED;
	case LZMA_STREAM_END:
		return FILE_ENDS;
	case LZMA_MEMLIMIT_ERROR:
		return TOO_LARGE;
	case LZMA_MEM_ERROR:
		return NO_MEMORY;
	default:
		return DAMAGED;
	}
}

static void end_xz(struct gaspdb_decoder *d)
{
	lzma_end(&d->of.xz);
}

/* --- lzma and lzip -------------------------------------------------------- */

static bool begin_lzma(struct gaspdb_decoder *d)
{
	return lzma_alone_decoder(&d->of.xz, XZ_BYTES) == LZMA_OK;
}

#if LZMA_VERSION >= 50040002 /* 5.4.0 */
#define HAS_LZIP
static bool begin_lzip(struct gaspdb_decoder *d)
{
	return lzma_lzip_decoder(&d->of.xz, XZ_BYTES, 0) == LZMA_OK;
}
#endif

/* --- bzip2 ---------------------------------------------------------------- */

static bool begin_bzip2(struct gaspdb_decoder *d)
{
	return BZ2_bzDecompressInit(&d->of.bzip2, 0, 0) == BZ_OK;
}

static enum result step_bzip2(struct gaspdb_decoder *d, uint8_t *to, size_t *n)
{
	bz_stream *b = &d->of.bzip2;
	const size_t left = d->left, room = *n;
	int r;

	b->next_in = (char *)(uintptr_t)d->at;
	b->avail_in = (unsigned)d->left;
	b->next_out = (char *)to;
	b->avail_out = (unsigned)*n;
	r = BZ2_bzDecompress(b);
	d->at = (const uint8_t *)b->next_in;
	d->left = b->avail_in;
	*n = b->avail_out;
	switch (r) {
	case BZ_OK:
		return d->left == left && *n == room ? STARVED : MORE;
	case BZ_STREAM_END:
		return FILE_ENDS;
	case BZ_MEM_ERROR:
		return NO_MEMORY;
	default:
		return DAMAGED;
	}
}

static void end_bzip2(struct gaspdb_decoder *d)
{
	BZ2_bzDecompressEnd(&d->of.bzip2);
}

static bool again_bzip2(struct gaspdb_decoder *d)
{
	end_bzip2(d);
	d->of.bzip2 = (bz_stream){ 0 };
	return begin_bzip2(d);
}

/* --- zstd ----------------------------------------------------------------- */

static bool begin_zstd(struct gaspdb_decoder *d)
{
	d->of.zstd = ZSTD_createDStream();
	return d->of.zstd &&
	       !ZSTD_isError(ZSTD_DCtx_setParameter(
		       d->of.zstd, ZSTD_d_windowLogMax, ZSTD_LOG2));
}

static enum result step_zstd(struct gaspdb_decoder *d, uint8_t *to, size_t *n)
{
	ZSTD_inBuffer in = { d->at, d->left, 0 };
	ZSTD_outBuffer out = { to, *n, 0 };
	const size_t r = ZSTD_decompressStream(d->of.zstd, &out, &in);

	d->at += in.pos;
	d->left -= in.pos;
	*n -= out.pos;
	switch (ZSTD_getErrorCode(r)) {
	case ZSTD_error_no_error:
		break;
	case ZSTD_error_frameParameter_windowTooLarge:
		return TOO_LARGE;
	case ZSTD_error_memory_allocation:
		return NO_MEMORY;
	default:
		return DAMAGED;
	}
	if (r == 0)
		return FILE_ENDS;
	return in.pos || out.pos ? MORE : STARVED;
}

static void end_zstd(struct gaspdb_decoder *d)
{
	ZSTD_freeDStream(d->of.zstd);
}

/* --- formats -------------------------------------------------------------- */

/* lzma has no magic: its bytes here are the usual properties and the lower half
   of the window's size. libarchive decodes lz4. */
static const struct format formats[] = {
	{ "zstd", "\x28\xb5\x2f\xfd", 4, begin_zstd, step_zstd, NULL,
	  end_zstd },
	{ "gzip", "\x1f\x8b", 2, begin_gzip, step_gzip, again_gzip, end_gzip },
	{ "xz", "\xfd\x37zXZ\0", 6, begin_xz, step_xz, NULL, end_xz },
	{ "bzip2", "BZh", 3, begin_bzip2, step_bzip2, again_bzip2, end_bzip2 },
	{ "lzma", "\x5d\0\0", 3, begin_lzma, step_xz, begin_lzma, end_xz },
	{ "lz4", "\x04\x22\x4d\x18", 4, NULL, NULL, NULL, NULL },
#ifdef HAS_LZIP
	{ "lzip", "LZIP", 4, begin_lzip, step_xz, begin_lzip, end_xz },
#endif
};
static const struct format *const zstd = &formats[0];

/* A skippable frame, in which parallel compressors store sizes before zstd's
   data. */
static bool is_skippable(const uint8_t *head, size_t n)
{
	return n >= 4 && (head[0] & 0xf0) == 0x50 &&
	       !memcmp(head + 1, "\x2a\x4d\x18", 3);
}

static const struct format *format_of(const uint8_t *head, size_t n)
{
	if (is_skippable(head, n))
		return zstd;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (n >= formats[i].n_magic &&
		    !memcmp(head, formats[i].magic, formats[i].n_magic))
			return &formats[i];
	return NULL;
}

const char *gaspdb_decoder_format(const uint8_t *head, size_t n)
{
	const struct format *format = format_of(head, n);

	return format ? format->name : NULL;
}

static void stop(struct gaspdb_decoder *d, const char *why)
{
	d->over = true;
	if (!d->why)
		d->why = why;
}

/* Stops with an error: "the FORMAT data WHAT". */
static void stop_at(struct gaspdb_decoder *d, const char *what)
{
	snprintf(d->reason, sizeof d->reason, "the %s data %s", d->format->name,
		 what);
	stop(d, d->reason);
}

struct gaspdb_decoder *gaspdb_decoder_new(const uint8_t *head, size_t n_head,
					  gaspdb_decoder_fn more, void *user)
{
	const struct format *format = format_of(head, n_head);
	struct gaspdb_decoder *d;

	if (!format || !format->begin)
		return NULL;
	d = gaspdb_mem_alloc(sizeof *d);
	d->format = format;
	d->more = more;
	d->user = user;
	d->at = d->input;
	if (!format->begin(d))
		stop(d, "out of memory");
	d->left = n_head < INPUT ? n_head : INPUT;
	memcpy(d->input, head, d->left);
	d->offset = d->left;
	return d;
}

void gaspdb_decoder_free(struct gaspdb_decoder *d)
{
	if (!d)
		return;
	d->format->end(d);
	free(d);
}

uint64_t gaspdb_decoder_offset(const struct gaspdb_decoder *d)
{
	return d->offset - d->left;
}

static void refill(struct gaspdb_decoder *d)
{
	long n;

	if (d->left || d->input_over)
		return;
	n = d->more(d->user, d->input, INPUT);
	d->at = d->input;
	d->left = n > 0 ? (size_t)n : 0;
	d->offset += d->left;
	d->input_over = n <= 0;
	if (n < 0)
		d->why = "cannot read";
}

/* End of one compressed file. Another may follow; a decoder with `again`
   ignores other trailing bytes. */
static void end_file(struct gaspdb_decoder *d)
{
	const struct format *f = d->format;

	refill(d);
	if (!d->left || (f->again && *d->at != (uint8_t)*f->magic))
		stop(d, NULL);
	else if (f->again && !f->again(d))
		stop(d, "out of memory");
}

/* Decodes from the input to `to`; returns the number of bytes. */
static size_t step(struct gaspdb_decoder *d, uint8_t *to, size_t n)
{
	size_t left = n;

	switch (d->format->step(d, to, &left)) {
	case MORE:
		break;
	case STARVED:
		if (d->input_over)
			stop_at(d, "is cut");
		break;
	case FILE_ENDS:
		end_file(d);
		break;
	case DAMAGED:
		stop_at(d, "is damaged");
		break;
	case TOO_LARGE:
		stop_at(d, "needs too much memory");
		break;
	case NO_MEMORY:
		stop(d, "out of memory");
		break;
	}
	return n - left;
}

size_t gaspdb_decoder_read(struct gaspdb_decoder *d, uint8_t *to, size_t n,
			   const char **why)
{
	size_t got = 0;

	while (!got && !d->over) {
		refill(d);
		got = step(d, to, n);
	}
	*why = got ? NULL : d->why;
	return got;
}
