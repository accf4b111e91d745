/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever can be decoded is given; only then it is said what is wrong. */
#include "decoder.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "memory.h"

#define INPUT	 ((size_t)1 << 16)
#define XZ_BYTES ((uint64_t)1 << 28) /* of memory; xz -9 needs 2^26 */

struct gaspdb_decoder {
	gaspdb_decoder_fn more;
	void *user;
	bool is_xz, over, input_over;
	const char *why;
	z_stream gzip;
	lzma_stream xz;
	const uint8_t *at; /* in input */
	size_t left;
	uint64_t offset; /* of the input's end, in the file */
	uint8_t input[INPUT];
};

struct gaspdb_decoder *gaspdb_decoder_new(const uint8_t *head, size_t n_head,
					  gaspdb_decoder_fn more, void *user)
{
	const bool is_xz = n_head >= 6 && !memcmp(head,
						  "\xfd"
						  "7zXZ\0",
						  6);
	struct gaspdb_decoder *d;

	if (!is_xz && (n_head < 2 || memcmp(head, "\x1f\x8b", 2)))
		return NULL;
	d = gaspdb_mem_alloc(sizeof *d);
	d->more = more;
	d->user = user;
	d->is_xz = is_xz;
	d->at = d->input;
	if (is_xz ? lzma_stream_decoder(&d->xz, XZ_BYTES, LZMA_CONCATENATED) !=
			    LZMA_OK
		  : inflateInit2(&d->gzip, 15 + 16) != Z_OK) {
		d->over = true;
		d->why = "out of memory";
	}
	d->left = n_head < INPUT ? n_head : INPUT;
	memcpy(d->input, head, d->left);
	d->offset = d->left;
	return d;
}

void gaspdb_decoder_free(struct gaspdb_decoder *d)
{
	if (!d)
		return;
	inflateEnd(&d->gzip);
	lzma_end(&d->xz);
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

static void stop(struct gaspdb_decoder *d, const char *why)
{
	d->over = true;
	if (!d->why)
		d->why = why;
}

/* Files that were compressed one by one may follow each other. */
static void end_member(struct gaspdb_decoder *d)
{
	refill(d);
	if (d->left && *d->at == 0x1f)
		inflateReset(&d->gzip);
	else
		stop(d, NULL);
}

/* Decode from the input to to; returns the number of bytes. */
static size_t step_gzip(struct gaspdb_decoder *d, uint8_t *to, size_t n)
{
	z_stream *z = &d->gzip;
	int r;

	z->next_in = (Bytef *)(uintptr_t)d->at;
	z->avail_in = (uInt)d->left;
	z->next_out = to;
	z->avail_out = (uInt)n;
	r = inflate(z, Z_NO_FLUSH);
	d->at = z->next_in;
	d->left = z->avail_in;
	if (r == Z_STREAM_END)
		end_member(d);
	else if (r == Z_BUF_ERROR && d->input_over)
		stop(d, "the gzip data is cut");
	else if (r != Z_OK && r != Z_BUF_ERROR)
		stop(d, r == Z_MEM_ERROR ? "out of memory"
					 : "the gzip data is damaged");
	return n - z->avail_out;
}

static size_t step_xz(struct gaspdb_decoder *d, uint8_t *to, size_t n)
{
	lzma_stream *x = &d->xz;
	lzma_ret r;

	x->next_in = d->at;
	x->avail_in = d->left;
	x->next_out = to;
	x->avail_out = n;
	r = lzma_code(x, d->input_over ? LZMA_FINISH : LZMA_RUN);
	d->at = x->next_in;
	d->left = x->avail_in;
	if (r == LZMA_STREAM_END)
		stop(d, NULL);
	else if (r == LZMA_BUF_ERROR && d->input_over)
		stop(d, "the xz data is cut");
	else if (r == LZMA_MEMLIMIT_ERROR || r == LZMA_MEM_ERROR)
		stop(d, "the xz data needs too much memory");
	else if (r != LZMA_OK && r != LZMA_BUF_ERROR)
		stop(d, "the xz data is damaged");
	return n - x->avail_out;
}

size_t gaspdb_decoder_read(struct gaspdb_decoder *d, uint8_t *to, size_t n,
			   const char **why)
{
	size_t got = 0;

	while (!got && !d->over) {
		refill(d);
		got = d->is_xz ? step_xz(d, to, n) : step_gzip(d, to, n);
	}
	*why = got ? NULL : d->why;
	return got;
}
