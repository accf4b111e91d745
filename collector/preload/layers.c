/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets of the trampolines.  Wrappers of several tools precede a runtime in
 * layers: each calls the next, by a profiling name (PMPI_X) or an address from
 * dlsym.  The adapter becomes one of them.  There is no lock: threads that
 * resolve at once find and store the same.  The adapter's slots are stored
 * before any target leads to it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "collector/base/own_folder.h"
#include "collector/base/stderr_line.h"
#include "collector/preload/has_collector.h"
#include "collector/preload/preload.h"
#include "collector/process/handover.h"

/* Names of one interface. */
static const struct interface {
	const char *prefix;	/* of its names, in any case */
	const char *definition; /* a name that every runtime defines */
	const char *linked;	/* the program has an adapter for it itself */
} interfaces[] = {
	{ "mpi", "PMPI_Init", "gaspdb_mpi_adapter_v1" },
	{ "", "pshmem_init", "gaspdb_shmem_adapter_v1" },
};

/*
 * MPICH, and others with its binary interface: Intel MPI, Cray MPICH, MVAPICH.
 * The adapter needs no library by name, so that theirs is enough.
 */
#define MPICH_ADAPTER "libgaspdb-mpich-abi.so"

/* Runtimes by a symbol that only their library has. */
static const struct {
	const char *symbol, *adapter;
} runtimes[] = {
	{ "pshmem_init", "libgaspdb-oshmem.so" },
	/* Open MPI */
	{ "ompi_mpi_comm_world", "libgaspdb-openmpi.so" },
	{ "MPIR_Err_create_code", MPICH_ADAPTER },
};

/* Scope of definitions for a caller. */
struct scope {
	void *handle; /* RTLD_NEXT, or a module's; NULL: there is no runtime */
	const struct link_map *runtime; /* that defines the interface */
	struct gaspdb_range range;	/* of the runtime */
};

struct adapter {
	void *handle; /* NULL: there is none */
	struct gaspdb_range range;
};

static void complain(const char *what, const char *subject)
{
	static atomic_flag complained = ATOMIC_FLAG_INIT;
	char line[1024];
	int n = snprintf(line, sizeof line,
			 "gaspdb: nothing is recorded: %s '%s'\n", what,
			 subject);

	if (n > 0 && !atomic_flag_test_and_set(&complained) &&
	    gaspdb_stderr_is(&gaspdb_first_stderr))
		gaspdb_stderr_line(line, (size_t)n < sizeof line
						 ? (size_t)n
						 : sizeof line - 1);
}

static const struct interface *interface_of(const char *name)
{
	const char *p = name + (*name == 'P' || *name == 'p');
	const struct interface *mpi = &interfaces[0];

	return strncasecmp(p, mpi->prefix, strlen(mpi->prefix)) ? &interfaces[1]
								: mpi;
}

/* --- whether the process is recorded -------------------------------------- */

bool gaspdb_preload_enabled(void)
{
	return getenv("GASPDB_DIR") && !getauxval(AT_SECURE) &&
	       !gaspdb_has_collector();
}

/* --- definitions ---------------------------------------------------------- */

/* Handle of a module and its dependencies, without a reference: the module is
   calling, and so stays. */
static void *handle_of(const struct link_map *module)
{
	void *handle = NULL;

	if (module && module->l_name && *module->l_name)
		handle = dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD);
	return handle;
}

/* Handle of the caller's dependencies, where the runtime is visible to it
   alone. */
static void *handle_for(const void *caller, const char *definition)
{
	void *handle = handle_of(gaspdb_module_of(caller));
	const struct link_map *runtime;

	if (handle && gaspdb_real_dlsym(handle, definition))
		return handle;
	if (handle)
		dlclose(handle);
	runtime = gaspdb_module_of(gaspdb_module_next(
		gaspdb_module_of(gaspdb_trampolines), definition));
	return handle_of(runtime);
}

static struct scope scope_of(const struct interface *interface,
			     const void *caller)
{
	struct scope s = { .handle = RTLD_NEXT };
	void *definition = gaspdb_real_dlsym(RTLD_NEXT, interface->definition);

	if (!definition) {
		s.handle = handle_for(caller, interface->definition);
		if (!s.handle)
			return s;
		definition = gaspdb_real_dlsym(s.handle, interface->definition);
	}
	s.runtime = gaspdb_module_of(definition);
	s.range = gaspdb_range_around(definition);
	return s;
}

void *gaspdb_next_definition(const char *name, const void *caller)
{
	void *found = gaspdb_real_dlsym(RTLD_NEXT, name), *handle;

	if (found)
		return found;
	handle = handle_for(caller, interface_of(name)->definition);
	if (handle) {
		found = gaspdb_real_dlsym(handle, name);
		dlclose(handle);
	}
	if (!found)
		found = gaspdb_module_next(gaspdb_module_of(gaspdb_trampolines),
					   name);
	return gaspdb_module_of(found) == gaspdb_module_of(gaspdb_trampolines)
		       ? NULL
		       : found;
}

/* --- the adapter ---------------------------------------------------------- */

/* Whether a file has a name of the libraries with MPICH's interface:
   libmpi.so.12, libmpich.so.12, libmpi_cray.so.12 ... */
static bool has_mpich_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;

	return !strncmp(file, "libmpi", 6) && strstr(file, ".so.12");
}

/* File name of a runtime's adapter; NULL: unknown runtime. */
static const char *adapter_for(const struct scope *s)
{
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
		if (gaspdb_is_in(
			    &s->range,
			    gaspdb_real_dlsym(s->handle, runtimes[i].symbol)))
			return runtimes[i].adapter;
	return has_mpich_name(s->runtime->l_name) ? MPICH_ADAPTER : NULL;
}

static void *load_adapter(const struct scope *s)
{
	const char *name = adapter_for(s);
	char folder[PATH_MAX], path[PATH_MAX + 64];
	void *adapter;

	if (!name) {
		complain("no adapter for", s->runtime->l_name);
		return NULL;
	}
	if (!gaspdb_own_folder(gaspdb_trampolines, folder, sizeof folder))
		return NULL;
	snprintf(path, sizeof path, "%s%s", folder, name);
	if (access(path, R_OK)) {
		complain("no adapter for this runtime,", path);
		return NULL;
	}
	adapter = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!adapter)
		complain("the adapter cannot be loaded:", dlerror());
	return adapter;
}

/* Loads the adapter that the process needs. */
static struct adapter adapter_of(const struct interface *interface,
				 const struct scope *s)
{
	struct adapter a = { NULL, { 0, 0 } };

	if (!gaspdb_preload_enabled() ||
	    gaspdb_real_dlsym(RTLD_DEFAULT, interface->linked))
		return a;
	a.handle = load_adapter(s);
	if (a.handle)
		a.range = gaspdb_range_around(
			gaspdb_real_dlsym(a.handle, GASPDB_NEXT_TABLE));
	return a;
}

/*
 * Fills the adapter's slots: with the runtime's profiling names, and with the
 * wrapper of another tool where there is one, so that the tool goes on working.
 */
static void hand_over(void *adapter, const struct scope *s)
{
	const struct gaspdb_next *next =
		gaspdb_real_dlsym(adapter, GASPDB_NEXT_TABLE);
	gaspdb_preloaded_fn *preloaded =
		(gaspdb_preloaded_fn *)(size_t)gaspdb_real_dlsym(
			adapter, GASPDB_PRELOADED);
	void *found;

	for (; next && next->name; next++) {
		found = gaspdb_real_dlsym(s->handle, next->name);
		if (!found || (next->others && gaspdb_is_in(&s->range, found)))
			continue;
		__atomic_store_n(next->slot, found, __ATOMIC_RELEASE);
	}
	gaspdb_dlclose_pass_to(adapter);
	if (preloaded)
		gaspdb_profiling_offset = preloaded(&gaspdb_first_stderr);
}

/* --- slots ---------------------------------------------------------------- */

/* The adapter's wrapper of a name; NULL: none. */
static void *wrapper_of(const struct adapter *a, const char *name)
{
	void *found = a->handle ? gaspdb_real_dlsym(a->handle, name) : NULL;

	return gaspdb_is_in(&a->range, found) ? found : NULL;
}

static void *thunk_of(size_t i)
{
	return (void *)(uintptr_t)(gaspdb_thunks +
				   (size_t)gaspdb_profiling_number[i] *
					   gaspdb_thunk_bytes);
}

static void store(size_t i, const struct adapter *adapter,
		  const struct scope *s)
{
	const char *name = gaspdb_name(i);
	void *next = gaspdb_real_dlsym(s->handle, name);

	if (!next)
		return;
	if (gaspdb_profiling_number[i] < 0) {
		void *wrapper = wrapper_of(adapter, name);

		next = wrapper ? wrapper : next;
	} else if (wrapper_of(adapter, name + 1)) {
		next = thunk_of(i);
	}
	atomic_store_explicit(&gaspdb_slots[i], next, memory_order_release);
}

/* Stores the targets, functions' own names first: the others lead there. */
static void store_all(const struct interface *interface,
		      const struct adapter *adapter, const struct scope *s)
{
	for (int profiling = 0; profiling < 2; profiling++)
		for (size_t i = 0; i < gaspdb_n_names; i++)
			if ((gaspdb_profiling_number[i] >= 0) == profiling &&
			    !gaspdb_is_collectors(gaspdb_name(i)) &&
			    interface_of(gaspdb_name(i)) == interface)
				store(i, adapter, s);
}

/* The loaded adapters. */
static _Atomic(void *) adapters[sizeof interfaces / sizeof *interfaces];

static void resolve_interface(const struct interface *interface,
			      const void *caller)
{
	static atomic_bool resolved[sizeof interfaces / sizeof *interfaces];
	atomic_bool *done = &resolved[interface - interfaces];
	struct adapter adapter;
	struct scope s;

	if (*done)
		return;
	s = scope_of(interface, caller);
	if (!s.handle || !s.runtime)
		return;
	adapter = adapter_of(interface, &s);
	if (adapter.handle) {
		hand_over(adapter.handle, &s);
		adapters[interface - interfaces] = adapter.handle;
	}
	store_all(interface, &adapter, &s);
	*done = true;
}

/* --- the collector's own functions ---------------------------------------- */

/* Hooks that compilers' code calls, and functions that a program may call
   without a runtime; and the collector's own names of them. */
static const struct {
	const char *prefix, *own;
} hooks[] = {
	{ "__cyg_profile_func_", "gaspdb_function_" },
	{ "gaspdb_statement_", "gaspdb_timer_" },
	{ "gaspdb_entity_", "gaspdb_entity_" },
	{ "gaspdb_associate", "gaspdb_associate" },
	{ "gaspdb_work_", "gaspdb_work_" },
};

/* Its own name, of which the rest is the same; NULL: it is no hook. */
static const char *own_prefix(const char *name, const char **rest)
{
	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
		const size_t n = strlen(hooks[i].prefix);

		*rest = name + n;
		if (!strncmp(name, hooks[i].prefix, n))
			return hooks[i].own;
	}
	return NULL;
}

static bool is_hook(const char *name)
{
	const char *rest;

	return own_prefix(name, &rest);
}

bool gaspdb_is_collectors(const char *name)
{
	return !strncmp(name, "pupc_", 5) || !strncmp(name, "gaspdb_", 7) ||
	       is_hook(name);
}

/*
 * Of pupc.h and gaspdb.h: the program's collector, or that of the adapter,
 * which is loaded now where there is a runtime.  NULL: nothing is recorded.
 */
static void *collectors(const char *name, const void *caller)
{
	void *found = gaspdb_real_dlsym(RTLD_NEXT, name);

	for (size_t i = 0; !found && i < sizeof interfaces / sizeof *interfaces;
	     i++) {
		resolve_interface(&interfaces[i], caller);
		if (adapters[i])
			found = gaspdb_real_dlsym(adapters[i], name);
	}
	return found;
}

static long nothing(void)
{
	return 0;
}

/* The collector without an adapter; NULL: nothing is recorded. */
static void *load_collector(void)
{
	char folder[PATH_MAX], path[PATH_MAX + 64];
	void *collector;

	if (!gaspdb_preload_enabled() ||
	    !gaspdb_own_folder(gaspdb_trampolines, folder, sizeof folder))
		return NULL;
	snprintf(path, sizeof path, "%slibgaspdb.so", folder);
	collector = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (collector)
		gaspdb_dlclose_pass_to(collector);
	else
		complain("the collector cannot be loaded:", dlerror());
	return collector;
}

/*
 * The collector's function behind a hook: that of the program's collector, else
 * of one that is loaded now.  Its own name is looked for, as libc and
 * libgaspdb-statements define the hooks too.
 */
static void *find_hook(const char *name)
{
	char own[64];
	const char *rest, *prefix = own_prefix(name, &rest);
	void *found, *collector;

	snprintf(own, sizeof own, "%s%s", prefix, rest);
	found = gaspdb_real_dlsym(RTLD_NEXT, own);
	collector = found ? NULL : load_collector();
	if (collector)
		found = gaspdb_real_dlsym(collector, own);
	return found ? found : (void *)(size_t)nothing;
}

/* Where a hook goes, for good.  An allocator of the program's may have hooks,
   too: its calls while the collector is being loaded go nowhere. */
static void *resolve_hook(size_t i)
{
	static _Thread_local bool resolving;
	void *found;

	if (resolving)
		return (void *)(size_t)nothing;
	resolving = true;
	found = find_hook(gaspdb_name(i));
	resolving = false;
	atomic_store_explicit(&gaspdb_slots[i], found, memory_order_release);
	return found;
}

/* --- calls of what is not there ------------------------------------------- */

/* No definition: without this library the call had failed, too.  MPI's error
   codes are not 0. */
static int absent(void)
{
	return 16;
}

/* MPI_Initialized, MPI_Finalized: asked by libraries that can do without. */
static int absent_flag(int *flag)
{
	*flag = 0;
	return 0;
}

static void *absence(const char *name)
{
	const char *p = name + (*name == 'P');

	return !strcmp(p, "MPI_Initialized") || !strcmp(p, "MPI_Finalized")
		       ? (void *)(size_t)absent_flag
		       : (void *)(size_t)absent;
}

static void *resolve_collectors(size_t i, const void *caller)
{
	void *found = collectors(gaspdb_name(i), caller);

	if (found)
		atomic_store_explicit(&gaspdb_slots[i], found,
				      memory_order_release);
	return found ? found : (void *)(size_t)nothing;
}

static void *resolve(size_t i, const void *caller)
{
	const char *name = gaspdb_name(i);
	void *target;

	resolve_interface(interface_of(name), caller);
	target = atomic_load_explicit(&gaspdb_slots[i], memory_order_acquire);
	if (!target) {
		/* Of a library that was loaded later, Fortran's for one. */
		target = gaspdb_next_definition(name, caller);
		if (target)
			atomic_store_explicit(&gaspdb_slots[i], target,
					      memory_order_release);
	}
	return target ? target : absence(name);
}

void *gaspdb_resolve(size_t i, const void *caller)
{
	const int saved = errno;
	const char *name = gaspdb_name(i);
	void *target = is_hook(name) ? resolve_hook(i)
		       : gaspdb_is_collectors(name)
			       ? resolve_collectors(i, caller)
			       : resolve(i, caller);

	errno = saved;
	return target;
}
