/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value of a column, of any SQLite type. */
#ifndef GASPDB_COMMON_VALUE_H
#define GASPDB_COMMON_VALUE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GASPDB_NULL INT64_MIN /* NULL of integers */

struct gaspdb_value {
	enum {
		GASPDB_IS_NULL,
		GASPDB_IS_INT,
		GASPDB_IS_REAL,
		GASPDB_IS_TEXT,
		GASPDB_IS_BLOB
	} is;
	union {
		int64_t i;
		double real;
		const char *text; /* must be valid until the row is written */
		const void *blob;
	};
	size_t n; /* bytes of a text or blob */
};

static inline struct gaspdb_value gaspdb_int(int64_t i)
{
	return (struct gaspdb_value){ .is = i == GASPDB_NULL ? GASPDB_IS_NULL
							     : GASPDB_IS_INT,
				      .i = i };
}

static inline struct gaspdb_value gaspdb_real(double d)
{
	return (struct gaspdb_value){ .is = GASPDB_IS_REAL, .real = d };
}

/* A text; NULL: NULL. */
static inline struct gaspdb_value gaspdb_str(const char *s)
{
	return (struct gaspdb_value){ .is = s ? GASPDB_IS_TEXT : GASPDB_IS_NULL,
				      .text = s,
				      .n = s ? strlen(s) : 0 };
}

/* First eight bytes of a text, which represent it in rows of integers. */
static inline int64_t gaspdb_word_n(const char *text, uint64_t bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		v = v << 8 | (i < bytes ? (uint8_t)text[i] : 0);
	return (int64_t)v;
}

static inline int64_t gaspdb_word(const char *text)
{
	return gaspdb_word_n(text, strlen(text));
}

#endif
