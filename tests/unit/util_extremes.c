/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs with extreme values, from a generator of random numbers. */
#include "tests/unit/util_extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collector/core/events.h"
#include "collector/log/crc32c.h"
#include "collector/log/log_format.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_random.h"

enum {
	RANKS = EXTREMES_RANKS,
	ROUNDS = 2,
	LAYOUT = 1024, /* bytes of one */
	HEAP_BYTES = 1 << 20,
	PER_BLOCK = 20000, /* bytes; the longest record is far below the rest */
	WORLD = 1,
	SPLIT = 2,
	OWN_TEAM = 100 /* the first of 8 ids of TEAM records */
};

static const uint64_t heap = 0x10000000;

/* --- extreme values ------------------------------------------------------- */

static uint64_t state; /* of the generator */

static uint64_t next_random(void)
{
	return random_next(&state);
}

static bool once_in(unsigned n)
{
	return n && next_random() % n == 0;
}

static const uint64_t ends[] = {
	0,
	1,
	UINT64_MAX,
	INT32_MAX,
	(uint64_t)INT32_MAX + 1,
	UINT32_MAX,
	(uint64_t)UINT32_MAX + 1,
	(uint64_t)1 << 40,
	((uint64_t)1 << 48) - 1,
	(uint64_t)1 << 56,
	(uint64_t)1 << 62,
	INT64_MAX - 1,
	INT64_MAX,
	(uint64_t)INT64_MAX + 1, /* -2^63 */
	(uint64_t)INT64_MAX + 2,
	UINT64_MAX - 1,
};

static uint64_t any_end(void)
{
	return ends[next_random() % (sizeof ends / sizeof *ends)];
}

/* The rates of extreme values in the run: one in so many; 0: none. */
static struct {
	unsigned argument, field, header, time;
	const char *word; /* the only argument or field with any; NULL: all */
} rates;

/* Has this occurrence of an argument or field an extreme value? */
static bool is_extreme(const char *name, size_t n, unsigned rate)
{
	if (rates.word &&
	    (strlen(rates.word) != n || memcmp(rates.word, name, n)))
		return false;
	return once_in(rates.word ? 2 : rate);
}

/* Names of arguments and fields. */
static const char *const words[] = {
	"peer", "tag", "team", "sequence", "request", "bytes", "object",
	"window", "epoch", "size", "rank", "start", "stride", "count",
	"index", "ticks", "monotonic", "realtime", "id", "number", "members",
	"first", "displacement", "elements", "attempts", "root", "address",
	"element_bytes", "target", "source", "posted_peer", "posted_tag",
	"target_stride", "source_stride", "blocks", "block_bytes",
	"source_thread", "target_thread", "created", "flags", "uncertainty",
	"base", "limit", "message", "ordinal", "parent", "left_out",
	"indices", "does", "comparison", "context", "handle", "sends",
	"receives", "value", "signal_value", "error", "success", "completes",
	"status", "line", "column", "line_bytes", "dirty_lines"
};

const char *extremes_choose(unsigned number)
{
	const unsigned n = sizeof words / sizeof *words;

	memset(&rates, 0, sizeof rates);
	state = 0x9e3779b97f4a7c15u * (number + 1);
	for (int i = 0; i < 8; i++)
		next_random();
	if (number / 3 % 2) {
		rates.word = words[number / 6 % n];
		return rates.word;
	}
	rates.argument = 1 + number / 6 % 8 * 3;
	rates.field = 2 + number / 3 % 5 * 3;
	rates.header = number / 6 % 3 ? 0 : 3;
	rates.time = number / 6 % 4 ? 0 : 40;
	return NULL;
}

/* --- usual values --------------------------------------------------------- */

static int rank;
static uint64_t sequence, request, serial;

static bool is(const char *name, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(word, name, n);
}

static int64_t usual(const char *name, size_t n)
{
	const struct {
		const char *name;
		int64_t value;
	} values[] = {
		{ "peer", (rank + 1) % RANKS },
		{ "posted_peer", (rank + RANKS - 1) % RANKS },
		{ "receive_peer", (rank + RANKS - 1) % RANKS },
		{ "source_thread", (rank + 1) % RANKS },
		{ "target_thread", (rank + 1) % RANKS },
		{ "object_thread", 0 },
		{ "tag", 5 },
		{ "posted_tag", 5 },
		{ "receive_tag", 5 },
		{ "bytes", 800 },
		{ "bytes_received", 800 },
		{ "limit", 1000 },
		{ "team", WORLD },
		{ "created", SPLIT },
		{ "created_y", 0 },
		{ "root", 0 },
		{ "window", 1 },
		{ "epoch", 1 },
		{ "members", RANKS },
		{ "first", 0 },
		{ "stride", 1 },
		{ "success", 1 },
		{ "attempts", 1 },
		{ "element_bytes", 8 },
		{ "elements", 4 },
		{ "indices", 1 },
		{ "error", 0 },
		{ "cancelled", 0 },
		{ "object", (int64_t)heap + 64 },
		{ "target", (int64_t)heap + 128 },
		{ "source", (int64_t)heap + 256 },
		{ "signal", (int64_t)heap + 64 },
		{ "address", (int64_t)heap + 512 },
		{ "address_thread", 0 },
		{ "does", 2 },
		{ "message", 0 },
		{ "context", 0 },
		{ "index", 0 },
		{ "count", 3 },
		{ "size", RANKS },
		{ "rank", rank },
		{ "parent", 0 },
		{ "ordinal", 0 },
		{ "operation", 1 },
		{ "file", 1 },
		{ "line", 10 },
		{ "number", 1 },
		{ "on", 1 },
		{ "flags", 0 },
		{ "sends", 1 },
		{ "receives", 1 },
	};

	if (is(name, n, "sequence"))
		return (int64_t)sequence;
	if (is(name, n, "request"))
		return (int64_t)request;
	if (is(name, n, "team") && once_in(4))
		return OWN_TEAM + (int64_t)(next_random() % 8);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (is(name, n, values[i].name))
			return values[i].value;
	return 1;
}

/* --- events --------------------------------------------------------------- */

static bool in_layout(const char *layout, const char *name, size_t n)
{
	for (const char *p = layout; *p; p += strspn(p, " ")) {
		if (!strncmp(p, name, n) && p[n] == ':')
			return true;
		p += strcspn(p, " ");
	}
	return false;
}

/* The layout of logged arguments, from that of the event tables
   (collector/events/README.md), without those of another layout. */
static void logged_layout(char to[LAYOUT], const char *layout,
			  const char *without)
{
	size_t used = 0;

	to[0] = 0;
	for (const char *p = layout; *p; p += strspn(p, " ")) {
		const int word = (int)strcspn(p, " "),
			  name = (int)strcspn(p, ":");
		const char code = p[name + 1];

		if (!in_layout(without, p, (size_t)name))
			used += (size_t)snprintf(
				to + used, LAYOUT - used,
				code == 'P'   ? "%s%.*s:p %.*s_thread:i"
				: code == 'L' ? "%s%.*s:p"
					      : "%s%.*s",
				used ? " " : "", code < 'a' ? name : word, p,
				name, p);
		p += word;
	}
	assert_true(used < LAYOUT);
}

/* Logged layouts and site, by row of the event tables. */
static struct {
	char start[LAYOUT], end[LAYOUT];
	unsigned site;
} defined[GASPDB_N_EVENTS];

static void define_event(struct log *l, size_t i)
{
	const struct gaspdb_event_info *e = &gaspdb_events[i];

	logged_layout(defined[i].start, e->start, "");
	logged_layout(defined[i].end, e->end, e->start);
	defined[i].site = log_site(l,
				   log_op_of(l, e->model, e->name,
					     gaspdb_types[e->type].name,
					     gaspdb_types[e->type].category,
					     defined[i].start, defined[i].end),
				   once_in(8) ? NULL : "a.c", (unsigned)i + 1);
}

static size_t fill(const char *layout, int64_t values[LOG_ARGS])
{
	size_t n = 0;

	for (const char *p = layout; *p; p += strspn(p, " ")) {
		const size_t name = strcspn(p, ":");

		values[n++] = is_extreme(p, name, rates.argument)
				      ? (int64_t)any_end()
				      : usual(p, name);
		p += strcspn(p, " ");
	}
	return n;
}

/* --- other records -------------------------------------------------------- */

static size_t put_u(unsigned char *to, uint64_t v)
{
	size_t n = 0;

	do {
		to[n++] = (unsigned char)((v & 127) | (v > 127 ? 128 : 0));
		v >>= 7;
	} while (v);
	return n;
}

static size_t put_text(unsigned char *to, const char *text)
{
	const size_t n = put_u(to, strlen(text));

	memcpy(to + n, text, strlen(text));
	return n + strlen(text);
}

static const struct {
	unsigned kind;
	const char *layout;
} kinds[] = {
#define RECORD(ident, number, layout) { number, layout },
	GASPDB_RECORDS(RECORD)
#undef RECORD
};

static const char *text_of(const char *name, size_t n)
{
	static const char *const texts[] = { "",      "0",    "-1",    "Z",
					     "world", "heap", "split", "inter",
					     "peer",  "index" };
	static const char *const keys[] = { "rank",
					    "ranks",
					    "thread",
					    "threads",
					    "host",
					    "job",
					    "model",
					    "process_start",
					    "program_number",
					    "forked_from",
					    "event_cost_ticks",
					    "init_ticks",
					    "finalize_ticks",
					    "segments_left_out",
					    "unknown_tags",
					    "limits",
					    "end",
					    "arguments",
					    "upc_clock" };
	static const char *const values[] = { "",
					      "0",
					      "1",
					      "2",
					      "Z",
					      "-1",
					      "18446744073709551615",
					      "9223372036854775808",
					      "1.5",
					      "4294967296",
					      "9223372036854775807",
					      "000",
					      "1048575",
					      "1048576",
					      "size limit" };

	if (is(name, n, "key"))
		return keys[next_random() % (sizeof keys / sizeof *keys)];
	if (is(name, n, "value"))
		return values[next_random() % (sizeof values / sizeof *values)];
	return texts[next_random() % (sizeof texts / sizeof *texts)];
}

/* The usual value of a field; times are near t. */
static uint64_t usual_field(const char *name, size_t n, uint64_t t)
{
	if (is(name, n, "ticks") || is(name, n, "start") ||
	    is(name, n, "monotonic"))
		return LOG_BASE + t;
	if (is(name, n, "realtime"))
		return LOG_REAL + t;
	if (is(name, n, "base"))
		return heap;
	if (is(name, n, "id"))
		return OWN_TEAM + serial++ % 8;
	return (uint64_t)usual(name, n);
}

static size_t put_field(unsigned char *to, const char *name, size_t n,
			char code, uint64_t t)
{
	uint64_t v;

	if (code == 's')
		return put_text(to, text_of(name, n));
	if (code == '.') {
		const char *text = text_of(name, n);

		memcpy(to, text, strlen(text));
		return strlen(text);
	}
	v = is_extreme(name, n, rates.field) ? any_end()
					     : usual_field(name, n, t);
	return put_u(to, code == 'i' ? v << 1 ^ (uint64_t) - (v >> 63) : v);
}

/* Writes a record of any kind, which it returns. */
static unsigned put_other(struct log *l, uint64_t t)
{
	const size_t i = next_random() % (sizeof kinds / sizeof *kinds);
	unsigned char record[512], payload[400];
	size_t n = 0, head;

	for (const char *p = kinds[i].layout; *p; p += strspn(p, " ")) {
		const size_t name = strcspn(p, ":");

		n += put_field(payload + n, p, name, p[name + 1], t);
		p += strcspn(p, " ");
	}
	record[0] = (unsigned char)(kinds[i].kind << 2 | 3);
	head = 1 + put_u(record + 1, n);
	memcpy(record + head, payload, n);
	log_raw(l, record, head + n);
	return kinds[i].kind;
}

/* --- headers -------------------------------------------------------------- */

static void set(unsigned char *to, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (unsigned char)(v >> 8 * i);
}

/* Sets extreme values in the header of the open block. */
static void spoil_block_header(struct log *l)
{
	static const struct {
		unsigned at, bytes;
	} fields[] = { { GASPDB_BH_TICKS, 8 },
		       { GASPDB_BH_MONOTONIC, 8 },
		       { GASPDB_BH_UNCERTAIN, 4 },
		       { GASPDB_BH_LOST, 4 } };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (once_in(rates.header))
			set(l->bytes + l->block + fields[i].at, any_end(),
			    fields[i].bytes);
}

static void spoil_header(struct log *l)
{
	static const struct {
		unsigned at, bytes;
	} fields[] = { { GASPDB_LH_START_REAL, 8 }, { GASPDB_LH_TICKS_HZ, 8 },
		       { GASPDB_LH_PID, 4 },	    { GASPDB_LH_TID, 4 },
		       { GASPDB_LH_ORDINAL, 4 },    { GASPDB_LH_FLAGS, 4 },
		       { GASPDB_LH_CLOCK, 1 } };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (once_in(rates.header))
			set(l->bytes + fields[i].at, any_end(),
			    fields[i].bytes);
	set(l->bytes + GASPDB_LH_CRC, gaspdb_crc32c(0, l->bytes, GASPDB_LH_CRC),
	    4);
}

/* --- logs ----------------------------------------------------------------- */

static void begin_log(struct log *l, const char *model)
{
	log_meta(l, "model", model);
	log_meta(l, "event_cost_ticks", "5.5");
	log_segment(l, 1, heap, HEAP_BYTES, "heap", "");
	log_team(l, WORLD, 0, 0, rank, RANKS, "world", "", 0);
	log_team(l, SPLIT, WORLD, 1, rank, RANKS, "split", "", 0);
	if (rank == 0) {
		log_members(l, WORLD, 0, 0, 1, RANKS);
		log_members(l, SPLIT, 0, 0, 1, RANKS);
	}
	log_clock(l, 0, LOG_BASE, LOG_REAL, 100);
	for (size_t i = 0; i < GASPDB_N_EVENTS; i++)
		if (!strcmp(gaspdb_events[i].model, model))
			define_event(l, i);
}

static void call(struct log *l, size_t i, uint64_t t)
{
	int64_t values[LOG_ARGS];
	const unsigned site = defined[i].site;
	const uint64_t at = once_in(rates.time) ? any_end() : t;
	bool starts = false;

	sequence++;
	if (next_random() % 4 == 0)
		request++;
	log_start(l, at, site, values, fill(defined[i].start, values));
	/* A call with requests of its own has an end. */
	while (once_in(3))
		starts |= put_other(l, t + 2) == GASPDB_RECORD_REQUEST_START;
	if (starts || !once_in(16))
		log_end(l, t + 5, site, values, fill(defined[i].end, values));
	if (once_in(8))
		put_other(l, t + 6);
}

static void new_block(struct log *l, uint64_t t)
{
	spoil_block_header(l);
	log_block(l, t);
}

void extremes_add_log(const char *run, int of_rank, const char *model)
{
	struct log *l = log_rank(of_rank, RANKS);
	uint64_t t = 100;

	rank = of_rank;
	spoil_header(l);
	sequence = request = serial = 0;
	begin_log(l, model);
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < GASPDB_N_EVENTS; i++) {
			if (strcmp(gaspdb_events[i].model, model) != 0)
				continue;
			if (l->n - l->block > PER_BLOCK)
				new_block(l, t);
			call(l, i, t += 10);
		}
	spoil_block_header(l);
	log_close(l);
	run_add(run, l);
}
