/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which of the calls that come by are the program's, and from where.  A call
 * can pass through several layers before it reaches the runtime: Fortran's
 * library, another tool's wrapper.  It is recorded where it enters the runtime,
 * for that is what happens; and at the place where the first layer was called.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "collector.h"
#include "compiler.h"
#include "handover.h"
#include "layers.h"
#include "process.h"

/* The call that is made now was made by a profiling name: set by the preload
   library's trampoline, reset by the wrapper. */
static _Thread_local char by_profiling_name;

/* Where the outermost layer was called; pc NULL: nowhere.  It holds for what is
   called within frame, the layer's own. */
static _Thread_local struct gaspdb_place outermost;

extern gaspdb_preloaded_fn gaspdb_preloaded;
GASPDB_EXPORT int64_t gaspdb_preloaded(const struct gaspdb_stderr *first)
{
	gaspdb_process_stderr(first);
	gaspdb_process.preloaded = true;
	return (int64_t)((uintptr_t)&by_profiling_name -
			 gaspdb_thread_pointer());
}

GASPDB_EXPORT bool gaspdb_is_preloaded(void)
{
	return gaspdb_process.preloaded;
}

/* --- the runtime's modules ------------------------------------------------ */

enum caller { PROGRAM, RUNTIME, LIBC };

/* The answer for a return address: itself, shifted, and who calls from there.
   0: none so far. */
#define ANSWERS 1024u /* a power of two */
static _Atomic uint64_t answers[ANSWERS];

#ifndef GASPDB_UPC_OBJECT
static struct link_map *module_of(const void *address)
{
	struct link_map *module = NULL;
	Dl_info info;

	return dladdr1(address, &info, (void **)&module, RTLD_DL_LINKMAP)
		       ? module
		       : NULL;
}

static bool defines(void *handle, const struct link_map *module,
		    const char *name)
{
	void *found = dlsym(handle, name);
	struct link_map *of = NULL;
	Dl_info info;

	return found && dladdr1(found, &info, (void **)&of, RTLD_DL_LINKMAP) &&
	       of == module;
}

/* A plugin of Open MPI's. */
static bool is_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(slash ? slash + 1 : path, "mca_", 4);
}

/* The program itself is none, though a runtime be linked into it. */
static bool is_runtime_module(const struct link_map *module)
{
	void *handle;
	bool is;

	if (!module->l_name || !*module->l_name)
		return false;
	if (is_component(module->l_name))
		return true;
	handle = dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return false;
	is = defines(handle, module, "PMPI_Init") ||
	     defines(handle, module, "pshmem_init");
	dlclose(handle);
	return is;
}

static GASPDB_COLD enum caller look_up(const void *pc)
{
	const int saved = errno;
	const struct link_map *module = module_of(pc);
	enum caller caller = PROGRAM;

	if (module && module == module_of((void *)(size_t)gnu_get_libc_version))
		caller = LIBC;
	else if (module && is_runtime_module(module))
		caller = RUNTIME;
	errno = saved;
	return caller;
}
#else
/* No adapter is in such a program, which may be static: without modules. */
static enum caller look_up(const void *pc)
{
	(void)pc;
	return PROGRAM;
}
#endif

static enum caller caller_at(const void *pc)
{
	const uint64_t address = (uint64_t)(uintptr_t)pc;
	_Atomic uint64_t *slot =
		&answers[(address ^ address >> 10) & (ANSWERS - 1)];
	uint64_t answer = atomic_load_explicit(slot, memory_order_relaxed);

	if (GASPDB_UNLIKELY(answer >> 2 != address)) {
		answer = address << 2 | look_up(pc);
		atomic_store_explicit(slot, answer, memory_order_relaxed);
	}
	return answer & 3;
}

/* From libc, by a profiling name: a handler of the runtime's, at the exit,
   whose last act is a jump. */
bool gaspdb_is_runtime(const struct gaspdb_entry *e)
{
	const enum caller caller = caller_at(e->pc);

	return GASPDB_UNLIKELY(caller != PROGRAM) &&
	       (caller == RUNTIME || e->profiling);
}

/* --- places --------------------------------------------------------------- */

static bool holds(const struct gaspdb_place *p, uintptr_t frame)
{
	return p->pc && frame < p->frame;
}

static void note(const void *pc, uintptr_t frame, struct gaspdb_place *outer)
{
	*outer = outermost;
	if (!holds(&outermost, frame))
		outermost = (struct gaspdb_place){ pc, frame };
}

GASPDB_EXPORT void gaspdb_place_note(const void *pc, struct gaspdb_place *outer)
{
	note(pc, (uintptr_t)__builtin_frame_address(0), outer);
}

GASPDB_EXPORT void gaspdb_place_restore(const struct gaspdb_place *outer)
{
	outermost = *outer;
}

/* --- entries -------------------------------------------------------------- */

GASPDB_EXPORT void gaspdb_entry_pass(struct gaspdb_entry *e)
{
	e->profiling = by_profiling_name;
	e->to_other = e->wrapped && !by_profiling_name;
	by_profiling_name = 0;
}

GASPDB_COLD void gaspdb_entry_note(struct gaspdb_entry *e, uintptr_t frame)
{
	note(e->pc, frame, &e->outer);
	e->changed = true;
}

static GASPDB_COLD void take_place(struct gaspdb_entry *e, uintptr_t frame)
{
	if (holds(&outermost, frame))
		e->pc = outermost.pc;
	e->outer = outermost;
	e->changed = true;
	outermost.pc = NULL;
}

void gaspdb_entry_take_place(struct gaspdb_entry *e, uintptr_t frame)
{
	if (GASPDB_UNLIKELY(outermost.pc != NULL))
		take_place(e, frame);
}
