/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/util_archive.h"

#include <archive.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

struct archive_file {
	struct archive *a;
	char path[400];
};

static struct archive_file file;

static void check(int r)
{
	if (r != ARCHIVE_OK)
		fail_msg("%s: %s", file.path, archive_error_string(file.a));
}

static bool ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && !strcmp(s + n - m, suffix);
}

static void set_filter(const char *path)
{
	if (ends(path, ".gz"))
		check(archive_write_add_filter_gzip(file.a));
	else if (ends(path, ".xz"))
		check(archive_write_add_filter_xz(file.a));
	else if (ends(path, ".zst"))
		check(archive_write_add_filter_zstd(file.a));
	else if (ends(path, ".bz2"))
		check(archive_write_add_filter_bzip2(file.a));
	else if (ends(path, ".lz4"))
		check(archive_write_add_filter_lz4(file.a));
	else if (ends(path, ".lzma"))
		check(archive_write_add_filter_lzma(file.a));
	else if (ends(path, ".lz"))
		check(archive_write_add_filter_lzip(file.a));
	else
		check(archive_write_add_filter_none(file.a));
}

static void set_format(const char *path)
{
	if (strstr(path, ".gasplog")) {
		check(archive_write_set_format_raw(file.a));
	} else if (strstr(path, ".cpio")) {
		check(archive_write_set_format_cpio_newc(file.a));
	} else if (ends(path, ".7z")) {
		check(archive_write_set_format_7zip(file.a));
	} else if (!ends(path, ".zip")) {
		check(archive_write_set_format_pax_restricted(file.a));
	} else {
		check(archive_write_set_format_zip(file.a));
		if (ends(path, "stored.zip"))
			check(archive_write_zip_set_compression_store(file.a));
		if (ends(path, "encrypted.zip")) {
			check(archive_write_set_options(
				file.a, "zip:encryption=traditional"));
			check(archive_write_set_passphrase(file.a, "secret"));
		}
	}
}

struct archive_file *archive_begin(const char *path)
{
	file.a = archive_write_new();
	snprintf(file.path, sizeof file.path, "%s", path);
	set_filter(path);
	set_format(path);
	check(archive_write_set_bytes_per_block(file.a, 512));
	check(archive_write_open_filename(file.a, path));
	return &file;
}

static void add(const char *name, unsigned filetype, const char *target,
		const void *bytes, size_t n)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, filetype);
	archive_entry_set_perm(e, 0644);
	if (filetype == AE_IFREG)
		archive_entry_set_size(e, (la_int64_t)n);
	if (filetype == AE_IFLNK)
		archive_entry_set_symlink(e, target);
	else if (target)
		archive_entry_set_hardlink(e, target);
	check(archive_write_header(file.a, e));
	archive_entry_free(e);
	if (n)
		assert_int_equal(archive_write_data(file.a, bytes, n), n);
}

void archive_add(struct archive_file *a, const char *name, const void *bytes,
		 size_t n)
{
	(void)a;
	add(name, AE_IFREG, NULL, bytes, n);
}

void archive_add_link(struct archive_file *a, const char *name,
		      unsigned filetype, const char *target)
{
	(void)a;
	add(name, filetype, target, NULL, 0);
}

size_t archive_end(void)
{
	struct stat st;

	check(archive_write_close(file.a));
	archive_write_free(file.a);
	assert_int_equal(stat(file.path, &st), 0);
	return (size_t)st.st_size;
}

void archive_pack(const char *path, const void *bytes, size_t n)
{
	archive_begin(path);
	add("log", AE_IFREG, NULL, bytes, n);
	archive_end();
}
