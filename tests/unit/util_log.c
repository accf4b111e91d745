/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs for tests: bytes, blocks, events. */
#include "tests/unit/util_log_parts.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- bytes ---------------------------------------------------------------- */

/* Appends n bytes at *end; the memory grows by doubling. */
static void append(unsigned char **to, size_t *end, size_t *room,
		   const void *bytes, size_t n)
{
	if (*end + n > *room) {
		*room = 2 * (*end + n);
		*to = realloc(*to, *room);
		assert_non_null(*to);
	}
	if (n)
		memcpy(*to + *end, bytes, n);
	*end += n;
}

void log_raw(struct log *l, const void *bytes, size_t n)
{
	append(&l->bytes, &l->n, &l->room, bytes, n);
}

void log_put_number(struct log *l, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		log_raw(l, &(unsigned char){ (unsigned char)(v >> 8 * i) }, 1);
}

static void set_number(struct log *l, size_t at, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		l->bytes[at + i] = (unsigned char)(v >> 8 * i);
}

void log_put_u(struct log *l, uint64_t v)
{
	do {
		log_put_number(l, (v & 127) | (v > 127 ? 128 : 0), 1);
		v >>= 7;
	} while (v);
}

static uint64_t zigzag(int64_t v)
{
	return v < 0 ? ((uint64_t) - (v + 1)) * 2 + 1 : (uint64_t)v * 2;
}

void log_put_i(struct log *l, int64_t v)
{
	log_put_u(l, zigzag(v));
}

void log_put_s(struct log *l, const char *s)
{
	log_put_u(l, strlen(s));
	log_raw(l, s, strlen(s));
}

/* The checksum, bit by bit, without the code under test. */
static uint32_t crc32c(const unsigned char *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

/* --- files and blocks ----------------------------------------------------- */

uint64_t log_ticks(const struct log *l, uint64_t t)
{
	return l->ticks_per_ns ? (uint64_t)((double)t * l->ticks_per_ns) + 500
			       : LOG_BASE + t;
}

static void begin_block(struct log *l, uint64_t t, int64_t mono_ns)
{
	while (l->n % 8)
		log_put_number(l, 0, 1);
	l->block = l->n;
	l->last = log_ticks(l, t);
	log_raw(l, "GBLK", 4);
	log_put_number(l, 1, 1);  /* type */
	log_put_number(l, 0, 1);  /* open */
	log_put_number(l, 48, 2); /* header's size */
	log_put_number(l, 0, 4);  /* length */
	log_put_number(l, 0, 4);  /* CRC */
	log_put_number(l, l->number++, 8);
	log_put_number(l, l->last, 8);
	log_put_number(l, (uint64_t)mono_ns, 8);
	log_put_number(l, 20, 4);      /* uncertainty */
	log_put_number(l, l->lost, 4); /* lost */
	memset(l->address, 0, sizeof l->address);
	l->last_site = 0;
}

static void seal(struct log *l, unsigned type)
{
	size_t at = l->block;

	set_number(l, at + 4, type, 1);
	set_number(l, at + 5, 1, 1);
	set_number(l, at + 8, l->n - at - 48, 4);
	set_number(l, at + 12, 0, 4);
	set_number(l, at + 12, crc32c(l->bytes + at, l->n - at), 4);
}

struct log *log_new_ticks(const char *host, unsigned pid, unsigned ordinal,
			  double ticks_per_ns)
{
	struct log *l = calloc(1, sizeof *l);

	assert_non_null(l);
	snprintf(l->host, sizeof l->host, "%s", host);
	l->pid = pid;
	l->ordinal = ordinal;
	l->ticks_per_ns = ticks_per_ns;
	log_raw(l, "\211GASPLG\n", 8);
	log_put_number(l, 2, 2); /* version 2.0 */
	log_put_number(l, 0, 2);
	log_put_number(l, 64, 4);
	log_put_number(l, LOG_RUN, 8);
	log_put_number(l, LOG_REAL, 8);
	log_put_number(
		l, ticks_per_ns ? (uint64_t)(ticks_per_ns * 1e9) : 1000000000,
		8);
	log_put_number(l, pid, 4);
	log_put_number(l, pid + ordinal, 4);
	log_put_number(l, ordinal, 4);
	log_put_number(l, 0, 4);
	log_put_number(l, ticks_per_ns != 0, 4);
	log_put_number(l, crc32c(l->bytes, 60), 4);
	begin_block(l, 0, LOG_BASE);
	return l;
}

struct log *log_new(const char *host, unsigned pid, unsigned ordinal)
{
	return log_new_ticks(host, pid, ordinal, 0);
}

struct log *log_rank(int rank, int ranks)
{
	struct log *l = log_new("node", 100 + (unsigned)rank, 0);
	char text[16];

	snprintf(text, sizeof text, "%d", rank);
	log_meta(l, "rank", text);
	snprintf(text, sizeof text, "%d", ranks);
	log_meta(l, "ranks", text);
	log_meta(l, "model", "MPI");
	return l;
}

void log_block_at(struct log *l, uint64_t t, int64_t mono_ns)
{
	seal(l, 1);
	begin_block(l, t, mono_ns);
}

void log_block(struct log *l, uint64_t t)
{
	log_block_at(l, t, (int64_t)(LOG_BASE + t));
}

/* Fills the block, so that the next one begins at a multiple of 128. */
static void pad(struct log *l)
{
	const size_t past = (l->n + 3) % 128;
	const size_t payload = log_begin_record(l, 47);

	for (size_t n = past ? 128 - past : 0; n > 0; n--)
		log_put_number(l, 0xee, 1);
	log_end_record(l, payload);
}

void log_cells(struct log *l, uint64_t t, const void *payload, size_t n,
	       bool sealed)
{
	pad(l);
	log_block(l, t);
	assert_int_equal(l->block % 128, 0);
	log_raw(l, payload, n);
	if (sealed) {
		seal(l, 3);
	} else {
		set_number(l, l->block + 4, 3, 1);
		set_number(l, l->block + 8, n, 4);
	}
	begin_block(l, t, (int64_t)(LOG_BASE + t));
}

void log_spoil(struct log *l, size_t block)
{
	l->bytes[block + 12] ^= 1;
}

void log_close(struct log *l)
{
	seal(l, 2);
}

void log_kill(struct log *l, size_t n)
{
	set_number(l, l->block + 8, l->n - l->block - 48, 4);
	while (n-- > 0)
		log_put_number(l, 0, 1);
}

/* --- records -------------------------------------------------------------- */

size_t log_begin_record(struct log *l, unsigned kind)
{
	log_put_number(l, kind << 2 | 3, 1);
	log_put_number(l, 0x80, 1); /* the length, two bytes wide */
	log_put_number(l, 0, 1);
	return l->n;
}

static void keep_definition(struct log *l, size_t record)
{
	append(&l->definitions, &l->n_definitions, &l->definitions_room,
	       l->bytes + record, l->n - record);
}

void log_end_record(struct log *l, size_t payload)
{
	const size_t n = l->n - payload, record = payload - 3;

	assert_true(n < 1 << 14);
	l->bytes[payload - 2] = (unsigned char)(n & 127) | 128;
	l->bytes[payload - 1] = (unsigned char)(n >> 7);
	if (l->bytes[record] >> 2 < 10 || l->bytes[record] >> 2 == 11)
		keep_definition(l, record);
}

void log_repeat(struct log *l, bool all)
{
	const size_t from = all ? 0 : l->n_repeated;

	log_raw(l, l->definitions + from, l->n_definitions - from);
	l->n_repeated = l->n_definitions;
}

void log_free(struct log *l)
{
	free(l->bytes);
	free(l->definitions);
	free(l);
}

/* --- events --------------------------------------------------------------- */

/* A value by its code, which follows the colon in the layout. */
static void put_value(struct log *l, char code, int64_t v, int64_t *last)
{
	union {
		double d;
		uint64_t u;
	} real;

	switch (code) {
	case 'i':
		log_put_i(l, v);
		break;
	case 'p':
	case 'h':
		log_put_i(l, (int64_t)((uint64_t)v - (uint64_t)*last));
		*last = v;
		break;
	case 'd': /* tests give tenths */
		real.d = v == LOG_NAN	     ? (double)NAN
			 : v == LOG_INFINITY  ? (double)INFINITY
			 : v == -LOG_INFINITY ? -(double)INFINITY
					      : (double)v / 10;
		log_put_u(l, __builtin_bswap64(real.u));
		break;
	default:
		log_put_u(l, (uint64_t)v);
	}
}

static void put_event(struct log *l, unsigned phase, uint64_t t, unsigned site,
		      const int64_t *values, size_t n)
{
	const unsigned op = l->op_of_site[site];
	const char *layout = phase == 1 ? l->op[op].end : l->op[op].start;
	uint64_t ticks = log_ticks(l, t);

	log_put_number(
		l, phase | (site == l->last_site) << 2 | (n < 31 ? n : 31) << 3,
		1);
	if (n >= 31)
		log_put_u(l, n);
	log_put_u(l, ticks - l->last); /* back in time: modulo 2^64 */
	if (site != l->last_site)
		log_put_u(l, site);
	l->last = ticks;
	l->last_site = site;
	for (size_t i = 0; i < n; i++) {
		layout = layout ? strchr(layout, ':') : NULL;
		put_value(l, layout ? layout[1] : 'u', values[i],
			  &l->address[site][phase][i % LOG_ARGS]);
		layout = layout ? layout + 1 : NULL;
	}
	if (l->n_marks < LOG_MARKS) {
		l->mark[l->n_marks].end = l->n;
		l->mark[l->n_marks++].kind = phase;
	}
}

void log_start(struct log *l, uint64_t t, unsigned site, const int64_t *values,
	       size_t n)
{
	put_event(l, 0, t, site, values, n);
}

void log_end(struct log *l, uint64_t t, unsigned site, const int64_t *values,
	     size_t n)
{
	put_event(l, 1, t, site, values, n);
}

void log_atomic(struct log *l, uint64_t t, unsigned site, const int64_t *values,
		size_t n)
{
	put_event(l, 2, t, site, values, n);
}

void log_atomic_next(struct log *l, uint64_t site)
{
	log_put_number(l, 2, 1);
	log_put_number(l, 1, 1);
	log_put_u(l, site);
	l->last++;
}

void log_call(struct log *l, uint64_t start, uint64_t end, unsigned site)
{
	log_start(l, start, site, NONE);
	log_end(l, end, site, NONE);
}
