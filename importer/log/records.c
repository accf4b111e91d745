/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of a block's records. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/reader.h"

/* Site numbers start at 1 and stay far below this limit. */
static inline uint32_t site_of(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static bool get_args(struct gaspdb_bytes *b, struct gaspdb_record *rec,
		     uint64_t *args, uint64_t n)
{
	uint64_t ignored;

	if (n > gaspdb_bytes_left(b)) {
		b->ran_out = true;
		return false;
	}
	rec->n_args =
		n < GASPDB_ARGUMENTS_MAX ? (uint16_t)n : GASPDB_ARGUMENTS_MAX;
	for (unsigned i = 0; i < rec->n_args; i++)
		if (!gaspdb_get_varint(b, &args[i]))
			return false;
	for (uint64_t i = rec->n_args; i < n; i++)
		if (!gaspdb_get_varint(b, &ignored))
			return false;
	return true;
}

/* last: site of the block's last event; 0: none. */
static bool get_event(struct gaspdb_bytes *b, struct gaspdb_record *rec,
		      uint64_t *args, uint8_t first, uint32_t *last)
{
	uint64_t n = first >> GASPDB_ARGS_SHIFT, site = *last;

	if (n == GASPDB_ARGS_FOLLOW && !gaspdb_get_varint(b, &n))
		return false;
	if (!gaspdb_get_varint(b, &rec->ticks))
		return false;
	if (first & GASPDB_SAME_SITE ? !site : !gaspdb_get_varint(b, &site))
		return false;
	rec->site = *last = site_of(site);
	return get_args(b, rec, args, n);
}

static bool get_other(struct gaspdb_bytes *b, struct gaspdb_record *rec,
		      unsigned kind)
{
	uint64_t n;

	rec->kind = (uint8_t)kind;
	if (!gaspdb_get_varint(b, &n))
		return false;
	rec->payload = gaspdb_get_bytes(b, n);
	rec->bytes = (uint32_t)n;
	return rec->payload;
}

/* The next record; args: room for its arguments. */
static enum gaspdb_status next_record(struct gaspdb_reader *rd,
				      struct gaspdb_record *rec, uint64_t *args,
				      struct gaspdb_error *err)
{
	struct gaspdb_bytes *b = &rd->payload;
	uint8_t first;
	bool good;

	if (b->at == b->end)
		return GASPDB_EOF;
	rec->offset = rd->block.offset + (uint64_t)(b->at - rd->buffer);
	first = *b->at++;
	rec->phase = first & 3;
	if (rec->phase == GASPDB_PHASE_OTHER) {
		rec->n_args = 0;
		good = get_other(b, rec, first >> 2);
	} else {
		rec->args = args;
		good = get_event(b, rec, args, first, &rd->last_site);
	}
	if (good)
		return GASPDB_OK;
	b->at = b->end;
	if (b->ran_out && rd->block.cut)
		return GASPDB_EOF; /* the file ends in this record */
	gaspdb_fail(err, GASPDB_DAMAGED, "malformed record");
	err->offset = rec->offset;
	return GASPDB_DAMAGED;
}

enum gaspdb_status gaspdb_reader_record(struct gaspdb_reader *rd,
					struct gaspdb_record *rec,
					struct gaspdb_error *err)
{
	return next_record(rd, rec, rd->args, err);
}

/* --- skipping records ----------------------------------------------------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* End of an event that begins at `at`, without decoding its numbers. NULL: it
   needs the general decoder. */
static inline const uint8_t *after_event(const uint8_t *at, const uint8_t *end)
{
	const uint8_t first = *at++;
	unsigned n = first >> GASPDB_ARGS_SHIFT;

	if (n == GASPDB_ARGS_FOLLOW)
		return NULL;
	n += first & GASPDB_SAME_SITE ? 1 : 2;
	/* A number ends at a byte without its highest bit. Each byte of the
	   product is the number of ends up to it. */
	while (end - at >= 8) {
		const uint64_t ends = ~gaspdb_le(at, 8) >> 7 & EACH_BYTE;
		const uint64_t ended = ends * EACH_BYTE;
		const uint64_t enough =
			(ended + EACH_BYTE * (0x80 - n)) & EACH_BYTE << 7;

		if (enough)
			return at + (unsigned)__builtin_ctzll(enough) / 8 + 1;
		if (!ends)
			break; /* a number of more than eight bytes */
		n -= (unsigned)(ended >> 56);
		at += (63 - (unsigned)__builtin_clzll(ends)) / 8 + 1;
	}
	return NULL;
}

static inline const uint8_t *after_other(const uint8_t *at, const uint8_t *end)
{
	struct gaspdb_bytes b = { .at = at + 1, .end = end };
	uint64_t n;

	if (end - at > 2 && at[1] < 0x80) { /* most */
		n = at[1];
		b.at = at + 2;
	} else if (!gaspdb_get_varint(&b, &n)) {
		return NULL;
	}
	return n <= gaspdb_bytes_left(&b) ? b.at + n : NULL;
}

void gaspdb_reader_skip(struct gaspdb_reader *rd, uint64_t kinds, bool events)
{
	const uint8_t *const end = rd->payload.end;
	const uint8_t *at = rd->payload.at, *after = at;

	events &= rd->last_site != 0;
	while (after && (at = after) < end) {
		after = NULL;
		if ((*at & 3) != GASPDB_PHASE_OTHER) {
			if (events)
				after = after_event(at, end);
		} else if (kinds >> (*at >> 2) & 1) {
			after = after_other(at, end);
		}
	}
	rd->payload.at = at;
}

/* --- decoding a whole block ----------------------------------------------- */

/* A record has at least two bytes, an argument one. */
void gaspdb_records_init(struct gaspdb_records *r)
{
	memset(r, 0, sizeof *r);
	r->record = gaspdb_mem_alloc(GASPDB_BLOCK_MAX / 2 * sizeof *r->record);
	r->args = gaspdb_mem_alloc((GASPDB_BLOCK_MAX + GASPDB_ARGUMENTS_MAX) *
				   sizeof *r->args);
}

void gaspdb_records_free(struct gaspdb_records *r)
{
	free(r->record);
	free(r->args);
}

/* A varint with eight readable bytes; NULL: longer. */
static inline const uint8_t *take_varint_of_eight(const uint8_t *at,
						  uint64_t *value)
{
	const uint64_t w = gaspdb_le(at, 8);
	const uint64_t last = ~w & 0x8080808080808080;

	if (!last)
		return NULL;
	*value = gaspdb_join_sevens(w & (last ^ (last - 1)));
	return at + (unsigned)__builtin_ctzll(last) / 8 + 1;
}

/* The same, without branches on the length, which are mispredicted, except for
   the rare one above four bytes. */
static inline const uint8_t *take_varint(const uint8_t *at, uint64_t *value)
{
	uint32_t w = (uint32_t)gaspdb_le(at, 4);
	const uint32_t last = ~w & 0x80808080;

	if (!last)
		return take_varint_of_eight(at, value);
	w &= last ^ (last - 1);
	w = (w & 0x007f007f) | (w & 0x7f007f00) >> 1;
	*value = (w & 0x3fff) | (w & 0x3fff0000) >> 2;
	return at + 1 + (unsigned)__builtin_ctz(last) / 8;
}

/* Short events: at most SHORT_ARGS arguments, of at most eight bytes each. */
enum { SHORT_ARGS = 8, SHORT_BYTES = 1 + 8 * (SHORT_ARGS + 2) };

/* Decodes an OTHER record; NULL: not whole, or a length above eight bytes. */
static inline const uint8_t *take_short_other(const uint8_t *at,
					      const uint8_t *end,
					      struct gaspdb_record *rec)
{
	uint64_t n;
	const uint8_t *payload = take_varint(at + 1, &n);

	if (!payload || n > (size_t)(end - payload))
		return NULL;
	rec->payload = payload;
	rec->bytes = (uint32_t)n;
	rec->n_args = 0;
	rec->phase = GASPDB_PHASE_OTHER;
	rec->kind = *at >> 2;
	return payload + n;
}

/*
 * Decodes short records, as almost all are, as long as SHORT_BYTES are left, so
 * that bounds are checked once per record. Stops at any other record. Returns
 * the end of their arguments.
 */
static uint64_t *take_short_records(struct gaspdb_reader *rd,
				    struct gaspdb_records *to, uint64_t *args)
{
	const uint8_t *const end = rd->payload.end;
	/* File offset that corresponds to address 0. */
	const uint64_t offset = rd->block.offset - (uintptr_t)rd->buffer;
	struct gaspdb_record *rec = &to->record[to->n];
	const uint8_t *at = rd->payload.at;
	uint64_t site = rd->last_site;

	while (end - at >= SHORT_BYTES) {
		const unsigned first = *at, n = first >> GASPDB_ARGS_SHIFT;
		const uint8_t *next;
		uint64_t number = site;

		rec->offset = offset + (uintptr_t)at;
		if ((first & 3) == GASPDB_PHASE_OTHER) {
			next = take_short_other(at, end, rec);
			if (!next)
				break;
			at = next;
			rec++;
			continue;
		}
		if (n > SHORT_ARGS)
			break;
		next = take_varint(at + 1, &rec->ticks);
		if (next && !(first & GASPDB_SAME_SITE))
			next = take_varint(next, &number);
		for (unsigned i = 0; i < n && next; i++)
			next = take_varint(next, &args[i]);
		if (!next || number - 1 >= INT32_MAX) /* 0: no site */
			break;
		rec->args = args;
		rec->site = (uint32_t)number;
		rec->n_args = (uint16_t)n;
		rec->phase = first & 3;
		site = number;
		args += n;
		at = next;
		rec++;
	}
	to->n = (size_t)(rec - to->record);
	rd->payload.at = at;
	rd->last_site = (uint32_t)site;
	return args;
}

void gaspdb_reader_records(struct gaspdb_reader *rd, struct gaspdb_records *to)
{
	uint64_t *args = to->args;

	for (to->n = 0;; to->n++) {
		args = take_short_records(rd, to, args);
		to->status =
			next_record(rd, &to->record[to->n], args, &to->err);
		if (to->status)
			break;
		args += to->record[to->n].n_args;
	}
}

/* --- fields --------------------------------------------------------------- */

/* Codes of the fields of each kind; "": unknown kind. */
static char codes[256][GASPDB_FIELDS_MAX + 1];
static pthread_once_t codes_made = PTHREAD_ONCE_INIT;

static void make_codes(void)
{
	static const struct {
		unsigned kind;
		const char *layout; /* "name:code name:code ..." */
	} kinds[] = {
#define RECORD(ident, number, payload) { number, payload },
		GASPDB_RECORDS(RECORD)
#undef RECORD
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const char *p = strchr(kinds[i].layout, ':');
		unsigned n = 0;

		for (; p && n < GASPDB_FIELDS_MAX; p = strchr(p + 1, ':'))
			codes[kinds[i].kind][n++] = p[1];
	}
}

static const char *codes_of(unsigned kind)
{
	pthread_once(&codes_made, make_codes);
	return kind < sizeof codes / sizeof *codes ? codes[kind] : "";
}

bool gaspdb_record_known(unsigned kind)
{
	return *codes_of(kind);
}

static bool get_text(struct gaspdb_bytes *b, uint64_t n, struct gaspdb_field *f)
{
	const uint8_t *p = gaspdb_get_bytes(b, n);

	f->s = (struct gaspdb_text){ (const char *)p, (size_t)n };
	return p;
}

static bool get_field(struct gaspdb_bytes *b, char code, struct gaspdb_field *f)
{
	if (code == '.')
		return get_text(b, gaspdb_bytes_left(b), f);
	if (!gaspdb_get_varint(b, &f->u))
		return false;
	if (code == 's')
		return get_text(b, f->u, f);
	f->i = gaspdb_unzigzag(f->u);
	if (f->i == INT64_MIN) /* the importer's NULL */
		f->i++;
	return true;
}

/* Number of fields in the first version of a kind. Later ones are optional,
   with the values 0 and "". */
static unsigned fields_needed(unsigned kind)
{
	return kind == GASPDB_RECORD_OPERATION ? 9
	       : kind == GASPDB_RECORD_PASSED  ? 5
	       : kind == GASPDB_RECORD_MODULE  ? 5
	       : kind == GASPDB_RECORD_SITE    ? 5
	       : kind == GASPDB_RECORD_SITE_PC ? 3
	       : kind == GASPDB_RECORD_PROBED  ? 4
	       : kind == GASPDB_RECORD_HEAP    ? 9
					       : GASPDB_FIELDS_MAX;
}

unsigned gaspdb_record_fields(const struct gaspdb_record *rec,
			      struct gaspdb_field fields[GASPDB_FIELDS_MAX])
{
	const char *code = codes_of(rec->kind);
	struct gaspdb_bytes b = { .at = rec->payload,
				  .end = rec->payload + rec->bytes };
	unsigned n = 0;

	for (; code[n]; n++) {
		if (b.at == b.end && n >= fields_needed(rec->kind))
			fields[n] = (struct gaspdb_field){ .s = { "", 0 } };
		else if (!get_field(&b, code[n], &fields[n]))
			return 0;
	}
	return n;
}
