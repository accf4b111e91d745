/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of a run: rows of analysis worst, read once. */
#ifndef GASPDB_CLI_REPORT_FINDINGS_H
#define GASPDB_CLI_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_report;

/* Columns of the analysis; NULL is "" for texts, -1 for numbers. */
#define GASPDB_FINDING_TEXTS(X) \
	X(kind)                 \
	X(operation)            \
	X(location)             \
	X(waiting_operation)    \
	X(waiting_location)     \
	X(function)             \
	X(waiting_function)     \
	X(caller)               \
	X(pattern)              \
	X(reason)               \
	X(reason_caller)        \
	X(because)              \
	X(because_location)     \
	X(object) X(meaning) X(advice) X(holds_when) X(effects) X(more)
#define GASPDB_FINDING_INTEGERS(X) \
	X(lost_ns)                 \
	X(on_path_ns)              \
	X(at_most)                 \
	X(equal_share_ns)          \
	X(cases)                   \
	X(longest_ns)              \
	X(error_ns)                \
	X(on_path_error_ns)        \
	X(saving_ns) X(thread) X(threads) X(excess_ns) X(number) X(effect_of)
#define GASPDB_FINDING_REALS(X)                                          \
	X(share)                                                         \
	X(on_path_share) X(thread_share) X(caller_share) X(reason_share) \
		X(reason_caller_share)

struct gaspdb_finding {
#define FIELD(name) char *name;
	GASPDB_FINDING_TEXTS(FIELD)
#undef FIELD
#define FIELD(name) int64_t name;
	GASPDB_FINDING_INTEGERS(FIELD)
#undef FIELD
#define FIELD(name) double name;
	GASPDB_FINDING_REALS(FIELD)
#undef FIELD
};

/* In the order of the analysis; effects of other findings come last. */
struct gaspdb_findings {
	struct gaspdb_finding *list;
	size_t n, n_leads;   /* those that are not effects */
	bool was_read, good; /* good: the analysis did not fail */
};

/* Findings of the report, read at the first call. */
const struct gaspdb_findings *gaspdb_report_findings(struct gaspdb_report *r);
void gaspdb_findings_free(struct gaspdb_findings *findings);

/* Is it waiting? Is it computation of one thread beyond the mean? */
bool gaspdb_finding_is_wait(const struct gaspdb_finding *f);
bool gaspdb_finding_is_imbalance(const struct gaspdb_finding *f);
/* Is it evenly distributed over threads? */
bool gaspdb_finding_is_alike(const struct gaspdb_finding *f);
/* Is the late call another one than the waiting call? */
bool gaspdb_finding_is_elsewhere(const struct gaspdb_finding *f);

/* " +- 3 us", the error of the clocks of several hosts; "": none, or unknown.
   The caller frees it. */
char *gaspdb_finding_error(int64_t error_ns);

/* The waiting call: " at a.c:10 (MPI_Recv)"; with call stacks also " in sum(),
   called by solve() (60 % of the waiting)".  The caller frees it. */
char *gaspdb_finding_waiting_place(const struct gaspdb_finding *f);
/* The call that was waited for, or accesses: " at a.c:10 (MPI_Send) in sum()".
   The caller frees it. */
char *gaspdb_finding_place(const struct gaspdb_finding *f);
/* The functions of the waiting call alone: " in sum(), called by solve() (60 %
   of the waiting)", or "".  The caller frees it. */
char *gaspdb_finding_functions(const struct gaspdb_finding *f);
/* Of the function that the reason names: ", mostly when called by solve() (93
   %)", or "".  The caller frees it. */
char *gaspdb_finding_reason_caller(const struct gaspdb_finding *f);
/* A copy with times ("38055200 ns") in human units. */
char *gaspdb_finding_times(const char *text);

#endif
