/* SPDX-License-Identifier: BSD-2-Clause */
/* The limit of throttling as text: CALLS[,DURATION], 0 or off. */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_THROTTLE_LIMIT_H
#define GASPDB_COLLECTOR_CORE_SELECTION_THROTTLE_LIMIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The limit from which on a function is throttled in a thread: this number of
   calls, with a mean duration below ns. */
struct gaspdb_throttle_limit {
	uint64_t calls; /* UINT64_MAX: none is throttled */
	uint64_t ns;
};

#define GASPDB_THROTTLE_CALLS UINT64_C(100000)
#define GASPDB_THROTTLE_NS    UINT64_C(10000)

/* Parses a decimal number; *text moves behind it. */
static inline bool gaspdb_throttle_number(const char **text, uint64_t *n)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*n = strtoull(*text, &end, 10);
	*text = end;
	return !errno;
}

/* Parses a duration in ns, us (if it has no unit), ms or s. */
static inline bool gaspdb_throttle_duration(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "us", 1000 },
		      { "", 1000 },
		      { "ns", 1 },
		      { "ms", 1000000 },
		      { "s", 1000000000 } };

	if (!gaspdb_throttle_number(&text, ns))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(text, units[i].name))
			return !__builtin_mul_overflow(*ns, units[i].ns, ns);
	return false;
}

/* Parses a limit; false: the text is none. */
static inline bool gaspdb_throttle_parse(const char *text,
					 struct gaspdb_throttle_limit *limit)
{
	struct gaspdb_throttle_limit l = { UINT64_MAX, GASPDB_THROTTLE_NS };

	if (strcmp(text, "off") != 0 &&
	    (!gaspdb_throttle_number(&text, &l.calls) ||
	     (*text &&
	      (*text != ',' || !gaspdb_throttle_duration(text + 1, &l.ns)))))
		return false;
	if (!l.calls)
		l.calls = UINT64_MAX;
	*limit = l;
	return true;
}

#endif
