/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for the members of a run. */
#include "cli/database/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"

void gaspdb_run_words_read(sqlite3 *sql, struct gaspdb_run_words *words)
{
	char **const all[] = { &words->thread, &words->threads, &words->process,
			       &words->processes };
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(sql,
			   "SELECT thread, threads, process, processes FROM "
			   "run_word",
			   -1, &stmt, NULL);
	const bool any = stmt && sqlite3_step(stmt) == SQLITE_ROW;
	for (int i = 0; i < 4; i++) {
		const char *word =
			any ? (const char *)sqlite3_column_text(stmt, i) : NULL;
		*all[i] = gaspdb_text_copy(word ? word : "",
					   word ? strlen(word) : 0);
	}
	sqlite3_finalize(stmt);
}

void gaspdb_run_words_free(struct gaspdb_run_words *words)
{
	free(words->thread);
	free(words->threads);
	free(words->process);
	free(words->processes);
}

const char *gaspdb_run_words_threads(const struct gaspdb_run_words *words,
				     int64_t n)
{
	return gaspdb_human_plural(n, words->thread, words->threads);
}

const char *gaspdb_run_words_processes(const struct gaspdb_run_words *words,
				       int64_t n)
{
	return gaspdb_human_plural(n, words->process, words->processes);
}

/* Prints the word for a placeholder at text, "{thread}..."; returns the
   placeholder's length, 0: none. */
static size_t put_word(FILE *f, const struct gaspdb_run_words *words,
		       const char *text)
{
	const struct {
		const char *name, *word;
	} list[] = { { "{thread}", words->thread },
		     { "{threads}", words->threads },
		     { "{process}", words->process },
		     { "{processes}", words->processes } };

	if (!strncmp(text, "{Threads}", 9)) {
		fprintf(f, "%c%s", toupper((unsigned char)*words->threads),
			words->threads + 1);
		return 9;
	}
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (!strncmp(text, list[i].name, strlen(list[i].name))) {
			fputs(list[i].word, f);
			return strlen(list[i].name);
		}
	return 0;
}

char *gaspdb_run_words_fill(const struct gaspdb_run_words *words,
			    const char *text)
{
	char *copy = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&copy, &n);

	if (!f)
		return gaspdb_text_copy(text, strlen(text));
	while (*text) {
		const size_t taken =
			*text == '{' ? put_word(f, words, text) : 0;

		if (!taken)
			putc(*text, f);
		text += taken ? taken : 1;
	}
	fclose(f);
	return copy;
}
