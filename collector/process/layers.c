/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Selection of the program's own calls, and their places.  A call can pass
 * through several layers before the runtime: Fortran's library, another tool's
 * wrapper.  It is recorded where it enters the runtime, at the place where the
 * first layer was called.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "collector/base/compiler.h"
#include "collector/base/loaded_module.h"
#include "collector/core/collector.h"
#include "collector/process/handover.h"
#include "collector/process/layers.h"
#include "collector/process/module_symbols.h"
#include "collector/process/process.h"

_Thread_local char gaspdb_by_profiling_name;
_Thread_local struct gaspdb_place gaspdb_outermost;

extern gaspdb_preloaded_fn gaspdb_preloaded;
GASPDB_EXPORT int64_t gaspdb_preloaded(const struct gaspdb_stderr *first)
{
	gaspdb_process_stderr(first);
	gaspdb_process.preloaded = true;
	return (int64_t)((uintptr_t)&gaspdb_by_profiling_name -
			 gaspdb_thread_pointer());
}

GASPDB_EXPORT bool gaspdb_is_preloaded(void)
{
	return gaspdb_process.preloaded;
}

/* --- the runtime's modules ------------------------------------------------ */

_Atomic uint64_t gaspdb_caller_cache[GASPDB_CALLER_CACHE_SIZE];

#ifndef GASPDB_UPC_OBJECT
static bool same(const struct gaspdb_loaded_module *a,
		 const struct gaspdb_loaded_module *b)
{
	return a->path && b->path && a->bias == b->bias;
}

static bool defines(const struct gaspdb_loaded_module *module, const char *name)
{
	return gaspdb_module_defines(module->bias, module->path, name);
}

/* Whether a module is a plugin of Open MPI. */
static bool is_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(slash ? slash + 1 : path, "mca_", 4);
}

/* Whether a module is a runtime.  The program itself is not, even with a
   runtime linked into it. */
static bool is_runtime_module(const struct gaspdb_loaded_module *module)
{
	if (!module->path || !*module->path)
		return false;
	return is_component(module->path) || defines(module, "PMPI_Init") ||
	       defines(module, "pshmem_init");
}

/* Name of the function that initializes an extension module of Python, by the
   module's file name: up to the first dot. */
static void initializer_of(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;

	snprintf(name, size, "PyInit_%.*s", (int)strcspn(file, "."), file);
}

/* Whether a module makes calls for Python. */
static bool is_binding(const struct gaspdb_loaded_module *module)
{
	char initializer[256];

	if (!module->path)
		return false;
	if (defines(module, "PyGILState_GetThisThreadState"))
		return true;
	initializer_of(module->path, initializer, sizeof initializer);
	return *module->path &&
	       (defines(module, initializer) || defines(module, "ffi_call"));
}

/* Libraries by the beginnings of their files' names. */
static const char *const languages[] = { "libgfortran.", "libstdc++.",
					 "libc++.",	 "libflang",
					 "libifcore",	 "libFortranRuntime" };
static const char *const helpers[] = {
	"ld-linux",	"libnss_",	"libresolv.",	  "libgaspdb",
	"libopen-rte.", "libopen-pal.", "libmca_common_", "libpmi",
	"libprrte.",	"libevent",	"libhwloc.",	  "libucp.",
	"libuct.",	"libucs.",	"libucm.",	  "libfabric.",
	"libibverbs.",	"librdmacm.",	"libpsm",	  "libslurm",
	"libmunge.",	"libnl-",	"libudev.",	  "libnuma.",
	"libxpmem.",
};

static bool is_named(const char *path, const char *const *names, size_t n)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *file = slash ? slash + 1 : path;

	for (size_t i = 0; file && i < n; i++)
		if (!strncmp(file, names[i], strlen(names[i])))
			return true;
	return false;
}

#define IS_NAMED(path, names) \
	is_named(path, names, sizeof names / sizeof *names)

static enum gaspdb_caller classify(const void *pc)
{
	const struct gaspdb_loaded_module module = gaspdb_loaded_module(pc);
	const struct gaspdb_loaded_module libc =
		gaspdb_loaded_module((void *)(size_t)gnu_get_libc_version);

	if (same(&module, &libc))
		return GASPDB_LIBC;
	if (is_runtime_module(&module))
		return GASPDB_RUNTIME;
	if (IS_NAMED(module.path, languages))
		return GASPDB_LANGUAGE;
	if (IS_NAMED(module.path, helpers))
		return GASPDB_HELPER;
	return is_binding(&module) ? GASPDB_BINDING : GASPDB_PROGRAM;
}
#else
/* Without an adapter all calls are the program's, which may be static and have
   no modules. */
static enum gaspdb_caller classify(const void *pc)
{
	(void)pc;
	return GASPDB_PROGRAM;
}
#endif

enum gaspdb_caller gaspdb_find_caller(const void *pc)
{
	const int saved = errno;
	const uint64_t address = (uint64_t)(uintptr_t)pc;
	const enum gaspdb_caller caller = classify(pc);

	atomic_store_explicit(
		&gaspdb_caller_cache[address & (GASPDB_CALLER_CACHE_SIZE - 1)],
		address << GASPDB_CALLER_BITS | caller, memory_order_relaxed);
	errno = saved;
	return caller;
}

/* --- places --------------------------------------------------------------- */

static bool holds(const struct gaspdb_place *p, uintptr_t frame)
{
	return p->pc && frame < p->frame;
}

static void note(const void *pc, uintptr_t frame, struct gaspdb_place *outer)
{
	*outer = gaspdb_outermost;
	if (!holds(outer, frame))
		gaspdb_outermost = (struct gaspdb_place){ pc, frame };
}

GASPDB_EXPORT void gaspdb_place_note(const void *pc, struct gaspdb_place *outer)
{
	note(pc, (uintptr_t)__builtin_frame_address(0), outer);
}

GASPDB_EXPORT void gaspdb_place_restore(const struct gaspdb_place *outer)
{
	gaspdb_outermost = *outer;
}

/* --- entries -------------------------------------------------------------- */

GASPDB_EXPORT void gaspdb_entry_pass(struct gaspdb_entry *e)
{
	gaspdb_entry_pass_on(e);
}

void gaspdb_entry_note(struct gaspdb_entry *e, uintptr_t frame)
{
	note(e->pc, frame, &e->outer);
	e->changed = true;
}

void gaspdb_entry_use_place(struct gaspdb_entry *e, uintptr_t frame)
{
	if (holds(&gaspdb_outermost, frame))
		e->pc = gaspdb_outermost.pc;
	e->outer = gaspdb_outermost;
	e->changed = true;
	gaspdb_outermost.pc = NULL;
}
