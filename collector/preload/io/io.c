/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The second preload library, of `gaspdb record --io`: a trampoline for each
 * function on files that the adapter wraps.  The first call of each stores the
 * next definition, libc's or another tool's, as its target.  When a runtime has
 * started, the collector calls gaspdb_io_start, and wrappers become the
 * targets.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "collector/base/own_folder.h"
#include "collector/preload/preload.h"
#include "collector/process/handover.h"

/* Where libc lacks the function: the program would not have called it. */
static long absent(void)
{
	errno = ENOSYS;
	return -1;
}

static void *next_definition(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	return found ? found : (void *)(size_t)absent;
}

void *gaspdb_resolve(size_t i, const void *caller)
{
	const int saved = errno;
	void *expected = NULL, *next = next_definition(gaspdb_name(i));

	(void)caller;
	/* A wrapper may be there by now. */
	if (!atomic_compare_exchange_strong(&gaspdb_slots[i], &expected, next))
		next = expected;
	errno = saved;
	return next;
}

/* The adapter's functions; NULL: *why. */
static const struct gaspdb_libc_function *load(size_t *n, const char **why)
{
	const struct gaspdb_libc_function *functions = NULL;
	gaspdb_posix_begin_fn *begin;
	char folder[PATH_MAX], path[PATH_MAX + 64];
	void *adapter;

	if (!gaspdb_own_folder(gaspdb_trampolines, folder, sizeof folder)) {
		*why = "libgaspdb-posix.so is not found";
		return NULL;
	}
	snprintf(path, sizeof path, "%slibgaspdb-posix.so", folder);
	adapter = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!adapter) {
		*why = dlerror();
		return NULL;
	}
	*(void **)&begin = dlsym(adapter, GASPDB_POSIX_BEGIN);
	if (begin)
		functions = begin(n);
	*why = "the system has no memory for it";
	return functions;
}

/* Number of the trampoline of a function. */
static size_t number_of(const char *name)
{
	size_t i = 0;

	while (i < gaspdb_n_names && strcmp(gaspdb_name(i), name) != 0)
		i++;
	return i;
}

extern gaspdb_io_start_fn gaspdb_io_start;
__attribute__((visibility("default"))) const char *gaspdb_io_start(void)
{
	static atomic_flag started = ATOMIC_FLAG_INIT;
	const struct gaspdb_libc_function *functions;
	const char *why = NULL;
	size_t n = 0, number;

	if (atomic_flag_test_and_set(&started))
		return NULL;
	functions = load(&n, &why);
	if (!functions)
		return why;
	for (size_t i = 0; i < n; i++)
		*functions[i].next = next_definition(functions[i].name);
	for (size_t i = 0; i < n; i++) {
		number = number_of(functions[i].name);
		if (number < gaspdb_n_names)
			atomic_store_explicit(
				&gaspdb_slots[number],
				(void *)(size_t)functions[i].wrapper,
				memory_order_release);
	}
	return NULL;
}
