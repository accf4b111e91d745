/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Symmetric memory, in which an offset is the same object on all PEs.
 * OpenSHMEM cannot be queried for its bounds, only for single addresses,
 * without communication (shmem_addr_accessible of the own PE).
 */
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/loaded_module.h"
#include "collector/base/undisturbed.h"
#include "collector/log/log_format.h"
#include "collector/models/shmem/adapter.h"
#include "collector/process/module_file.h"

static int own_pe;

static bool symmetric(uintptr_t address)
{
	return pshmem_addr_accessible((const void *)address, own_pe) != 0;
}

/* --- static data ---------------------------------------------------------- */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Adds a module's writable data; its last byte lies beyond the part that
   becomes read-only after relocation. */
static int add_module(struct dl_phdr_info *m, size_t size, void *program)
{
	const struct gaspdb_range r = gaspdb_segments_range(m, PF_W);
	const char *path =
		m->dlpi_name && *m->dlpi_name ? m->dlpi_name : program;

	(void)size;
	if (r.base < r.end && symmetric(r.end - 1))
		gaspdb_segment("module", file_name(path), (const void *)r.base,
			       r.end - r.base);
	return 0;
}

void gaspdb_shmem_modules(int pe)
{
	char program[4096] = "program";
	const int saved = errno;

	gaspdb_program_path(program, sizeof program);
	own_pe = pe;
	dl_iterate_phdr(add_module, program);
	errno = saved;
}

/* --- the heap ------------------------------------------------------------- */

/* Heaps: OSHMEM has up to two, the second for shmemx_malloc_with_hint.  Entries
   below n_heaps are constant. */
static struct gaspdb_range heaps[4];
static _Atomic unsigned n_heaps;
static struct gaspdb_lock lock;

static bool known(uintptr_t address)
{
	const unsigned n = atomic_load_explicit(&n_heaps, memory_order_acquire);

	for (unsigned i = 0; i < n; i++)
		if (address >= heaps[i].base && address < heaps[i].end)
			return true;
	return false;
}

/* The contiguous mappings around address. */
static struct gaspdb_range mapped_around(uintptr_t address)
{
	struct gaspdb_range all = { 0, 0 }, one;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];

	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &one.base,
			   &one.end) != 2)
			continue;
		if (one.base == all.end)
			all.end = one.end;
		else if (all.end > address)
			break;
		else
			all = one;
	}
	if (f)
		fclose(f);
	if (address < all.base || address >= all.end)
		all = (struct gaspdb_range){ address, address };
	return all;
}

/*
 * The symmetric address nearest to out, between in (symmetric) and out (not).
 */
static uintptr_t edge(uintptr_t in, uintptr_t out)
{
	uintptr_t middle;

	while (in > out ? in - out > 1 : out - in > 1) {
		middle = in > out ? out + (in - out) / 2 : in + (out - in) / 2;
		if (symmetric(middle))
			in = middle;
		else
			out = middle;
	}
	return in;
}

/* The heap around address.  Mappings may be merged with neighbours in some
   processes: the asymmetric ends are cut off, so that all PEs get one base. */
static struct gaspdb_range heap_around(uintptr_t address)
{
	struct gaspdb_range r = mapped_around(address);

	if (r.base == r.end || !symmetric(address))
		return (struct gaspdb_range){ address, address };
	if (!symmetric(r.base))
		r.base = edge(address, r.base);
	if (!symmetric(r.end - 1))
		r.end = edge(address, r.end - 1) + 1;
	return r;
}

static GASPDB_COLD void find_heap(struct gaspdb_context *c, uintptr_t address)
{
	const uint64_t start = gaspdb_ticks();
	const int saved = errno;
	const unsigned n = n_heaps;
	char name[16];
	struct gaspdb_range r;

	if (n == sizeof heaps / sizeof *heaps)
		return;
	r = heap_around(address);
	if (r.base == r.end) {
		gaspdb_complain("the bounds of the symmetric heap at %p are "
				"not known: locks and flags in it are not "
				"recognised",
				(void *)address);
		r.end = r.base + 1;
	} else {
		snprintf(name, sizeof name, n ? "heap %u" : "heap", n + 1);
		gaspdb_segment("heap", name, (const void *)r.base,
			       r.end - r.base);
	}
	heaps[n] = r;
	atomic_store_explicit(&n_heaps, n + 1, memory_order_release);
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	errno = saved;
}

void gaspdb_shmem_heap(struct gaspdb_context *c, const void *address)
{
	struct gaspdb_disturbance before;

	if (GASPDB_LIKELY(!address || known((uintptr_t)address)))
		return;
	before = gaspdb_undisturbed_begin();
	if (gaspdb_lock_enter(&lock)) {
		if (!known((uintptr_t)address))
			find_heap(c, (uintptr_t)address);
		gaspdb_lock_leave(&lock);
	}
	gaspdb_undisturbed_end(before);
}
