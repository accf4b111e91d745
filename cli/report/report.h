/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: its state, sections and parts. */
#ifndef GASPDB_CLI_REPORT_REPORT_H
#define GASPDB_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/database/database.h"
#include "cli/report/findings.h"
#include "cli/report/table.h"
#include "cli/database/words.h"

/* Sentences about what is not recorded; NULL: none. */
struct gaspdb_unseen {
	bool was_read;
	char *kinds; /* kinds of calls, without a sentence */
	char *calls, *logs, *owners;
};

/*
 * Results of analysis pop. parallel: parallel efficiency (%), -1: unknown.
 * loss: the largest loss, with placeholders for words; NULL: small or unknown.
 */
struct gaspdb_efficiencies {
	bool was_read;
	double parallel;
	const char *loss;
};

struct gaspdb_report {
	struct gaspdb_database *db;
	FILE *out;
	char *file;		 /* the database, quoted for a shell */
	struct gaspdb_error err; /* error of a failed analysis; or status OK */
	int64_t n_threads, n_processes, n_hosts, duration_ns;
	bool is_cut; /* the end of some thread is unknown */
	bool is_profile; /* recorded as a profile alone (meta.mode) */
	struct gaspdb_run_words words;
	struct gaspdb_findings findings; /* see gaspdb_report_findings() */
	struct gaspdb_unseen unseen;	 /* see gaspdb_report_unseen() */
	struct gaspdb_efficiencies pop;	 /* see gaspdb_report_efficiencies() */
	enum { GASPDB_UNKNOWN, GASPDB_NOT_HUNG, GASPDB_HUNG } hung;
	bool has_top;	     /* the summary is printed above (verdict.h) */
	size_t n_in_summary; /* number of findings in the summary */
};

/* Reads the run's facts: first of all. */
void gaspdb_report_read(struct gaspdb_report *r);
/* Prints all sections. */
void gaspdb_report_print(struct gaspdb_report *r);
/* Frees what the report has read. */
void gaspdb_report_free(struct gaspdb_report *r);

/* A section: rows of an analysis as a table. */
struct gaspdb_report_section {
	const char *name; /* for --section; NULL: name of the analysis */
	const char *title;
	const char *analysis;
	const char *also;   /* related analyses; or NULL */
	const char *params; /* "name=value name=value", or NULL */
	const char *skip;   /* "column=text|text": rows to skip; or NULL */
	double least;	    /* smallest share (%) to show, after a few rows */
	int rows;	    /* at most */
	const struct gaspdb_report_column *columns; /* of its table; or NULL */
	/* Prints the section in place of the table; false: it is empty. */
	bool (*print)(struct gaspdb_report *r,
		      const struct gaspdb_report_section *section);
	/* Sentence below the title, or NULL; the caller frees it. */
	char *(*remark)(struct gaspdb_report *r);
	/* The same from a row: the first one that returns a sentence. */
	char *(*row_remark)(struct gaspdb_report *r, sqlite3_stmt *row);
	unsigned unseen; /* bits: what its figures may lack */
	bool of_profile; /* of a trace, only if it is asked for */
};

/* Is a section of this run's report? Not if it needs a trace that the run does
   not have. */
bool gaspdb_report_has(const struct gaspdb_report *r,
		       const struct gaspdb_report_section *section);
/* Lists the sections that need a trace, in place of empty tables. */
void gaspdb_report_needing(struct gaspdb_report *r);
/* Does a section need a trace that the run does not have? */
bool gaspdb_report_needs_trace(const struct gaspdb_report *r,
			       const struct gaspdb_report_section *section);

/* Unrecorded calls of a runtime; unknown owners of accessed memory. */
enum { GASPDB_UNSEEN_CALLS = 1, GASPDB_UNSEEN_OWNERS = 2 };
enum { GASPDB_UNSEEN_SENTENCES = 3 }; /* at most */
/* Sentences about unrecorded calls or unknown owners, as `what` asks; returns
   their number. The report owns them. */
size_t gaspdb_report_unseen(struct gaspdb_report *r, unsigned what,
			    const char *sentences[GASPDB_UNSEEN_SENTENCES]);
void gaspdb_report_unseen_print(struct gaspdb_report *r, unsigned what);
void gaspdb_report_unseen_free(struct gaspdb_report *r);
/* The same for calls, in short; "": all are recorded. The caller frees it. */
char *gaspdb_report_unseen_briefly(struct gaspdb_report *r);
bool gaspdb_report_sees_all(struct gaspdb_report *r);

/* Parameters for lines to warn about: at least half of their time is recording,
   and it is a notable part of the run. */
#define GASPDB_REPORT_OVERHEAD "least=50 of-run=1"

/* Sections in order; ends with a NULL title. */
extern const struct gaspdb_report_section gaspdb_report_sections[];
/* Name of a thread: "rank 3", or "thread 3 of rank 1" if processes have
   several. The caller frees it. */
char *gaspdb_report_thread(struct gaspdb_report *r, int64_t id);
/* Name of a section for --section. */
const char *
gaspdb_report_section_name(const struct gaspdb_report_section *section);

/* Prints the title and remark of a section; remark: of a row, or NULL. */
void gaspdb_report_head(struct gaspdb_report *r,
			const struct gaspdb_report_section *section,
			const char *remark);
void gaspdb_report_title(struct gaspdb_report *r, const char *title);
/* Prints "more: gaspdb analyze ...". */
void gaspdb_report_more(struct gaspdb_report *r,
			const struct gaspdb_report_section *section);

/* A prepared analysis; NULL: failed, with the error in the report. The caller
   finalizes it. */
sqlite3_stmt *gaspdb_report_query(struct gaspdb_report *r, const char *analysis,
				  const char *params, int limit);
/* Index of a column by name; -1: none. */
int gaspdb_report_find_column(sqlite3_stmt *stmt, const char *name);
/* Value of a column by name; "" or -1 if NULL or missing. */
const char *gaspdb_report_text(sqlite3_stmt *stmt, const char *name);
int64_t gaspdb_report_integer(sqlite3_stmt *stmt, const char *name);

/* Iterator over the rows of a section. */
struct gaspdb_report_rows {
	const struct gaspdb_report_section *section;
	sqlite3_stmt *stmt; /* NULL: the analysis failed */
	int n, most;	    /* rows so far; limit, -1: none */
	bool more;	    /* at the end: the analysis has more rows */
	char *remark;	    /* of the first row with one */
};

/* Steps to the next row; false: end, or an error noted in the report. */
bool gaspdb_report_rows_next(struct gaspdb_report *r,
			     struct gaspdb_report_rows *rows);
void gaspdb_report_rows_free(struct gaspdb_report_rows *rows);
/* Remark below the title, of the section or of a row; NULL: none. The caller
   frees it. */
char *gaspdb_report_remark(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section,
			   const char *of_row);

/* Prints a section; false: it is empty. */
bool gaspdb_report_section_print(struct gaspdb_report *r,
				 const struct gaspdb_report_section *section);

/* Remarks: coverage of message matching; lines dominated by recording; axes of
   the matrix. */
char *gaspdb_report_coverage(struct gaspdb_report *r);
char *gaspdb_report_overhead_advice(struct gaspdb_report *r);
char *gaspdb_report_axes(struct gaspdb_report *r);
/* Remark: why the possible saving is unknown; NULL: it is known. */
char *gaspdb_report_unseen_waits(struct gaspdb_report *r);
/* Remark: interpretation of imbalance. */
char *gaspdb_report_imbalance(struct gaspdb_report *r);
/* Remark: what time inside calls is not. */
char *gaspdb_report_inside(struct gaspdb_report *r);
/* Remark: columns of barriers and collectives; of calls open at the end. */
char *gaspdb_report_late(struct gaspdb_report *r);
char *gaspdb_report_open(struct gaspdb_report *r);
/* Remark: the largest part of the critical path, from its first known row. */
char *gaspdb_report_path(struct gaspdb_report *r, sqlite3_stmt *row);
/* Remark: the first line whose memory grew to the end. */
char *gaspdb_report_leak(struct gaspdb_report *r, sqlite3_stmt *row);
/* Remark: the largest loss of efficiency. */
char *gaspdb_report_efficiency(struct gaspdb_report *r);

const struct gaspdb_efficiencies *
gaspdb_report_efficiencies(struct gaspdb_report *r);

/* Does the run hang: do threads wait in a circle, or at least half of them to
   the end? */
bool gaspdb_report_is_hung(struct gaspdb_report *r);

/* Sections with their own form. */
bool gaspdb_report_summary(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_threads(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section);
bool gaspdb_report_run(struct gaspdb_report *r,
		       const struct gaspdb_report_section *section);
/* Query of all threads, with all columns of their table except the last. */
sqlite3_stmt *gaspdb_report_threads_query(struct gaspdb_report *r);
/* Cost of recording and total time, of threads with known cost; false: none. */
bool gaspdb_report_overhead_sums(struct gaspdb_report *r, int64_t *ns,
				 int64_t *of_ns);
/* Cost of recording: "about 3.2 % of the ranks' time (worst: rank 2, 4.1 %)".
   The caller frees it. */
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
