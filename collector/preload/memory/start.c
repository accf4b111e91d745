/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a process is counted, and recorded.  Counted from its first call is
 * every process that GASPDB_MEMORY reaches.  Its log gets the counters
 *
 * - when a runtime has started, as the collector then asks for them, or
 * - from the beginning, if the process is the program that was to be recorded
 *   (GASPDB_PROGRAMS, set by `gaspdb record`), or is linked with this library.
 *
 * Other processes (a shell, a launcher) leave nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/base/environment.h"
#include "collector/base/own_folder.h"
#include "collector/base/pages.h"
#include "collector/preload/has_collector.h"
#include "collector/preload/memory/memory.h"

struct gaspdb_heap *gaspdb_heap;

/* --- the program ---------------------------------------------------------- */

/* Whether LD_PRELOAD names this library: the program is not linked with it. */
static bool is_preloaded(void)
{
	const char *preload = gaspdb_getenv("LD_PRELOAD");

	return preload && strstr(preload, "libgaspdb-memory.so");
}

/* Whether the program has one of the names, separated by colons. */
static bool is_named(const char *names)
{
	const char *own = program_invocation_short_name;
	const size_t n = strlen(own);

	for (; names && *names;
	     names += strcspn(names, ":") + (strchr(names, ':') != NULL))
		if (!strncmp(names, own, n) && (!names[n] || names[n] == ':'))
			return true;
	return false;
}

/* Whether memory is asked for: by GASPDB_MEMORY; without it, of a program that
   is linked with this library and recorded. */
static bool is_asked_for(void)
{
	const char *value = gaspdb_getenv("GASPDB_MEMORY");

	if (value && *value)
		return *value != '0';
	return !is_preloaded() && (gaspdb_getenv("GASPDB_DIR") ||
				   dlsym(RTLD_DEFAULT, GASPDB_HEAP_ATTACH));
}

/* --- the heap ------------------------------------------------------------- */

static struct gaspdb_heap *make(void)
{
	struct gaspdb_heap *heap = gaspdb_pages(sizeof *heap);
	struct timespec now;

	if (!heap)
		return NULL;
	if (madvise(heap, sizeof *heap, MADV_WIPEONFORK) ||
	    !gaspdb_live_make()) {
		munmap(heap, sizeof *heap);
		return NULL;
	}
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	heap->start_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	heap->due_ns = heap->start_ns;
	return heap;
}

void gaspdb_memory_prepare(void)
{
	static bool prepared; /* before there are threads */
	const int saved = errno;

	/* The loader's first calls come before libc has started. */
	if (prepared || !environ || gaspdb_memory_thread.inside)
		return;
	prepared = true;
	gaspdb_memory_thread.inside = 2;
	if (!gaspdb_is_privileged() && is_asked_for() &&
	    !gaspdb_has_collector()) {
		gaspdb_heap = make();
		gaspdb_places_begin();
		if (gaspdb_heap)
			atomic_store(&gaspdb_heap->on, true);
	}
	gaspdb_memory_thread.inside = 0;
	errno = saved;
}

/* At the process's end, after the program's handlers: the collector is not
   asked any more about callers, as modules are being finalized, and a dlopen
   would initialize them again.  It logs the counters for the last time later.
 */
static void leave_collector(void)
{
	if (gaspdb_heap)
		atomic_store(&gaspdb_heap->hooks, NULL);
}

extern gaspdb_heap_begin_fn gaspdb_heap_begin;
__attribute__((visibility("default"))) struct gaspdb_heap *
gaspdb_heap_begin(const struct gaspdb_heap_hooks *hooks)
{
	if (!gaspdb_heap_is_on())
		return NULL;
	atexit(leave_collector);
	atomic_store(&gaspdb_heap->hooks, hooks);
	return gaspdb_heap;
}

/* The collector's function; NULL: its library cannot be loaded. */
static gaspdb_heap_attach_fn *find_collector(void)
{
	char folder[PATH_MAX], path[PATH_MAX + 64];
	gaspdb_heap_attach_fn *attach;
	void *library;

	*(void **)&attach = dlsym(RTLD_DEFAULT, GASPDB_HEAP_ATTACH);
	if (attach)
		return attach;
	if (!gaspdb_own_folder(&gaspdb_heap, folder, sizeof folder))
		return NULL;
	snprintf(path, sizeof path, "%slibgaspdb.so", folder);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&attach = dlsym(library, GASPDB_HEAP_ATTACH);
	return attach;
}

__attribute__((constructor)) static void start(void)
{
	const bool linked = !is_preloaded();
	gaspdb_heap_attach_fn *attach;

	gaspdb_memory_resolve();
	gaspdb_memory_prepare();
	if (!gaspdb_heap_is_on() ||
	    !(linked || is_named(gaspdb_getenv("GASPDB_PROGRAMS"))))
		return;
	gaspdb_memory_thread.inside = 2;
	attach = find_collector();
	if (attach)
		attach(gaspdb_heap_begin);
	gaspdb_memory_thread.inside = 0;
}
