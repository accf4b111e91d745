/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serial types, which say what a value in a record is: 1 to 6 are integers of 1
   to 8 bytes, from 12 on blobs and texts by their length. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_SERIAL_H
#define GASPDB_SQL_STORE_BTREE_PAGE_SERIAL_H

enum {
	GASPDB_SERIAL_NULL = 0,
	GASPDB_SERIAL_REAL = 7,
	GASPDB_SERIAL_ZERO = 8, /* the number, and 9 one */
	GASPDB_SERIALS = 10,	/* those without a length */
	GASPDB_SERIAL_BLOB = 12
};

#endif
