/* SPDX-License-Identifier: BSD-2-Clause */
/* Path and identity of a loaded module's file.  System calls are made directly:
   the usual functions may be wrapped by the measured program. */
#include "collector/process/module_file.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/base/pages.h"
#include "collector/core/collector.h"
#include "collector/log/crc32c.h"

#define PROGRAM	     "/proc/self/exe"
#define DELETED	     " (deleted)"
#define DELETED_SIZE (sizeof DELETED - 1)
/* Larger files are identified by inode and times only. */
#define CHECKSUM_MAX (4u << 20)
#define LINE_BYTES   (4096 + 128)

static bool ends_with_deleted(const char *path, size_t n)
{
	return n > DELETED_SIZE &&
	       !memcmp(path + n - DELETED_SIZE, DELETED, DELETED_SIZE);
}

/* Inode of a path; 0: none. */
static uint64_t inode_at(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

/* Strips the kernel's mark of an unlinked file, unless the name itself ends so;
   false: no mark. */
static bool strip_deleted(char *path, uint64_t inode)
{
	const size_t n = strlen(path);

	if (!ends_with_deleted(path, n) || inode_at(path) == inode)
		return false;
	path[n - DELETED_SIZE] = 0;
	return true;
}

GASPDB_EXPORT bool gaspdb_program_path(char *path, size_t size)
{
	const ssize_t n = readlink(PROGRAM, path, size - 1);

	if (n <= 0)
		return false;
	path[n] = 0;
	strip_deleted(path, inode_at(PROGRAM));
	return true;
}

/* --- /proc/self/maps ------------------------------------------------------ */

struct mapping {
	char path[4096];
	uint64_t inode;
	bool deleted; /* unlinked */
};

struct lines {
	int fd;
	size_t at, n;
	char buffer[LINE_BYTES];
};

/* Buffers, too large for a signal handler's stack. */
struct scratch {
	struct mapping mapping;
	struct lines lines;
	unsigned char block[64 << 10];
	char path[4096];
};

/* The next line, without its newline; NULL: none.  A line longer than the
   buffer ends the reading. */
static char *next_line(struct lines *l)
{
	char *end;
	ssize_t got;

	while (!(end = memchr(l->buffer + l->at, '\n', l->n - l->at))) {
		if (l->at == 0 && l->n == sizeof l->buffer)
			return NULL;
		memmove(l->buffer, l->buffer + l->at, l->n - l->at);
		l->n -= l->at;
		l->at = 0;
		got = (ssize_t)syscall(SYS_read, l->fd, l->buffer + l->n,
				       sizeof l->buffer - l->n);
		if (got <= 0)
			return NULL;
		l->n += (size_t)got;
	}
	*end = 0;
	char *line = l->buffer + l->at;
	l->at = (size_t)(end - l->buffer) + 1;
	return line;
}

/* Copies a path; the kernel writes a newline as \012. */
static void copy_path(char *to, size_t size, const char *from)
{
	size_t n = 0;

	while (*from && n + 1 < size) {
		if (!strncmp(from, "\\012", 4)) {
			to[n++] = '\n';
			from += 4;
		} else {
			to[n++] = *from++;
		}
	}
	to[n] = 0;
}

/* Parses START-END PERMISSIONS OFFSET DEVICE INODE PATH; false: base is not in
   it. */
static bool read_mapping(char *line, uintptr_t base, struct mapping *m)
{
	char *p;
	const uint64_t start = strtoull(line, &p, 16);
	const uint64_t end = *p == '-' ? strtoull(p + 1, &p, 16) : 0;

	if (base < start || base >= end)
		return false;
	for (int field = 0; field < 3; field++) {
		p += strspn(p, " ");
		p += strcspn(p, " ");
	}
	m->inode = strtoull(p, &p, 10);
	p += strspn(p, " ");
	copy_path(m->path, sizeof m->path, p);
	m->deleted = strip_deleted(m->path, m->inode);
	return true;
}

/* The mapping of base; zeroed: not known. */
static const struct mapping *find_mapping(struct scratch *s, uintptr_t base)
{
	struct lines *l = &s->lines;
	char *line;

	l->fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps",
			     O_RDONLY | O_CLOEXEC);
	if (l->fd < 0)
		return &s->mapping;
	while ((line = next_line(l)) && !read_mapping(line, base, &s->mapping))
		;
	syscall(SYS_close, l->fd);
	return &s->mapping;
}

/* --- identity ------------------------------------------------------------- */

static uint64_t ns_of(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Cache of checksums: threads and reloaded libraries use the same files. */
static struct {
	atomic_flag taken;
	struct gaspdb_module_file file;
} recent[8] = { { .taken = ATOMIC_FLAG_INIT } };

static bool same_file(const struct gaspdb_module_file *a,
		      const struct gaspdb_module_file *b)
{
	return a->size == b->size && a->inode == b->inode &&
	       a->modified_ns == b->modified_ns &&
	       a->changed_ns == b->changed_ns;
}

static bool find_cached(struct gaspdb_module_file *f)
{
	const size_t i = f->inode % (sizeof recent / sizeof *recent);
	bool found;

	if (atomic_flag_test_and_set(&recent[i].taken))
		return false;
	found = recent[i].file.checksum && same_file(&recent[i].file, f);
	if (found)
		f->checksum = recent[i].file.checksum;
	atomic_flag_clear(&recent[i].taken);
	return found;
}

static void cache_file(const struct gaspdb_module_file *f)
{
	const size_t i = f->inode % (sizeof recent / sizeof *recent);

	if (atomic_flag_test_and_set(&recent[i].taken))
		return;
	recent[i].file = *f;
	atomic_flag_clear(&recent[i].taken);
}

static void add_checksum(int fd, struct scratch *s,
			 struct gaspdb_module_file *f)
{
	uint64_t left = f->size;
	uint32_t crc = 0;
	ssize_t n;

	if (f->size > CHECKSUM_MAX || find_cached(f))
		return;
	while (left && (n = (ssize_t)syscall(SYS_read, fd, s->block,
					     sizeof s->block)) > 0) {
		if ((uint64_t)n > left)
			return;
		crc = gaspdb_crc32c(crc, s->block, (size_t)n);
		left -= (uint64_t)n;
	}
	if (left)
		return;
	f->checksum = crc | (uint64_t)1 << 32;
	cache_file(f);
}

/* Identifies a file; inode 0: any. */
static void identify(const char *path, uint64_t inode, struct scratch *s,
		     struct gaspdb_module_file *f)
{
	struct stat st;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
			      O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (!inode || inode == st.st_ino)) {
		f->size = (uint64_t)st.st_size;
		f->inode = st.st_ino;
		f->modified_ns = ns_of(st.st_mtim);
		f->changed_ns = ns_of(st.st_ctim);
		add_checksum(fd, s, f);
	}
	syscall(SYS_close, fd);
}

static void make_absolute(char *path, size_t size, struct scratch *s)
{
	const char *relative = path;
	size_t n;

	if (path[0] == '/' || syscall(SYS_getcwd, s->path, sizeof s->path) <= 0)
		return;
	while (!strncmp(relative, "./", 2))
		relative += 2;
	n = strlen(s->path);
	snprintf(s->path + n, sizeof s->path - n, "/%s", relative);
	snprintf(path, size, "%s", s->path);
}

static void find_file(uintptr_t base, char *path, size_t size,
		      struct scratch *s, struct gaspdb_module_file *file)
{
	const bool program = !path[0];
	const struct mapping *m = find_mapping(s, base);

	if (path[0] != '/' && m->path[0] == '/')
		snprintf(path, size, "%s", m->path);
	else if (program)
		gaspdb_program_path(path, size);
	make_absolute(path, size, s);
	if (!file)
		return;
	/* Reliable even if another file has its name by now. */
	if (program && (!m->inode || inode_at(PROGRAM) == m->inode))
		identify(PROGRAM, 0, s, file);
	else if (m->inode && !m->deleted)
		identify(path, m->inode, s, file);
}

void gaspdb_module_file(uintptr_t base, char *path, size_t size,
			struct gaspdb_module_file *file)
{
	struct scratch *s;

	if (file)
		memset(file, 0, sizeof *file);
	if (path[0] == '/' && !file)
		return;
	s = gaspdb_pages(sizeof *s);
	if (!s)
		return;
	find_file(base, path, size, s, file);
	munmap(s, sizeof *s);
}
