/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building logs for tests. */
#include "tests/unit/util_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- bytes -----------------------------------------------------------------
 */

/* n more bytes behind the *end that there are; room is kept for more. */
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

static void put(struct log *l, const void *bytes, size_t n)
{
	append(&l->bytes, &l->n, &l->room, bytes, n);
}

static void put_number(struct log *l, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put(l, &(unsigned char){ (unsigned char)(v >> 8 * i) }, 1);
}

static void set_number(struct log *l, size_t at, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		l->bytes[at + i] = (unsigned char)(v >> 8 * i);
}

static void put_u(struct log *l, uint64_t v)
{
	do {
		put_number(l, (v & 127) | (v > 127 ? 128 : 0), 1);
		v >>= 7;
	} while (v);
}

static uint64_t zigzag(int64_t v)
{
	return v < 0 ? ((uint64_t) - (v + 1)) * 2 + 1 : (uint64_t)v * 2;
}

static void put_i(struct log *l, int64_t v)
{
	put_u(l, zigzag(v));
}

static void put_s(struct log *l, const char *s)
{
	put_u(l, strlen(s));
	put(l, s, strlen(s));
}

/* Bit by bit: the reader's is faster. */
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

/* --- files and blocks ------------------------------------------------------
 */

static uint64_t ticks_at(const struct log *l, uint64_t t)
{
	return l->ticks_per_ns ? (uint64_t)((double)t * l->ticks_per_ns) + 500
			       : LOG_BASE + t;
}

static void begin_block(struct log *l, uint64_t t, int64_t mono_ns)
{
	while (l->n % 8)
		put_number(l, 0, 1);
	l->block = l->n;
	l->last = ticks_at(l, t);
	put(l, "GBLK", 4);
	put_number(l, 1, 1);  /* type */
	put_number(l, 0, 1);  /* open */
	put_number(l, 48, 2); /* header's size */
	put_number(l, 0, 4);  /* length */
	put_number(l, 0, 4);  /* CRC */
	put_number(l, l->number++, 8);
	put_number(l, l->last, 8);
	put_number(l, (uint64_t)mono_ns, 8);
	put_number(l, 20, 4);	   /* uncertainty */
	put_number(l, l->lost, 4); /* lost */
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
	put(l, "\211GASPLG\n", 8);
	put_number(l, 2, 2); /* version 2.0 */
	put_number(l, 0, 2);
	put_number(l, 64, 4);
	put_number(l, LOG_RUN, 8);
	put_number(l, LOG_REAL, 8);
	put_number(l,
		   ticks_per_ns ? (uint64_t)(ticks_per_ns * 1e9) : 1000000000,
		   8);
	put_number(l, pid, 4);
	put_number(l, pid + ordinal, 4);
	put_number(l, ordinal, 4);
	put_number(l, 0, 4);
	put_number(l, ticks_per_ns != 0, 4);
	put_number(l, crc32c(l->bytes, 60), 4);
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
		put_number(l, 0, 1);
}

/* --- records ---------------------------------------------------------------
 */

/* An OTHER record's payload is what is put between these. */
static size_t begin_other(struct log *l, unsigned kind)
{
	put_number(l, kind << 2 | 3, 1);
	put_number(l, 0x80, 1); /* the length, two bytes wide */
	put_number(l, 0, 1);
	return l->n;
}

static void keep_told(struct log *l, size_t record)
{
	append(&l->told, &l->n_told, &l->told_room, l->bytes + record,
	       l->n - record);
}

static void end_other(struct log *l, size_t payload)
{
	const size_t n = l->n - payload, record = payload - 3;

	assert_true(n < 1 << 14);
	l->bytes[payload - 2] = (unsigned char)(n & 127) | 128;
	l->bytes[payload - 1] = (unsigned char)(n >> 7);
	if (l->bytes[record] >> 2 < 10 || l->bytes[record] >> 2 == 11)
		keep_told(l, record);
}

void log_repeat(struct log *l, bool all)
{
	const size_t from = all ? 0 : l->n_twice;

	put(l, l->told + from, l->n_told - from);
	l->n_twice = l->n_told;
}

void log_free(struct log *l)
{
	free(l->bytes);
	free(l->told);
	free(l);
}

unsigned log_string(struct log *l, const char *text)
{
	size_t at = begin_other(l, 1);

	put_u(l, ++l->n_strings);
	put(l, text, strlen(text));
	end_other(l, at);
	return l->n_strings;
}

unsigned log_op_of(struct log *l, const char *model, const char *name,
		   const char *type, const char *category, const char *start,
		   const char *end)
{
	size_t at = begin_other(l, 2);
	char symbol[64];

	snprintf(symbol, sizeof symbol, "GASP_TEST_%s", name);
	put_u(l, ++l->n_ops);
	put_u(l, 0);
	put_s(l, !strcmp(type, "user") ? "USER" : symbol);
	put_s(l, name);
	put_s(l, model);
	put_s(l, type);
	put_s(l, category);
	put_s(l, start);
	put_s(l, end);
	put_s(l, "");
	end_other(l, at);
	assert_true(l->n_ops < LOG_SITES);
	l->op[l->n_ops].start = start;
	l->op[l->n_ops].end = end;
	return l->n_ops;
}

unsigned log_op(struct log *l, const char *name, const char *type,
		const char *category, const char *start, const char *end)
{
	return log_op_of(l, "MPI", name, type, category, start, end);
}

unsigned log_site(struct log *l, unsigned op, const char *file, unsigned line)
{
	unsigned name = file ? log_string(l, file) : 0;
	size_t at = begin_other(l, 3);

	put_u(l, ++l->n_sites);
	put_u(l, op);
	put_u(l, name);
	put_u(l, line);
	put_u(l, 0);
	end_other(l, at);
	assert_true(l->n_sites < LOG_SITES);
	l->op_of_site[l->n_sites] = op;
	return l->n_sites;
}

unsigned log_site_pc(struct log *l, unsigned op, uint64_t address)
{
	return log_site_in(l, op, address, 0);
}

unsigned log_site_in(struct log *l, unsigned op, uint64_t address,
		     uint64_t module)
{
	size_t at = begin_other(l, 4);

	put_u(l, ++l->n_sites);
	put_u(l, op);
	put_u(l, address);
	if (module)
		put_u(l, module);
	end_other(l, at);
	assert_true(l->n_sites < LOG_SITES);
	l->op_of_site[l->n_sites] = op;
	return l->n_sites;
}

unsigned log_plain(struct log *l, const char *name, const char *type,
		   const char *category, unsigned line)
{
	return log_site(l, log_op(l, name, type, category, "", ""), "a.c",
			line);
}

/* Codes follow the colons of the layout. */
static void put_value(struct log *l, char code, int64_t v, int64_t *last)
{
	union {
		double d;
		uint64_t u;
	} real;

	switch (code) {
	case 'i':
		put_i(l, v);
		break;
	case 'p':
	case 'h':
		put_i(l, (int64_t)((uint64_t)v - (uint64_t)*last));
		*last = v;
		break;
	case 'd': /* tests give tenths */
		real.d = (double)v / 10;
		put_u(l, __builtin_bswap64(real.u));
		break;
	default:
		put_u(l, (uint64_t)v);
	}
}

static void put_event(struct log *l, unsigned phase, uint64_t t, unsigned site,
		      const int64_t *values, size_t n)
{
	const unsigned op = l->op_of_site[site];
	const char *layout = phase == 1 ? l->op[op].end : l->op[op].start;
	uint64_t ticks = ticks_at(l, t);

	put_number(l,
		   phase | (site == l->last_site) << 2 | (n < 31 ? n : 31) << 3,
		   1);
	if (n >= 31)
		put_u(l, n);
	put_u(l, ticks - l->last); /* back in time: modulo 2^64 */
	if (site != l->last_site)
		put_u(l, site);
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

void log_call(struct log *l, uint64_t start, uint64_t end, unsigned site)
{
	log_start(l, start, site, NONE);
	log_end(l, end, site, NONE);
}

void log_meta(struct log *l, const char *key, const char *value)
{
	size_t at = begin_other(l, 5);

	put_s(l, key);
	put_s(l, value);
	end_other(l, at);
}

void log_module_of_file(struct log *l, uint64_t base, uint64_t end,
			const void *build_id, size_t n, const char *path,
			const struct log_module_file *file)
{
	size_t at = begin_other(l, 6);

	put_u(l, base);
	put_u(l, end);
	put_u(l, base);
	put_u(l, n);
	put(l, build_id, n);
	put_s(l, path);
	put_u(l, file->id);
	put_u(l, file->size);
	put_u(l, file->checksum);
	put_u(l, file->inode);
	put_u(l, file->modified);
	put_u(l, file->changed);
	end_other(l, at);
}

void log_module(struct log *l, uint64_t base, uint64_t end, uint64_t bias,
		const void *build_id, size_t n, const char *path)
{
	size_t at = begin_other(l, 6);

	put_u(l, base);
	put_u(l, end);
	put_u(l, bias);
	put_u(l, n);
	put(l, build_id, n);
	put_s(l, path);
	end_other(l, at);
}

void log_segment(struct log *l, unsigned id, uint64_t base, uint64_t bytes,
		 const char *kind, const char *name)
{
	size_t at = begin_other(l, 7);

	put_u(l, id);
	put_u(l, base);
	put_u(l, bytes);
	put_s(l, kind);
	put_s(l, name);
	end_other(l, at);
}

void log_team(struct log *l, uint64_t id, uint64_t parent, uint64_t ordinal,
	      int64_t rank, uint64_t size, const char *kind, const char *name,
	      int64_t first)
{
	size_t at = begin_other(l, 8);

	put_u(l, id);
	put_u(l, parent);
	put_u(l, ordinal);
	put_i(l, rank);
	put_u(l, size);
	put_s(l, kind);
	put_s(l, name);
	put_i(l, first);
	end_other(l, at);
}

void log_members(struct log *l, uint64_t team, uint64_t index, int64_t start,
		 int64_t stride, uint64_t count)
{
	size_t at = begin_other(l, 9);

	put_u(l, team);
	put_u(l, index);
	put_i(l, start);
	put_i(l, stride);
	put_u(l, count);
	end_other(l, at);
}

static bool is_among(const int64_t *ranks, size_t n, int64_t rank)
{
	size_t i = 0;

	while (i < n && ranks[i] != rank)
		i++;
	return i < n;
}

void log_sources(struct log *l, uint64_t team, const int64_t *ranks, size_t n)
{
	struct log runs = { .n = 0 };
	int64_t last = -1, most = -1, end;
	size_t at;

	for (size_t i = 0; i < n; i++)
		most = ranks[i] > most ? ranks[i] : most;
	for (int64_t r = 0; r <= most; r = end + 1) {
		for (end = r; is_among(ranks, n, end); end++)
			;
		if (end == r)
			continue;
		put_u(&runs, (uint64_t)(r - last));
		put_u(&runs, (uint64_t)(end - r));
		last = end - 1;
	}
	at = begin_other(l, 11);
	put_u(l, team);
	put_u(l, runs.n);
	put(l, runs.bytes, runs.n);
	end_other(l, at);
	free(runs.bytes);
}

void log_complete(struct log *l, uint64_t request, int64_t index,
		  uint64_t flags, int64_t peer, int64_t tag, uint64_t bytes,
		  int64_t error)
{
	size_t at = begin_other(l, 16);

	put_u(l, request);
	put_i(l, index);
	put_u(l, flags);
	put_i(l, peer);
	put_i(l, tag);
	put_u(l, bytes);
	put_i(l, error);
	end_other(l, at);
}

void log_numbers(struct log *l, unsigned kind, size_t n, const uint64_t *values)
{
	size_t at = begin_other(l, kind);

	for (size_t i = 0; i < n; i++)
		put_u(l, values[i]);
	end_other(l, at);
}

void log_probed(struct log *l, uint64_t message, int64_t peer, int64_t tag,
		uint64_t bytes)
{
	size_t at = begin_other(l, 20);

	put_u(l, message);
	put_i(l, peer);
	put_i(l, tag);
	put_u(l, bytes);
	end_other(l, at);
}

void log_made(struct log *l, uint64_t request, unsigned flags, int64_t peer,
	      int64_t tag, uint64_t bytes, uint64_t team)
{
	size_t at = begin_other(l, 22);

	put_u(l, request);
	put_u(l, flags);
	put_i(l, peer);
	put_i(l, tag);
	put_u(l, bytes);
	put_u(l, team);
	end_other(l, at);
}

void log_passed(struct log *l, uint64_t team, int64_t peer, int64_t tag,
		uint64_t sends, uint64_t receives)
{
	size_t at = begin_other(l, 34);

	put_u(l, team);
	put_i(l, peer);
	put_i(l, tag);
	put_u(l, sends);
	put_u(l, receives);
	end_other(l, at);
}

void log_argument(struct log *l, const char *name, int64_t value)
{
	size_t at = begin_other(l, 21);

	put_s(l, name);
	put_i(l, value);
	end_other(l, at);
}

void log_clock(struct log *l, uint64_t t, uint64_t mono_ns, uint64_t real_ns,
	       uint64_t uncertain)
{
	log_numbers(
		l, 32, 4,
		(uint64_t[]){ ticks_at(l, t), mono_ns, real_ns, uncertain });
}

void log_recording(struct log *l, bool on, uint64_t t)
{
	log_numbers(l, 33, 2, (uint64_t[]){ on, ticks_at(l, t) });
}

void log_tool(struct log *l, uint64_t start, uint64_t end)
{
	log_numbers(l, 35, 2,
		    (uint64_t[]){ ticks_at(l, start), ticks_at(l, end) });
}

void log_processor(struct log *l, uint64_t t_ns, uint64_t used_ns,
		   uint64_t unserved_ns, uint64_t total_ns)
{
	log_numbers(l, 41, 4,
		    (uint64_t[]){ ticks_at(l, t_ns), used_ns, unserved_ns,
				  total_ns });
}

void log_lost(struct log *l, uint64_t count, const char *reason)
{
	size_t at = begin_other(l, 37);

	put_u(l, count);
	put_s(l, reason);
	end_other(l, at);
}

void log_raw(struct log *l, const void *bytes, size_t n)
{
	put(l, bytes, n);
}
