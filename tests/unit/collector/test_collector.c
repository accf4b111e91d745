/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collector's parts on their own: checksum, growing file, blocks, run
 * directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/log/crc32c.h"
#include "collector/log/log_writer.h"
#include "collector/process/run_dir.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/gaspdb-test-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

/* --- checksum ------------------------------------------------------------- */

static uint32_t bit_by_bit(const unsigned char *p, size_t n)
{
	uint32_t crc = ~0u;

	while (n--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
	}
	return ~crc;
}

static void crc_is_castagnoli(void **state)
{
	unsigned char data[67];

	(void)state;
	/* The check value of the CRC catalogue */
	assert_int_equal(gaspdb_crc32c(0, "123456789", 9), 0xe3069283u);
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * 37 + 11);
	for (size_t n = 0; n <= sizeof data; n++) {
		assert_int_equal(gaspdb_crc32c(0, data, n),
				 bit_by_bit(data, n));
		assert_int_equal(gaspdb_crc32c_by_table(0, data, n),
				 bit_by_bit(data, n));
		assert_int_equal(gaspdb_crc32c(gaspdb_crc32c(0, data, n / 3),
					       data + n / 3, n - n / 3),
				 bit_by_bit(data, n));
	}
}

/* Lengths that are done in lanes, from other addresses than even ones. */
static void crc_of_much(void **state)
{
	static const size_t lengths[] = { 3071, 3072, 3073, 6143,
					  6144, 6149, 9999, 65536 };
	static unsigned char data[65536 + 1];

	(void)state;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * i % 251);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		for (size_t from = 0; from < 2; from++)
			assert_int_equal(
				gaspdb_crc32c(0, data + from, lengths[i]),
				bit_by_bit(data + from, lengths[i]));
}

/* --- numbers -------------------------------------------------------------- */

/* Byte by byte, as the format says. */
static size_t reference(unsigned char *p, uint64_t v)
{
	size_t n = 0;

	for (; v >= 128; v /= 128)
		p[n++] = (unsigned char)(v % 128 + 128);
	p[n++] = (unsigned char)v;
	return n;
}

static void check_number(uint64_t v)
{
	unsigned char got[16], expected[16];
	size_t n = reference(expected, v);

	memset(got, 0xee, sizeof got);
	assert_int_equal(gaspdb_put_number(got, v) - got, n);
	assert_memory_equal(got, expected, n);
	/* What is stored beyond the end is as if nothing were written. */
	for (size_t i = n; i < sizeof got; i++)
		assert_true(got[i] == 0 || got[i] == 0xee);
	memset(got, 0xee, sizeof got);
	assert_int_equal(gaspdb_put_varint(got, v) - got, n);
	assert_memory_equal(got, expected, n);
}

static void numbers_of_all_lengths(void **state)
{
	uint64_t x = 1;

	(void)state;
	for (unsigned bits = 0; bits < 64; bits++)
		for (int64_t around = -3; around <= 3; around++)
			check_number((UINT64_C(1) << bits) + (uint64_t)around);
	for (int i = 0; i < 20000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		check_number(x >> (x >> 58));
	}
}

/* --- a log, read back from its bytes -------------------------------------- */

struct file {
	unsigned char *p;
	size_t n;
};

static struct file slurp(const char *path)
{
	struct file f = { NULL, 0 };
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_return_code(fstat(fd, &st), errno);
	f.n = (size_t)st.st_size;
	f.p = malloc(f.n);
	assert_int_equal(read(fd, f.p, f.n), (ssize_t)f.n);
	close(fd);
	return f;
}

static uint64_t number(const unsigned char *p, size_t bytes)
{
	uint64_t v = 0;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy((unsigned char *)&v + 8 - bytes, p, bytes);
#else
	memcpy(&v, p, bytes);
#endif
	return v;
}

/* Put one record of n bytes: 32 bits of content, then zeros. */
static void put_record(struct gaspdb_log_writer *w, uint32_t content, size_t n)
{
	if (!gaspdb_log_writer_fits(w, n))
		assert_int_equal(gaspdb_log_writer_next(w, n), 0);
	memset(w->at, 0, n);
	gaspdb_put_u32(w->at, content);
	gaspdb_log_writer_commit(w, w->at + n);
}

/* Every block is sealed, numbered and whole; the last is an end; the records
   are all there, in order.  Returns the number of blocks. */
static unsigned check_blocks(const struct file *f, uint32_t records,
			     size_t record_bytes)
{
	size_t at = (size_t)number(f->p + GASPDB_LH_SIZE, 4);
	uint32_t content = 0;
	unsigned blocks = 0;

	for (; at < f->n; blocks++) {
		unsigned char *h = f->p + at;
		size_t length = (size_t)number(h + GASPDB_BH_LENGTH, 4);
		uint32_t crc = (uint32_t)number(h + GASPDB_BH_CRC, 4);

		assert_int_equal(number(h, 4), GASPDB_BLOCK_MAGIC);
		assert_int_equal(h[GASPDB_BH_SEALED], 1);
		assert_int_equal(number(h + GASPDB_BH_NUMBER, 8), blocks);
		assert_true(at + GASPDB_BH_BYTES + length <= f->n);
		memset(h + GASPDB_BH_CRC, 0, 4);
		assert_int_equal(bit_by_bit(h, GASPDB_BH_BYTES + length), crc);
		assert_int_equal(length % record_bytes, 0);
		for (size_t i = 0; i < length; i += record_bytes)
			assert_int_equal(number(h + GASPDB_BH_BYTES + i, 4),
					 content++);
		at += GASPDB_BH_BYTES + length;
		assert_int_equal(h[GASPDB_BH_TYPE],
				 at == f->n ? GASPDB_BLOCK_END
					    : GASPDB_BLOCK_RECORDS);
		at = (at + 7) & ~(size_t)7;
	}
	assert_int_equal(content, records);
	return blocks;
}

static int open_log(struct gaspdb_log_writer *w, const char *path,
		    const struct gaspdb_log_identity *id)
{
	int fd = open(folder, O_PATH | O_DIRECTORY);
	int error = gaspdb_log_writer_open(w, fd, path, id);

	close(fd);
	return error;
}

static void write_log(bool buffered, const char *name, uint32_t records,
		      size_t record_bytes)
{
	static struct gaspdb_log_writer w;
	const struct gaspdb_log_identity id = { .run = 77, .pid = 5 };
	char path[128];
	struct file f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	assert_int_equal(open_log(&w, path, &id), 0);
	if (buffered) { /* as where shared mappings do not work */
		w.file.buffered = true;
		assert_int_equal(gaspdb_log_file_advance(&w.file, 0, 1), 0);
		/* the header and the block's beginning were in the mapping */
		f = slurp(path);
		memcpy(w.file.window, f.p, GASPDB_LH_BYTES + GASPDB_BH_BYTES);
		free(f.p);
		w.block = gaspdb_log_file_at(&w.file, w.offset);
		w.at = w.block + GASPDB_BH_BYTES;
		w.limit = w.block + GASPDB_BLOCK_MAX;
	}
	for (uint32_t i = 0; i < records; i++)
		put_record(&w, i, record_bytes);
	assert_int_equal(gaspdb_log_writer_close(&w), 0);
	f = slurp(path);
	assert_memory_equal(f.p, GASPDB_LOG_MAGIC, 8);
	assert_int_equal(number(f.p + GASPDB_LH_RUN, 8), 77);
	assert_int_equal(number(f.p + GASPDB_LH_PID, 4), 5);
	assert_int_equal(number(f.p + GASPDB_LH_CRC, 4),
			 bit_by_bit(f.p, GASPDB_LH_CRC));
	assert_in_range(check_blocks(&f, records, record_bytes),
			records * record_bytes / GASPDB_BLOCK_MAX + 1,
			records * record_bytes / GASPDB_BLOCK_MAX * 2 + 1);
	free(f.p);
}

static void logs_are_whole(void **state)
{
	(void)state;
	write_log(false, "empty", 0, 4);
	write_log(false, "one", 1, 5);
	write_log(false, "several-windows", 60000, 23);
	write_log(false, "large-records", 300, 30000);
}

static void buffered_logs_are_the_same(void **state)
{
	(void)state;
	write_log(true, "buffered", 60000, 23);
}

static void logs_are_never_overwritten(void **state)
{
	static struct gaspdb_log_writer w;
	const struct gaspdb_log_identity id = { .run = 1 };
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/one", folder);
	assert_int_equal(open_log(&w, path, &id), EEXIST);
}

/* What the log grows into must be the file that was made. */
static void replaced_logs_are_refused(void **state)
{
	static struct gaspdb_log_writer w;
	const struct gaspdb_log_identity id = { .run = 1 };
	static const char text[] = "not a log";
	char path[128], other[128];
	struct file f;

	(void)state;
	snprintf(path, sizeof path, "%s/replaced", folder);
	snprintf(other, sizeof other, "%s/other", folder);
	for (int how = 0; how < 4; how++) {
		int fd = open(other, O_CREAT | O_TRUNC | O_WRONLY, 0600);

		assert_int_equal(write(fd, text, sizeof text), sizeof text);
		close(fd);
		assert_int_equal(open_log(&w, path, &id), 0);
		w.file.buffered = how & 1;
		assert_return_code(unlink(path), errno);
		if (how & 2)
			assert_return_code(link(other, path), errno);
		else
			assert_return_code(symlink(other, path), errno);
		if (w.file.buffered)
			assert_int_equal(gaspdb_log_file_flush(&w.file, 500),
					 GASPDB_LOG_REPLACED);
		else
			assert_int_equal(
				gaspdb_log_file_advance(&w.file, 1 << 20, 1),
				GASPDB_LOG_REPLACED);
		assert_int_equal(gaspdb_log_writer_close(&w),
				 GASPDB_LOG_REPLACED);
		gaspdb_log_file_unmap(&w.file);
		f = slurp(other);
		assert_int_equal(f.n, sizeof text);
		assert_memory_equal(f.p, text, sizeof text);
		free(f.p);
		assert_return_code(unlink(path), errno);
	}
	unlink(other);
}

/* Removed: nothing else gets its inode while the log is open. */
static void deleted_logs_stay_theirs(void **state)
{
	static struct gaspdb_log_writer w;
	const struct gaspdb_log_identity id = { .run = 1 };
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/deleted", folder);
	assert_int_equal(open_log(&w, path, &id), 0);
	w.file.buffered = true;
	munmap(w.file.window, w.file.window_bytes);
	w.file.window = NULL;
	assert_return_code(unlink(path), errno);
	for (int i = 0; i < 20; i++) {
		int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);

		assert_return_code(fd, errno);
		close(fd);
		assert_int_equal(gaspdb_log_file_finish(&w.file, 0),
				 GASPDB_LOG_REPLACED);
		assert_return_code(unlink(path), errno);
	}
	gaspdb_log_file_unmap(&w.file);
}

/* --- run directory -------------------------------------------------------- */

static struct gaspdb_run_dir find(void)
{
	struct gaspdb_run_dir dir = { .run = 0 };

	assert_int_equal(gaspdb_run_dir_find(&dir), 0);
	return dir;
}

static void record_names_the_directory(void **state)
{
	struct gaspdb_run_dir dir;
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/run", folder);
	setenv("GASPDB_DIR", path, 1);
	setenv("GASPDB_RUN_ID", "1f", 1);
	dir = find();
	assert_string_equal(dir.path, path);
	assert_int_equal(dir.run, 0x1f);
	assert_return_code(access(path, W_OK), errno);
	unsetenv("GASPDB_DIR");
	unsetenv("GASPDB_RUN_ID");
}

static void jobs_have_directories_of_their_own(void **state)
{
	struct gaspdb_run_dir a, again, b, alone;

	(void)state;
	assert_return_code(chdir(folder), errno);
	setenv("PMIX_NAMESPACE", "job1", 1);
	a = find();
	again = find();
	setenv("PMIX_NAMESPACE", "job2", 1);
	b = find();
	unsetenv("PMIX_NAMESPACE");
	alone = find();
	assert_string_equal(a.path, again.path);
	assert_int_equal(a.run, again.run);
	assert_string_not_equal(a.path, b.path);
	assert_string_not_equal(a.path, alone.path);
	assert_string_not_equal(b.path, alone.path);
	assert_return_code(chdir("/"), errno);
}

static void impossible_directories_are_errors(void **state)
{
	struct gaspdb_run_dir dir;

	(void)state;
	setenv("GASPDB_DIR", "/proc/self/none", 1);
	assert_int_not_equal(gaspdb_run_dir_find(&dir), 0);
	assert_string_equal(dir.path, "/proc/self/none");
	unsetenv("GASPDB_DIR");
}

/* Of a directory that another has put in its place nothing is used. */
static void replaced_directories_are_refused(void **state)
{
	struct gaspdb_run_dir dir;
	char path[128], other[140];
	int error, fd;

	(void)state;
	snprintf(path, sizeof path, "%s/taken", folder);
	snprintf(other, sizeof other, "%s.other", path);
	setenv("GASPDB_DIR", path, 1);
	dir = find();
	fd = gaspdb_run_dir_open(&dir, &error);
	assert_true(fd >= 0);
	close(fd);
	assert_return_code(rename(path, other), errno);
	assert_int_equal(gaspdb_run_dir_open(&dir, &error), -1);
	assert_int_equal(error, ENOENT);
	assert_return_code(symlink(other, path), errno);
	assert_int_equal(gaspdb_run_dir_open(&dir, &error), -1);
	assert_int_equal(error, GASPDB_DIR_REPLACED);
	assert_int_equal(gaspdb_run_dir_find(&dir), GASPDB_DIR_REPLACED);
	strcat(path, "/"); /* which would follow the link */
	setenv("GASPDB_DIR", path, 1);
	assert_int_equal(gaspdb_run_dir_find(&dir), GASPDB_DIR_REPLACED);
	path[strlen(path) - 1] = 0;
	assert_return_code(unlink(path), errno);
	setenv("GASPDB_DIR", path, 1);
	find(); /* another one of that name */
	assert_int_equal(gaspdb_run_dir_open(&dir, &error), -1);
	assert_int_equal(error, GASPDB_DIR_REPLACED);
	unsetenv("GASPDB_DIR");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(crc_is_castagnoli),
		cmocka_unit_test(crc_of_much),
		cmocka_unit_test(numbers_of_all_lengths),
		cmocka_unit_test(logs_are_whole),
		cmocka_unit_test(buffered_logs_are_the_same),
		cmocka_unit_test(logs_are_never_overwritten),
		cmocka_unit_test(replaced_logs_are_refused),
		cmocka_unit_test(deleted_logs_stay_theirs),
		cmocka_unit_test(record_names_the_directory),
		cmocka_unit_test(replaced_directories_are_refused),
		cmocka_unit_test(jobs_have_directories_of_their_own),
		cmocka_unit_test(impossible_directories_are_errors),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
