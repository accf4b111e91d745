/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dlsym for names with a trampoline.  A program that asks whether MPI is there
 * must not get a trampoline that leads nowhere.  A tool or a language binding
 * that asks for a function gets one that is recorded. libc answers all else, by
 * the return address of the call (dlsym's stub jumps there).
 */
#include <dlfcn.h>
#include <errno.h>

#include "collector/preload/preload.h"

/* Answers to the stub. */
#define LIBC_ANSWERS ((void *)0)
#define NOT_FOUND    ((void *)1)

void *gaspdb_dlsym_answer(void *handle, const char *name, const void *caller);

static bool is_own(const void *address)
{
	return gaspdb_module_of(address) ==
	       gaspdb_module_of(gaspdb_trampolines);
}

/* Whether the module defines a runtime's function: under both names. */
static bool is_runtime(const struct link_map *module, size_t i)
{
	const size_t profiling = gaspdb_name_profiling(i);

	if (gaspdb_profiling_number[i] >= 0)
		return true;
	return profiling == SIZE_MAX ||
	       gaspdb_module_definition(module, gaspdb_name(profiling));
}

/* The trampoline before a definition, if it is a runtime's.  The profiling
   name's goes straight there. */
static void *before(void *found, size_t i)
{
	const size_t profiling = gaspdb_name_profiling(i);

	if (!is_runtime(gaspdb_module_of(found), i))
		return found;
	return gaspdb_trampoline(profiling == SIZE_MAX ? i : profiling);
}

/* The definition in the caller's scope: the program's own, or one after this
   library. */
static void *answer_default(size_t i, const void *caller)
{
	const char *name = gaspdb_name(i);
	void *found = gaspdb_real_dlsym(RTLD_DEFAULT, name);

	if (found && !is_own(found))
		return found;
	if (gaspdb_real_dlsym(RTLD_NEXT, name) ||
	    (gaspdb_is_collectors(name) && gaspdb_preload_enabled()))
		return gaspdb_trampoline(i);
	found = gaspdb_module_of(caller)
			? gaspdb_module_definition(gaspdb_module_of(caller),
						   name)
			: NULL;
	return found ? found : NOT_FOUND;
}

static void *answer_next(size_t i, const void *caller)
{
	const char *name = gaspdb_name(i);
	const struct link_map *module = gaspdb_module_of(caller);
	void *found;

	/* Mostly only the program comes before this library. */
	for (const struct link_map *m = gaspdb_module_of(gaspdb_trampolines);
	     m && m != module; m = m->l_prev)
		if (m->l_prev == module)
			return gaspdb_next_definition(name, caller)
				       ? gaspdb_trampoline(i)
				       : NOT_FOUND;
	found = gaspdb_module_next(module, name);
	return found ? before(found, i) : NOT_FOUND;
}

static void *answer_handle(size_t i, void *handle, const void *caller)
{
	void *found = gaspdb_real_dlsym(handle, gaspdb_name(i));

	if (!found)
		return NOT_FOUND;
	/* A handle of the program itself. */
	return is_own(found) ? answer_default(i, caller) : before(found, i);
}

static void *answer(size_t i, void *handle, const void *caller)
{
	if (handle == RTLD_DEFAULT)
		return answer_default(i, caller);
	return handle == RTLD_NEXT ? answer_next(i, caller)
				   : answer_handle(i, handle, caller);
}

/* Called by the stub; returns an address, or one of the two answers above. */
void *gaspdb_dlsym_answer(void *handle, const char *name, const void *caller)
{
	const struct link_map *module;
	size_t i = SIZE_MAX;
	void *found;
	int saved;

	gaspdb_libc_dlsym();
	if (name)
		i = gaspdb_name_find(name);
	if (i == SIZE_MAX)
		return LIBC_ANSWERS;
	saved = errno;
	module = gaspdb_module_of(caller);
	if (!module || gaspdb_module_is_own(module))
		return LIBC_ANSWERS;
	found = answer(i, handle, caller);
	/* dlerror is to report on this call. */
	dlerror();
	if (found == NOT_FOUND)
		gaspdb_real_dlsym(RTLD_NEXT, name);
	errno = saved;
	return found;
}
