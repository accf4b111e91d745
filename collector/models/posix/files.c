/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files by name and by descriptor.  Names are interned for good: few programs
 * open more than some thousand.  A descriptor that the program did not open
 * while its calls are recorded is looked at when it is used first.  All state
 * is in pages that a forked child finds zero, where nothing is recorded.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/pages.h"
#include "collector/core/lock.h"
#include "collector/log/log_format.h"
#include "collector/models/posix/adapter.h"

#define DESCRIPTORS 65536 /* higher ones are looked at at each call */
#define NAMES	    16384
#define NAME_SLOTS  (2 * NAMES) /* a power of two */
#define TEXT_BYTES  (64u << 10) /* of a chunk of names */

/* Ids of teams; the runtimes' own are lower. */
#define FIRST_TEAM (UINT64_C(1) << 32)

static struct {
	atomic_bool on; /* false in a forked child */
	pid_t pid;
	_Atomic int files[DESCRIPTORS];
	struct gaspdb_lock lock; /* of all below, but for reading */
	atomic_int n_names;
	const char *names[NAMES + 1]; /* from 1 */
	uint16_t slots[NAME_SLOTS];   /* numbers of names; 0: free */
	char *text, *text_end;
} * state;

/* Names that the thread's log has. */
static _Thread_local int n_emitted;

/* --- names ---------------------------------------------------------------- */

/* Copies a name; NULL: no memory. */
static const char *keep(const char *name)
{
	const size_t n = strlen(name) + 1;
	char *copy = state->text;

	if (n > PATH_MAX)
		return NULL;
	if ((size_t)(state->text_end - copy) < n) {
		copy = gaspdb_pages(TEXT_BYTES);
		if (!copy)
			return NULL;
		state->text_end = copy + TEXT_BYTES;
	}
	state->text = copy + n;
	return memcpy(copy, name, n);
}

static uint64_t hash_of(const char *name)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* The name's number, added if new; 0: no room.  The lock is held. */
static int intern(const char *name)
{
	uint64_t at = hash_of(name);
	const int n = state->n_names + 1;
	int found;

	for (; (found = state->slots[at % NAME_SLOTS]); at++)
		if (!strcmp(state->names[found], name))
			return found;
	if (n > NAMES)
		return 0;
	state->names[n] = keep(name);
	if (!state->names[n])
		return 0;
	state->slots[at % NAME_SLOTS] = (uint16_t)n;
	atomic_store_explicit(&state->n_names, n, memory_order_release);
	return n;
}

/* The number of a file by its name, added if new; GASPDB_POSIX_UNNAMED: it has
   none. */
static int number_of(const char *name)
{
	int file = 0;

	if (name && *name && gaspdb_lock_enter(&state->lock)) {
		file = intern(name);
		gaspdb_lock_leave(&state->lock);
	}
	return file ? file : GASPDB_POSIX_UNNAMED;
}

/* Writes the TEAM records that the thread's log lacks. */
static GASPDB_COLD void emit_new(struct gaspdb_context *c)
{
	const int n =
		atomic_load_explicit(&state->n_names, memory_order_acquire);

	while (n_emitted < n) {
		const int file = ++n_emitted;

		gaspdb_record(c, GASPDB_RECORD_TEAM, "uuuiussi",
			      FIRST_TEAM + (uint64_t)file, UINT64_C(0),
			      UINT64_C(1) << 62 | (uint64_t)state->pid << 24 |
				      (uint64_t)file,
			      INT64_C(0), UINT64_C(1), "file",
			      state->names[file], (int64_t)gaspdb_rank());
	}
}

/* --- descriptors ---------------------------------------------------------- */

void gaspdb_posix_set(int fd, int file)
{
	if (fd >= 0 && fd < DESCRIPTORS)
		atomic_store_explicit(&state->files[fd], file,
				      memory_order_relaxed);
}

void gaspdb_posix_forget(unsigned first, unsigned last)
{
	for (unsigned fd = first; fd <= last && fd < DESCRIPTORS; fd++)
		gaspdb_posix_set((int)fd, GASPDB_POSIX_UNKNOWN);
}

/* A descriptor's name by the system, with the path from the root; NULL: none.
 */
static const char *system_name(int fd, char *path, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, size - 1);
	if (n <= 0)
		return NULL;
	path[n] = 0;
	return path;
}

static bool is_file(mode_t mode)
{
	return S_ISREG(mode) || S_ISBLK(mode) || S_ISCHR(mode) || S_ISDIR(mode);
}

static int look_at(int fd)
{
	static const char *const standard[] = { "stdin", "stdout", "stderr" };
	char path[PATH_MAX];
	struct stat st;

	if (fstat(fd, &st))
		return GASPDB_POSIX_UNKNOWN;
	if (fd < 3)
		return number_of(standard[fd]);
	return is_file(st.st_mode)
		       ? number_of(system_name(fd, path, sizeof path))
		       : GASPDB_POSIX_NO_FILE;
}

/* What an unknown descriptor is; the first three have names whatever they are.
   One that is not open stays unknown. */
static GASPDB_COLD int find(int fd)
{
	const int saved = errno;
	const int file = look_at(fd);

	gaspdb_posix_set(fd, file);
	errno = saved;
	return file;
}

int gaspdb_posix_get(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS
		       ? atomic_load_explicit(&state->files[fd],
					      memory_order_relaxed)
		       : GASPDB_POSIX_UNKNOWN;
}

/* --- entering a call ------------------------------------------------------ */

static void use(struct gaspdb_posix_call *call, int file)
{
	call->number = file;
	if (file > n_emitted)
		emit_new(call->c);
	call->file = file > 0 ? FIRST_TEAM + (uint64_t)file : 0;
}

static bool enter(struct gaspdb_posix_call *call, int file)
{
	call->c = gaspdb_enter_libc(call->op, &call->pc);
	if (!call->c)
		return false;
	use(call, file);
	return true;
}

static bool is_on(void)
{
	return atomic_load_explicit(&state->on, memory_order_relaxed);
}

bool gaspdb_posix_is_own(void)
{
	return is_on() && state->pid == getpid();
}

bool gaspdb_posix_enter(struct gaspdb_posix_call *call, int fd)
{
	int file = gaspdb_posix_get(fd);

	if (file == GASPDB_POSIX_NO_FILE || GASPDB_UNLIKELY(!is_on()))
		return false;
	if (GASPDB_UNLIKELY(file == GASPDB_POSIX_UNKNOWN)) {
		if (fd < 0 || !gaspdb_libc_is_programs(call->pc))
			return false;
		file = find(fd);
	}
	return file != GASPDB_POSIX_NO_FILE && file != GASPDB_POSIX_UNKNOWN &&
	       enter(call, file);
}

bool gaspdb_posix_enter_name(struct gaspdb_posix_call *call, const char *name)
{
	if (!gaspdb_posix_is_own() || !enter(call, GASPDB_POSIX_UNNAMED))
		return false;
	use(call, number_of(name));
	return true;
}

bool gaspdb_posix_enter_at(struct gaspdb_posix_call *call, int folder,
			   const char *name)
{
	const int saved = errno;
	char path[2 * PATH_MAX];
	size_t n;

	if (folder == AT_FDCWD || !name || *name == '/')
		return gaspdb_posix_enter_name(call, name);
	if (!system_name(folder, path, PATH_MAX)) {
		errno = saved;
		return gaspdb_posix_enter_name(call, name);
	}
	n = strlen(path);
	snprintf(path + n, sizeof path - n, "/%s", name);
	return gaspdb_posix_enter_name(call, path);
}

bool gaspdb_posix_enter_all(struct gaspdb_posix_call *call)
{
	return is_on() && enter(call, GASPDB_POSIX_UNNAMED);
}

/* --- the start ------------------------------------------------------------ */

extern const struct gaspdb_libc_function __start_gaspdb_posix[] GASPDB_HIDDEN;
extern const struct gaspdb_libc_function __stop_gaspdb_posix[] GASPDB_HIDDEN;

extern gaspdb_posix_begin_fn gaspdb_posix_begin;
GASPDB_EXPORT const struct gaspdb_libc_function *gaspdb_posix_begin(size_t *n)
{
	state = gaspdb_pages(sizeof *state);
	if (!state)
		return NULL;
	if (madvise(state, sizeof *state, MADV_WIPEONFORK)) {
		munmap(state, sizeof *state);
		return NULL;
	}
	gaspdb_libc_begin();
	state->pid = getpid();
	state->on = true;
	*n = (size_t)(__stop_gaspdb_posix - __start_gaspdb_posix);
	return __start_gaspdb_posix;
}
