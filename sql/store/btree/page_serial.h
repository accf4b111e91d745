/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serial types of SQLite's record format. 1 to 6: integers of 1 to 8 bytes; 12
   and above: blobs and texts by length. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_SERIAL_H
#define GASPDB_SQL_STORE_BTREE_PAGE_SERIAL_H

enum {
	GASPDB_SERIAL_NULL = 0,
	GASPDB_SERIAL_REAL = 7,
	GASPDB_SERIAL_ZERO = 8, /* the constant 0; 9: the constant 1 */
	GASPDB_SERIALS = 10,	/* types without a length */
	GASPDB_SERIAL_BLOB = 12
};

#endif
