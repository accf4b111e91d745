/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in human units: formatting and parsing. */
#ifndef GASPDB_CLI_OUTPUT_HUMAN_H
#define GASPDB_CLI_OUTPUT_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GASPDB_HUMAN_BYTES = 32 }; /* room that every number fits in */

/* Each writes into buf and returns it. */

/* "450 ns", "12.3 us", "1.234 s", "3 min 25 s", "2 h 07 min" */
const char *gaspdb_human_time(char buf[GASPDB_HUMAN_BYTES], int64_t ns);
/* "512 B", "3.2 MiB" */
const char *gaspdb_human_size(char buf[GASPDB_HUMAN_BYTES], int64_t bytes);
/* "1,234,567" */
const char *gaspdb_human_count(char buf[GASPDB_HUMAN_BYTES], int64_t n);
/* part of whole in per cent, "97.3 %"; "100 %" and "0 %" only if exact */
const char *gaspdb_human_share(char buf[GASPDB_HUMAN_BYTES], double part,
			       double whole);
/* ns since 1970 as "2025-11-20T13:28:00Z" */
const char *gaspdb_human_date(char buf[GASPDB_HUMAN_BYTES], int64_t real_ns);

/* "thread", "threads": the word for n of them. */
const char *gaspdb_human_plural(int64_t n, const char *one, const char *many);

/*
 * A unit that suits all numbers of a column: a number is divided by divisor
 * and shown with that many decimals.
 */
struct gaspdb_scale {
	const char *unit;
	double divisor;
	int decimals;
};

/*
 * unit: as the analyses declare it, "ns", "B", "%", "count", or "" of a plain
 * number; "s" is a point in time, shown with all its digits.  largest: the
 * column's greatest magnitude; is_real: not all are whole numbers.
 */
struct gaspdb_scale gaspdb_human_scale(const char *unit, double largest,
				       bool is_real);
/* The unit of a quantity: time, bytes, calls. */
const char *gaspdb_human_unit_of(const char *quantity);
/* The number in that unit, without it; grouped; "<0.001" rather than 0. */
const char *gaspdb_human_scaled(char buf[GASPDB_HUMAN_BYTES], double value,
				struct gaspdb_scale scale);

/* Parses a number with or without a suffix of the unit ("10ms", "4KiB", "12");
   unit "": no suffix. false: invalid or out of range. */
bool gaspdb_human_parse(const char *text, const char *unit, int64_t *value);
/* Is it a unit of time? */
bool gaspdb_human_is_time(const char *unit);
/* Seconds, also as 1500ms. */
bool gaspdb_human_parse_time(const char *text, double *seconds);
/* Bytes, also as 64M and 64MiB. */
bool gaspdb_human_parse_size(const char *text, int64_t *bytes);

#endif
