/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb report. */
#ifndef GASPDB_CLI_REPORT_REPORT_H
#define GASPDB_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/database/database.h"
#include "cli/report/findings.h"
#include "cli/report/table.h"
#include "cli/database/words.h"

/* What is not recorded, in sentences; NULL: nothing of the kind. */
struct gaspdb_unseen {
	bool was_read;
	char *kinds; /* of calls, alone */
	char *calls, *logs, *owners;
};

/* Of analysis pop: the parallel efficiency (%), -1: not known, and what most is
 * lost to, with words to fill in, NULL: hardly anything, or not known. */
struct gaspdb_efficiencies {
	bool was_read;
	double parallel;
	const char *loss;
};

struct gaspdb_report {
	struct gaspdb_database *db;
	FILE *out;
	char *file;		 /* the database, as one types it in a shell */
	struct gaspdb_error err; /* of the analysis that failed; status OK */
	int64_t n_threads, n_processes, n_hosts, duration_ns;
	bool is_cut; /* of some thread the end is not known */
	struct gaspdb_run_words words;
	struct gaspdb_findings findings; /* see gaspdb_report_findings() */
	struct gaspdb_unseen unseen;	 /* see gaspdb_report_unseen() */
	struct gaspdb_efficiencies pop;	 /* see gaspdb_report_efficiencies() */
	enum { GASPDB_UNKNOWN, GASPDB_NOT_HUNG, GASPDB_HUNG } hung;
	bool has_top;  /* the verdict stands above (verdict.h) */
	size_t n_told; /* findings that it tells, from the first */
};

/* A section: an analysis' rows, or a part of them, as a table. */
struct gaspdb_report_section {
	const char *name; /* for --section; NULL: its analysis' */
	const char *title;
	const char *analysis;
	const char *also;   /* other analyses that tell more; NULL: none */
	const char *params; /* "name=value name=value", or NULL */
	const char *skip;   /* "column=text|text": rows to leave out, or NULL */
	double least;	    /* leave out smaller shares (%) after a few rows */
	int rows;	    /* at most */
	const struct gaspdb_report_column *columns; /* of its table, if it has one */
	/* Print instead of the table; returns false if there is nothing. */
	bool (*print)(struct gaspdb_report *r,
		      const struct gaspdb_report_section *section);
	/* A sentence below the title, or NULL; the caller frees it. */
	char *(*remark)(struct gaspdb_report *r);
	/* The same of a table, by its first row that has one to tell. */
	char *(*row_remark)(struct gaspdb_report *r, sqlite3_stmt *row);
	unsigned unseen; /* what its figures may lack, bits */
};

/* Calls that a runtime does not record; owners of memory that is accessed. */
enum { GASPDB_UNSEEN_CALLS = 1, GASPDB_UNSEEN_OWNERS = 2 };
enum { GASPDB_UNSEEN_SENTENCES = 3 }; /* at most */
/* What of these is not known in this run; returns the number of sentences,
 * which the report owns. */
size_t gaspdb_report_unseen(struct gaspdb_report *r, unsigned what,
			    const char *sentences[GASPDB_UNSEEN_SENTENCES]);
void gaspdb_report_unseen_print(struct gaspdb_report *r, unsigned what);
void gaspdb_report_unseen_free(struct gaspdb_report *r);
/* The same of calls, in short; "": all is.  The caller frees it. */
char *gaspdb_report_unseen_briefly(struct gaspdb_report *r);
bool gaspdb_report_sees_all(struct gaspdb_report *r);

/* Lines to warn of: half of their time and more is ours, and it is not little.
 */
#define GASPDB_REPORT_OVERHEAD "least=50 of-run=1"

/* In order; ends with a NULL title. */
extern const struct gaspdb_report_section gaspdb_report_sections[];
/* "rank 3"; "thread 3 of rank 1", where processes have several.  The caller
 * frees it. */
char *gaspdb_report_thread(struct gaspdb_report *r, int64_t id);
/* As --section names it. */
const char *
gaspdb_report_section_name(const struct gaspdb_report_section *section);

/* Its title and remark; remark: of a row, or NULL. */
void gaspdb_report_head(struct gaspdb_report *r,
			const struct gaspdb_report_section *section,
			const char *remark);
void gaspdb_report_title(struct gaspdb_report *r, const char *title);
/* "more: gaspdb analyze ..." */
void gaspdb_report_more(struct gaspdb_report *r,
			const struct gaspdb_report_section *section);

/*
 * The section's analysis, ready to be stepped; NULL if it cannot be run,
 * which is noted in the report.  The caller finalizes it.
 */
sqlite3_stmt *gaspdb_report_query(struct gaspdb_report *r, const char *analysis,
				  const char *params, int limit);
/* Index of the analysis' column of that name; -1: it has none. */
int gaspdb_report_find_column(sqlite3_stmt *stmt, const char *name);
/* The row's value in that column; there is none, or it is NULL: "", -1. */
const char *gaspdb_report_text(sqlite3_stmt *stmt, const char *name);
int64_t gaspdb_report_integer(sqlite3_stmt *stmt, const char *name);

/* The rows that a section shows, one by one. */
struct gaspdb_report_rows {
	const struct gaspdb_report_section *section;
	sqlite3_stmt *stmt; /* NULL: it cannot be run */
	int n, most;	    /* rows so far; -1: all are shown */
	bool more;	    /* at the end: the analysis has more */
	char *remark;	    /* of the first row that has one */
};

/* Step to the next one; false at the end, and after an error, which is noted in
 * the report. */
bool gaspdb_report_rows_next(struct gaspdb_report *r,
			     struct gaspdb_report_rows *rows);
void gaspdb_report_rows_free(struct gaspdb_report_rows *rows);
/* The remark below the title, of the section or of a row; NULL: none.  The
 * caller frees it. */
char *gaspdb_report_remark(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section,
			   const char *of_row);

/* Returns false if there is nothing. */
bool gaspdb_report_section_print(struct gaspdb_report *r,
				 const struct gaspdb_report_section *section);

/* Remarks: how much of the messages was matched; what to do about lines that
 * are mostly our time; how to read a matrix. */
char *gaspdb_report_coverage(struct gaspdb_report *r);
char *gaspdb_report_overhead_advice(struct gaspdb_report *r);
char *gaspdb_report_axes(struct gaspdb_report *r);
/* Why nothing is said of how much shorter the run can get, where that is so. */
char *gaspdb_report_unseen_waits(struct gaspdb_report *r);
/* What to make of uneven times. */
char *gaspdb_report_imbalance(struct gaspdb_report *r);
/* What the columns about barriers and collectives are. */
char *gaspdb_report_late(struct gaspdb_report *r);
char *gaspdb_report_open(struct gaspdb_report *r);
/* What the run's length is made of most: the first row that is known. */
char *gaspdb_report_path(struct gaspdb_report *r, sqlite3_stmt *row);
/* What most of it is lost to. */
char *gaspdb_report_efficiency(struct gaspdb_report *r);

const struct gaspdb_efficiencies *
gaspdb_report_efficiencies(struct gaspdb_report *r);

/* Half of the threads and more wait to the end, or wait in a circle. */
bool gaspdb_report_is_hung(struct gaspdb_report *r);

/* Sections with a form of their own. */
bool gaspdb_report_summary(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_threads(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_run(struct gaspdb_report *r,
		       const struct gaspdb_report_section *section);
/* All threads, with what the table of them shows but for its last column. */
sqlite3_stmt *gaspdb_report_threads_query(struct gaspdb_report *r);
/* What recording took of the time of threads of which that is known; false: of
 * none. */
bool gaspdb_report_overhead_sums(struct gaspdb_report *r, int64_t *ns,
				 int64_t *of_ns);
/* "about 3.2 % of the ranks' time (worst: rank 2, 4.1 %)" */
char *gaspdb_report_overhead(struct gaspdb_report *r);
bool gaspdb_report_categories(struct gaspdb_report *r,
			      const struct gaspdb_report_section *section);
bool gaspdb_report_traffic(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_quality(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_hangs(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section);
bool gaspdb_report_worst(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section);

#endif
