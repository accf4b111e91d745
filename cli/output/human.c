/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in human units: formatting and parsing. */
#include "cli/output/human.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/output/text.h"

/* Suffixes and their factors, ascending. */
struct suffix {
	const char *name;
	double factor;
};

static const struct suffix time_suffixes[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { NULL, 0 },
};
static const struct suffix size_suffixes[] = {
	{ "B", 1 },
	{ "KiB", 1024 },
	{ "MiB", 1048576 },
	{ "GiB", 1073741824 },
	{ "TiB", 1099511627776 },
	{ NULL, 0 },
};

static const struct suffix *suffixes_of(const char *unit)
{
	if (!strcmp(unit, "ns"))
		return time_suffixes;
	if (!strcmp(unit, "B"))
		return size_suffixes;
	return NULL;
}

/* Three or four significant digits, at most max_decimals. */
static int decimals_for(double value, int max_decimals)
{
	int decimals = fabs(value) < 9.995 ? 3 : fabs(value) < 99.95 ? 2 : 1;

	return decimals < max_decimals ? decimals : max_decimals;
}

const char *gaspdb_human_time(char buf[GASPDB_HUMAN_BYTES], int64_t ns)
{
	double s = (double)ns / 1e9, size = fabs(s);

	if (ns == 0)
		strcpy(buf, "0 s");
	else if (size < 1e-6)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%" PRId64 " ns", ns);
	else if (size < 999.95e-6)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.1f us", s * 1e6);
	else if (size < 999.95e-3)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.1f ms", s * 1e3);
	else if (size < 120)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.*f s", decimals_for(s, 3),
			 s);
	else if (size < 7200)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%d min %02d s",
			 (int)(s / 60), (int)fmod(size, 60));
	else
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.0f h %02d min",
			 trunc(s / 3600), (int)fmod(size / 60, 60));
	return buf;
}

const char *gaspdb_human_size(char buf[GASPDB_HUMAN_BYTES], int64_t bytes)
{
	const struct suffix *u = size_suffixes;
	double size = fabs((double)bytes);

	/* 1023.96 KiB would round to 1024.0 */
	while (u[1].name && size >= u[1].factor - u[0].factor * 0.05)
		u++;
	if (u == size_suffixes)
		snprintf(buf, GASPDB_HUMAN_BYTES, "%" PRId64 " B", bytes);
	else
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.1f %s",
			 (double)bytes / u->factor, u->name);
	return buf;
}

/* Insert separators into the integer digits of the number in buf. */
static void group_digits(char buf[GASPDB_HUMAN_BYTES])
{
	char digits[GASPDB_HUMAN_BYTES];
	char *out = buf;
	const char *in = digits;

	memcpy(digits, buf, sizeof digits);
	if (*in == '-')
		*out++ = *in++;
	for (size_t n = strspn(in, "0123456789"); n > 0; n--) {
		*out++ = *in++;
		if (n > 1 && n % 3 == 1)
			*out++ = ',';
	}
	strcpy(out, in);
}

const char *gaspdb_human_count(char buf[GASPDB_HUMAN_BYTES], int64_t n)
{
	snprintf(buf, GASPDB_HUMAN_BYTES, "%" PRId64, n);
	group_digits(buf);
	return buf;
}

const char *gaspdb_human_share(char buf[GASPDB_HUMAN_BYTES], double part,
			       double whole)
{
	double share = whole > 0 ? 100 * part / whole : 0;

	/* rounding error of equal numbers computed as reals in SQL */
	if (whole > 0 && fabs(whole - part) <= 1e-14 * whole)
		part = whole, share = 100;
	if (share >= 99.95 && part < whole)
		strcpy(buf, ">99.9 %");
	else if (share > 0 && share < 0.05)
		strcpy(buf, "<0.1 %");
	else if (share == 0 || (whole > 0 && part == whole))
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.0f %%", share);
	else
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.1f %%", share);
	return buf;
}

const char *gaspdb_human_date(char buf[GASPDB_HUMAN_BYTES], int64_t real_ns)
{
	time_t seconds = (time_t)(real_ns / 1000000000);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) ||
	    !strftime(buf, GASPDB_HUMAN_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm))
		strcpy(buf, "?");
	return buf;
}

const char *gaspdb_human_plural(int64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* Decimals of numbers that are not scaled. */
static int plain_decimals(const char *unit, double largest, bool is_real)
{
	if (!strcmp(unit, "s"))
		return 9;
	if (!strcmp(unit, "%"))
		return 1;
	return is_real ? decimals_for(largest, 3) : 0;
}

const char *gaspdb_human_unit_of(const char *quantity)
{
	return !strcmp(quantity, "time")    ? "ns"
	       : !strcmp(quantity, "bytes") ? "B"
					    : "count";
}

struct gaspdb_scale gaspdb_human_scale(const char *unit, double largest,
				       bool is_real)
{
	const struct suffix *u = suffixes_of(unit);

	if (!u)
		return (struct gaspdb_scale){
			unit, 1, plain_decimals(unit, largest, is_real)
		};
	/* enough digits to compare by */
	double most = u == time_suffixes ? 1e4 : 1e7;
	const struct suffix *first = u;
	while (u[1].name && fabs(largest) >= most * u->factor)
		u++;
	return (struct gaspdb_scale){ u->name, u->factor,
				      u == first	       ? 0
				      : first == time_suffixes ? 3
							       : 1 };
}

const char *gaspdb_human_scaled(char buf[GASPDB_HUMAN_BYTES], double value,
				struct gaspdb_scale scale)
{
	double least = pow(10, -scale.decimals);
	double v = value / scale.divisor;

	if (v != 0 && fabs(v) < least / 2) {
		snprintf(buf, GASPDB_HUMAN_BYTES, "%s%.*f", v < 0 ? ">-" : "<",
			 scale.decimals, least);
		return buf;
	}
	/* beyond this, %f prints meaningless digits */
	if (fabs(v) >= 1e18 || isnan(v)) {
		snprintf(buf, GASPDB_HUMAN_BYTES, "%.3g", v);
		return buf;
	}
	/* 19 digits, 6 separators, sign and 3 decimals fit. */
	snprintf(buf, GASPDB_HUMAN_BYTES, "%.*f", scale.decimals, v);
	group_digits(buf);
	return buf;
}

bool gaspdb_human_parse(const char *text, const char *unit, int64_t *value)
{
	const struct suffix *u = suffixes_of(unit);
	char *rest;

	errno = 0;
	*value = strtoll(text, &rest, 10);
	if (rest != text && !*rest && !isspace((unsigned char)*text))
		return errno == 0;
	double number = strtod(text, &rest);
	if (rest == text || !u || isspace((unsigned char)*text))
		return false;
	while (*rest == ' ')
		rest++;
	while (u->name && strcasecmp(u->name, rest))
		u++;
	if (!u->name || !(fabs(number * u->factor) < 9.2e18))
		return false;
	*value = (int64_t)llround(number * u->factor);
	return true;
}

bool gaspdb_human_is_time(const char *unit)
{
	return !strcmp(unit, "ns") || !strcmp(unit, "s");
}

bool gaspdb_human_parse_time(const char *text, double *seconds)
{
	int64_t ns;
	char *rest;

	*seconds = strtod(text, &rest);
	if (rest == text || isspace((unsigned char)*text) ||
	    !(fabs(*seconds) < 9.2e9))
		return false;
	if (!*rest)
		return true;
	if (!gaspdb_human_parse(text, "ns", &ns))
		return false;
	*seconds = (double)ns / 1e9;
	return true;
}

bool gaspdb_human_parse_size(const char *text, int64_t *bytes)
{
	char *with_unit = gaspdb_text_format("%siB", text);
	const bool good = gaspdb_human_parse(text, "B", bytes) ||
			  gaspdb_human_parse(with_unit, "B", bytes);

	free(with_unit);
	return good;
}
