/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libarchive, loaded when an archive is to be read: it needs a dozen further
 * libraries, and to load these takes longer than all else of a command that
 * reads none.
 */
#ifndef GASPDB_ARCHIVE_LIBRARY_H
#define GASPDB_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include "error.h"

/* clang-format off */
#define GASPDB_ARCHIVE_FUNCTIONS(F)	\
	F(archive_entry_filetype)	\
	F(archive_entry_hardlink)	\
	F(archive_entry_is_encrypted)	\
	F(archive_entry_pathname)	\
	F(archive_entry_pathname_utf8)	\
	F(archive_entry_size)		\
	F(archive_error_string)		\
	F(archive_filter_bytes)		\
	F(archive_format)		\
	F(archive_read_append_filter)	\
	F(archive_read_data)		\
	F(archive_read_data_block)	\
	F(archive_read_data_skip)	\
	F(archive_read_free)		\
	F(archive_read_new)		\
	F(archive_read_next_header)	\
	F(archive_read_open1)		\
	F(archive_read_set_callback_data) \
	F(archive_read_set_read_callback) \
	F(archive_read_set_seek_callback) \
	F(archive_read_support_format_raw) \
	F(archive_read_support_format_tar) \
	F(archive_read_support_format_zip) \
	F(archive_set_error)
/* clang-format on */

/* Its functions, once it is loaded. */
extern struct gaspdb_archive_library {
#define FUNCTION(name) __extension__ __typeof__(name) *name;
	GASPDB_ARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
} gaspdb_la;

/* Before the first use; again: nothing. */
enum gaspdb_status gaspdb_archive_library_load(struct gaspdb_error *err);

#endif
