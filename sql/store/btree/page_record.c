/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow path of records: reals, long texts, overflow pages. */
#include "sql/store/btree/page_record.h"

#include "common/value.h"

/* SQLite's varint of up to nine bytes. */
struct gaspdb_varint gaspdb_page_long_varint(const uint8_t *at,
					     const uint8_t *end)
{
	struct gaspdb_varint v = { 0, at };

	for (int i = 0; i < 8 && v.after < end; i++) {
		const uint8_t byte = *v.after++;

		v.value = v.value << 7 | (byte & 0x7f);
		if (byte < 0x80)
			return v;
	}
	if (v.after < end)
		v.value = v.value << 8 | *v.after++;
	return v;
}

const struct gaspdb_serial gaspdb_serials[GASPDB_SERIALS] = {
	{ 0, INT64_MIN }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 },
	{ 6, 0 },	  { 8, 0 }, { 8, 0 }, { 0, 0 }, { 0, 1 }
};

static int64_t cut_real(int64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof real);
	if (real >= 0x1p63)
		return INT64_MAX;
	return real > -0x1p63 ? (int64_t)real : INT64_MIN;
}

int64_t gaspdb_page_text(const uint8_t *p, uint64_t bytes)
{
	return gaspdb_word_n((const char *)p, bytes);
}

/* The part of a record in its page. */
struct record {
	const uint8_t *types, *types_end, *body, *end;
	uint64_t left; /* bytes of the body, including overflow pages */
};

/* Locate a cell's record. false: it exceeds the page. */
static bool get_record(const struct gaspdb_record_format *format,
		       const uint8_t *cell, const uint8_t *end,
		       struct record *to, int64_t *rowid)
{
	const struct gaspdb_varint record = gaspdb_page_varint(cell, end);
	const struct gaspdb_varint key = gaspdb_page_varint(record.after, end);
	const struct gaspdb_varint header = gaspdb_page_varint(key.after, end);
	const uint8_t *const begin = key.after;
	const uint64_t bytes = record.value;

	*rowid = (int64_t)key.value;
	/* A long record continues in overflow pages; rare. */
	if (bytes > (uint64_t)(end - begin) && bytes <= format->usable - 35)
		return false;
	to->end = bytes < (uint64_t)(end - begin) ? begin + bytes : end;
	if (header.value > bytes ||
	    header.value < (uint64_t)(header.after - begin) ||
	    header.value > (uint64_t)(to->end - begin))
		return false;
	to->types = header.after;
	to->types_end = to->body = begin + header.value;
	to->left = bytes - header.value;
	return true;
}

/* The beginning of a text or blob, up to the page's end. */
static bool get_long(struct record *from, uint64_t type, int64_t *value)
{
	const uint64_t bytes = (type - GASPDB_SERIAL_BLOB) / 2;
	const uint64_t here = (uint64_t)(from->end - from->body);

	if (type < GASPDB_SERIAL_BLOB || bytes > from->left)
		return false;
	*value = gaspdb_page_text(from->body, bytes < here ? bytes : here);
	from->body += bytes < here ? bytes : here;
	from->left -= bytes;
	return true;
}

bool gaspdb_page_any_row(const struct gaspdb_record_format *format,
			 const uint8_t *cell, const uint8_t *end, unsigned n,
			 int64_t *values)
{
	struct record from;
	int64_t rowid;

	if (!get_record(format, cell, end, &from, &rowid))
		return false;
	for (unsigned i = 0; i < n; i++) {
		struct gaspdb_varint next;
		unsigned bytes;
		uint64_t type;

		if (from.types >= from.types_end)
			return false;
		next = gaspdb_page_varint(from.types, from.types_end);
		from.types = next.after;
		type = next.value;
		if (type >= GASPDB_SERIALS) {
			if (!get_long(&from, type, &values[i]))
				return false;
			continue;
		}
		bytes = gaspdb_serials[type].bytes;
		if (bytes > from.end - from.body)
			return false;
		values[i] = bytes ? gaspdb_page_int(from.body, bytes)
				  : gaspdb_serials[type].value;
		if (type == GASPDB_SERIAL_REAL)
			values[i] = cut_real(values[i]);
		from.body += bytes;
		from.left -= bytes;
	}
	values[0] = rowid;
	return true;
}
