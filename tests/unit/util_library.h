/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that is compiled from text whose lines are known, is loaded, and
 * tells its own return addresses; and a run that it is in.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_LIBRARY_H
#define GASPDB_TESTS_UNIT_UTIL_LIBRARY_H

#include <stdint.h>

#define BUILD_ID "\1\2\3\4\5\6\7\10"

#define CALLS                                                                  \
	"SELECT function, file, line, location, b.name FROM event e JOIN "     \
	"place p USING (source_id) JOIN object b ON b.id = e.object ORDER BY " \
	"e.id"
#define DEFECTS "SELECT kind, severity, count, detail FROM quality"

extern char *run; /* and what is compiled, in a folder below */
extern char library[300];

/* Where the library's code returned to, and its data is; ELF addresses. */
struct library_addresses {
	uint64_t first, second, third, table, hidden, base;
	uint64_t in_first, in_second; /* the call in the function */
};

/* For cmocka's groups. */
int library_set_up(void **state);
int library_tear_down(void **state);

void library_shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void library_compile(const char *compiler, const char *options);
struct library_addresses library_load(void);

/* A log of a process that has the library, or another at path, at base. */
void library_add_log(const struct library_addresses *a, uint64_t base,
		     const char *path, const char *build_id);
/* lines.tsv and the database. */
void library_remove_outputs(void);

#endif
