/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for the members of a run: ranks (MPI), PEs (OpenSHMEM), threads (UPC),
   otherwise threads and processes. View run_word has the rules. */
#ifndef GASPDB_CLI_DATABASE_WORDS_H
#define GASPDB_CLI_DATABASE_WORDS_H

#include <stdint.h>

#include <sqlite3.h>

struct gaspdb_run_words {
	/* For a row of table thread; "thread" if a process has several. */
	char *thread, *threads;
	char *process, *processes;
};

/* Reads the words from a database with that view; missing ones are "". */
void gaspdb_run_words_read(sqlite3 *sql, struct gaspdb_run_words *words);
void gaspdb_run_words_free(struct gaspdb_run_words *words);

/* The word for n of them. */
const char *gaspdb_run_words_threads(const struct gaspdb_run_words *words,
				     int64_t n);
const char *gaspdb_run_words_processes(const struct gaspdb_run_words *words,
				       int64_t n);

/* A copy of the text with the words in place of {thread}, {threads},
 * {process}, {processes}, and {Threads} for a title.  The caller frees it. */
char *gaspdb_run_words_fill(const struct gaspdb_run_words *words,
			    const char *text);

#endif
