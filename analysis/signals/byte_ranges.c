/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Byte ranges of writes. Sizes and strides come from a log and may be absurd,
   so sums and products saturate. */
#include "analysis/signals/byte_ranges.h"

#include "common/sum.h"

enum { SIGNAL_BYTES = 8 };

struct gaspdb_byte_ranges
gaspdb_byte_ranges_of(int64_t object, int64_t bytes,
		      const struct gaspdb_access_values *given)
{
	const int64_t element =
		gaspdb_access_value(given, GASPDB_ACCESS_ELEMENT_BYTES, 0);
	const int64_t n = gaspdb_access_value(given, GASPDB_ACCESS_ELEMENTS, 0);
	const int64_t stride = gaspdb_times(
		gaspdb_access_value(given, GASPDB_ACCESS_TARGET_STRIDE, 1),
		element);
	struct gaspdb_byte_ranges s = { object, bytes, 1, bytes != 0 };

	if (bytes == GASPDB_NONE)
		s.bytes = 1;
	if (object == GASPDB_NONE || element <= 0 || n <= 1 ||
	    stride == element)
		return s;
	s.bytes = element;
	if (stride == 0)
		return s; /* one element, written repeatedly */
	s.n = n;
	s.stride = stride < 0 ? -stride : stride;
	if (stride < 0)
		s.first = gaspdb_plus(object, gaspdb_times(n - 1, stride));
	return s;
}

struct gaspdb_byte_ranges
gaspdb_byte_ranges_signal(const struct gaspdb_access_values *given)
{
	return (struct gaspdb_byte_ranges){
		gaspdb_access_value(given, GASPDB_ACCESS_SIGNAL, GASPDB_NONE),
		SIGNAL_BYTES, 1, given->found >> GASPDB_ACCESS_SIGNAL & 1
	};
}

int64_t gaspdb_byte_ranges_at(const struct gaspdb_byte_ranges *s, int64_t i)
{
	return gaspdb_plus(s->first, gaspdb_times(i, s->stride));
}

int64_t gaspdb_byte_ranges_last(const struct gaspdb_byte_ranges *s)
{
	return gaspdb_plus(gaspdb_byte_ranges_at(s, s->n - 1), s->bytes - 1);
}

bool gaspdb_byte_ranges_overlap(const struct gaspdb_byte_ranges *s,
				int64_t object, int64_t bytes)
{
	/* Distance from the end of the first range. */
	const int64_t behind =
		gaspdb_plus(object, -gaspdb_plus(s->first, s->bytes));
	const int64_t i = behind < 0 ? 0 : behind / s->stride + 1;

	return i < s->n &&
	       gaspdb_byte_ranges_at(s, i) < gaspdb_plus(object, bytes);
}
