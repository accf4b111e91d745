/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dlsym, where it is asked for a name that has a trampoline.  A program asks to
 * know whether there is MPI, and must not be answered with a trampoline that
 * leads nowhere; a tool or a language's binding asks for the function to call
 * it, and its calls are to be recorded.  All else is libc's to answer, which
 * looks at the address that the call returns to (dlsym's stub jumps there).
 */
#include <dlfcn.h>
#include <errno.h>

#include "collector/preload/preload.h"

/* As the stub takes it. */
#define LIBC_ANSWERS ((void *)0)
#define NOT_FOUND    ((void *)1)

void *gaspdb_dlsym_answer(void *handle, const char *name, const void *caller);

static bool is_own(const void *address)
{
	return gaspdb_module_of(address) ==
	       gaspdb_module_of(gaspdb_trampolines);
}

/* Does the module define a runtime's function: by both of its names? */
static bool is_runtime(const struct link_map *module, size_t i)
{
	const size_t profiling = gaspdb_name_profiling(i);

	if (gaspdb_profiling_number[i] >= 0)
		return true;
	return profiling == SIZE_MAX ||
	       gaspdb_module_definition(module, gaspdb_name(profiling));
}

/* A definition was found: the trampoline that stands before it, if it is a
   runtime's.  The one of the profiling name goes straight there. */
static void *before(void *found, size_t i)
{
	const size_t profiling = gaspdb_name_profiling(i);

	if (!is_runtime(gaspdb_module_of(found), i))
		return found;
	return gaspdb_trampoline(profiling == SIZE_MAX ? i : profiling);
}

/* What the caller's scope has: the program's own definition, or what lies
   behind this library. */
static void *answer_default(size_t i, const void *caller)
{
	const char *name = gaspdb_name(i);
	void *found = gaspdb_real_dlsym(RTLD_DEFAULT, name);

	if (found && !is_own(found))
		return found;
	if (gaspdb_real_dlsym(RTLD_NEXT, name) ||
	    (gaspdb_is_collectors(name) && gaspdb_preload_wanted()))
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

	/* Before this library there is the program alone, mostly. */
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
	/* The handle of the program itself. */
	return is_own(found) ? answer_default(i, caller) : before(found, i);
}

static void *answer(size_t i, void *handle, const void *caller)
{
	if (handle == RTLD_DEFAULT)
		return answer_default(i, caller);
	return handle == RTLD_NEXT ? answer_next(i, caller)
				   : answer_handle(i, handle, caller);
}

/* Called by the stub; returns an address, or one of the two above. */
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
	/* What dlerror has to say is of this question. */
	dlerror();
	if (found == NOT_FOUND)
		gaspdb_real_dlsym(RTLD_NEXT, name);
	errno = saved;
	return found;
}
