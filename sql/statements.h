/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All statements of sql/passes/, for the test that prepares them.  Code
   includes the header of its room, sql/passes/ROOM.h, which is generated. */
#ifndef GASPDB_SQL_STATEMENTS_H
#define GASPDB_SQL_STATEMENTS_H

struct gaspdb_statement {
	const char *file, *name;
	const char *sql; /* one statement or several */
};

/* In the order of files and lines; ends with a NULL name. */
extern const struct gaspdb_statement gaspdb_statements[];

#endif
