/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions that allocate and free, under their own names.  Each calls the
 * next definition: libc's, or another allocator's.  operator new only notes its
 * caller for the malloc that it calls; operator delete calls free.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/preload/memory/memory.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

_Thread_local struct gaspdb_memory_thread gaspdb_memory_thread;

/* --- next definitions ----------------------------------------------------- */

#define FUNCTIONS(F)                                                   \
	F(void *, malloc, (size_t bytes))                              \
	F(void *, calloc, (size_t n, size_t bytes))                    \
	F(void *, realloc, (void *old, size_t bytes))                  \
	F(void, free, (void *address))                                 \
	F(int, posix_memalign, (void **p, size_t align, size_t bytes)) \
	F(void *, aligned_alloc, (size_t align, size_t bytes))         \
	F(void *, memalign, (size_t align, size_t bytes))              \
	F(void *, valloc, (size_t bytes))                              \
	F(void *, pvalloc, (size_t bytes))

static struct {
#define MEMBER(type, name, PARAMETERS) type(*name) PARAMETERS;
	FUNCTIONS(MEMBER)
#undef MEMBER
} next;

static atomic_bool resolved;
static _Thread_local bool resolving;

void gaspdb_memory_resolve(void)
{
	if (resolving)
		return;
	resolving = true;
#define RESOLVE(type, name, PARAMETERS) \
	*(void **)&next.name = dlsym(RTLD_NEXT, #name);
	FUNCTIONS(RESOLVE)
#undef RESOLVE
	resolving = false;
	atomic_store_explicit(&resolved, true, memory_order_release);
}

/* --- memory for dlsym, while it searches ---------------------------------- */

static _Alignas(16) char early[16 << 10];
static atomic_size_t early_used;

static bool is_early(const void *p)
{
	return (const char *)p >= early &&
	       (const char *)p < early + sizeof early;
}

/* Zeroed, never reused; its size is before it.  NULL: no room. */
static void *early_memory(size_t bytes)
{
	const size_t room = ((bytes + 15) & ~(size_t)15) + 16;
	size_t at;

	if (bytes > sizeof early)
		return NULL;
	at = atomic_fetch_add(&early_used, room);
	if (at + room > sizeof early) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(early + at, &bytes, sizeof bytes);
	return early + at + 16;
}

static GASPDB_COLD void *early_copy(const void *old, size_t bytes)
{
	size_t before;
	void *p = malloc(bytes);

	memcpy(&before, (const char *)old - 16, sizeof before);
	return p ? memcpy(p, old, before < bytes ? before : bytes) : NULL;
}

/* Whether the next definitions are there; false: they are being looked for. */
static inline bool is_ready(void)
{
	if (GASPDB_LIKELY(
		    atomic_load_explicit(&resolved, memory_order_acquire)))
		return true;
	gaspdb_memory_resolve();
	return resolved;
}

/* --- counting ------------------------------------------------------------- */

/* A call of the program. */
struct call {
	const void *caller;
	enum gaspdb_heap_call call;
	size_t bytes;
	void *old;
	bool counted, recorded;
	struct gaspdb_heap_event event;
};

#define CALL(call_, bytes_, old_)                              \
	{                                                      \
		.caller = CALLER, .call = GASPDB_HEAP_##call_, \
		.bytes = (bytes_), .old = (old_)               \
	}

/* Logs the counters if they are due.  The thread is inside. */
static GASPDB_COLD void log_if_due(void)
{
	struct gaspdb_heap *heap = gaspdb_heap;
	const struct gaspdb_heap_hooks *hooks = heap->hooks;
	const int saved = errno;

	if (!hooks || gaspdb_heap_ns() < heap->due_ns ||
	    atomic_flag_test_and_set(&heap->logging))
		return;
	hooks->log();
	atomic_flag_clear(&heap->logging);
	errno = saved;
}

enum { CALLS_A_LOOK = 16 }; /* calls of a thread between looks at the clock */

static inline void may_log(struct gaspdb_memory_thread *t, bool is_large,
			   const void *caller, enum gaspdb_heap_call call)
{
	if (GASPDB_UNLIKELY(is_large || t->calls++ % CALLS_A_LOOK == 0) &&
	    gaspdb_heap->hooks && gaspdb_place_may_log(caller, call))
		log_if_due();
}

static inline void add_live(int64_t bytes)
{
	struct gaspdb_heap *heap = gaspdb_heap;
	const int64_t now = atomic_fetch_add_explicit(&heap->live_bytes, bytes,
						      memory_order_relaxed) +
			    bytes;
	int64_t peak =
		atomic_load_explicit(&heap->peak_bytes, memory_order_relaxed);

	while (GASPDB_UNLIKELY(now > peak) &&
	       !atomic_compare_exchange_weak_explicit(&heap->peak_bytes, &peak,
						      now, memory_order_relaxed,
						      memory_order_relaxed))
		;
	if (!atomic_load_explicit(&heap->changed, memory_order_relaxed))
		atomic_store_explicit(&heap->changed, true,
				      memory_order_relaxed);
}

/* A place's counters, locked. */
static inline struct gaspdb_heap_place *lock(uint32_t place)
{
	struct gaspdb_heap_place *p = &gaspdb_heap->places[place];

	gaspdb_heap_lock(&p->lock);
	return p;
}

/* A block of a place is freed. */
static inline void count_free(const struct gaspdb_live_block *block)
{
	struct gaspdb_heap_place *p = lock(block->place);

	p->frees++;
	p->live_bytes -= block->bytes;
	gaspdb_heap_unlock(&p->lock);
	add_live(-(int64_t)block->bytes);
}

static inline void count_block(uint32_t place, const void *address,
			       uint64_t bytes)
{
	const struct gaspdb_live_block before =
		gaspdb_live_add(address, bytes, place);
	struct gaspdb_heap_place *p;

	if (GASPDB_UNLIKELY(before.place))
		count_free(&before); /* its free was not seen */
	p = lock(place);
	p->blocks++;
	p->bytes += bytes;
	p->live_bytes += bytes;
	if (p->peak_bytes < p->live_bytes)
		p->peak_bytes = p->live_bytes;
	if (p->largest_bytes < bytes)
		p->largest_bytes = bytes;
	gaspdb_heap_unlock(&p->lock);
	add_live((int64_t)bytes);
}

static void count_failure(uint32_t place)
{
	struct gaspdb_heap_place *p = lock(place);

	p->failed++;
	gaspdb_heap_unlock(&p->lock);
}

/* Whether the thread may count: not in a handler that interrupts it here. */
static inline bool enter(struct gaspdb_memory_thread *t)
{
	if (GASPDB_UNLIKELY(t->inside)) {
		if (t->inside == 1)
			atomic_fetch_add_explicit(&gaspdb_heap->uncounted, 1,
						  memory_order_relaxed);
		return false;
	}
	t->inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

static inline void leave(struct gaspdb_memory_thread *t)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->inside = 0;
}

/* The collector's own work: calls are not counted, and no loss. */
static GASPDB_COLD bool start_event(struct call *c)
{
	const struct gaspdb_heap_hooks *hooks = gaspdb_heap->hooks;
	const int saved = errno;
	bool recorded;

	gaspdb_memory_thread.inside = 2;
	recorded = hooks && hooks->start(&c->event, c->call, c->caller,
					 c->bytes, c->old);
	gaspdb_memory_thread.inside = 0;
	errno = saved;
	return recorded;
}

static GASPDB_COLD void end_event(struct call *c, const void *address)
{
	const struct gaspdb_heap_hooks *hooks = gaspdb_heap->hooks;
	const int saved = errno;

	if (!hooks) /* a forked child, in a signal handler */
		return;
	gaspdb_memory_thread.inside = 2;
	hooks->end(&c->event, c->call, c->bytes, c->old, address);
	gaspdb_memory_thread.inside = 0;
	errno = saved;
}

/* --- calls ---------------------------------------------------------------- */

static inline void begin(struct call *c)
{
	if (GASPDB_UNLIKELY(!gaspdb_heap_is_on())) {
		gaspdb_memory_prepare();
		if (!gaspdb_heap_is_on())
			return;
	}
	if (GASPDB_UNLIKELY(gaspdb_memory_thread.new_caller != NULL)) {
		c->caller = gaspdb_memory_thread.new_caller;
		c->call = GASPDB_HEAP_NEW;
		gaspdb_memory_thread.new_caller = NULL;
	}
	c->counted = true;
	if (GASPDB_UNLIKELY(c->bytes >= GASPDB_HEAP_EVENT_BYTES) &&
	    c->bytes <= GASPDB_HEAP_EVENT_MOST && !gaspdb_memory_thread.inside)
		c->recorded = start_event(c);
}

/* The call returned address; failed: NULL, and that is no success. */
static inline void *finish(struct call *c, void *address, bool failed)
{
	struct gaspdb_memory_thread *t = &gaspdb_memory_thread;
	uint32_t place;

	if (GASPDB_UNLIKELY(!c->counted))
		return address;
	if (GASPDB_UNLIKELY(c->recorded))
		end_event(c, address);
	if (!gaspdb_heap_is_on() || !enter(t))
		return address;
	t->inside = 2;
	place = gaspdb_place_of(c->caller, c->call);
	t->inside = 1;
	if (GASPDB_UNLIKELY(!place))
		atomic_fetch_add_explicit(&gaspdb_heap->uncounted, 1,
					  memory_order_relaxed);
	else if (GASPDB_LIKELY(address != NULL))
		count_block(place, address, c->bytes);
	else if (failed)
		count_failure(place);
	t->inside = 2;
	may_log(t, c->bytes >= GASPDB_HEAP_EVENT_BYTES, c->caller, c->call);
	leave(t);
	return address;
}

EXPORT void *malloc(size_t bytes)
{
	struct call c = CALL(MALLOC, bytes, NULL);
	void *p;

	if (GASPDB_UNLIKELY(!is_ready()))
		return early_memory(bytes);
	begin(&c);
	p = next.malloc(bytes);
	return finish(&c, p, !p);
}

EXPORT void *calloc(size_t n, size_t bytes)
{
	struct call c = CALL(CALLOC, 0, NULL);
	void *p;

	if (__builtin_mul_overflow(n, bytes, &c.bytes))
		c.bytes = 0;
	if (GASPDB_UNLIKELY(!is_ready()))
		return early_memory(c.bytes);
	begin(&c);
	p = next.calloc(n, bytes);
	return finish(&c, p, !p);
}

#define ALIGNED(name, PARAMETERS, ...)                      \
	EXPORT void *name PARAMETERS;                       \
	EXPORT void *name PARAMETERS                        \
	{                                                   \
		struct call c = CALL(ALIGNED, bytes, NULL); \
		void *p;                                    \
                                                            \
		if (GASPDB_UNLIKELY(!is_ready()))           \
			return NULL;                        \
		begin(&c);                                  \
		p = next.name(__VA_ARGS__);                 \
		return finish(&c, p, !p);                   \
	}
ALIGNED(aligned_alloc, (size_t align, size_t bytes), align, bytes)
ALIGNED(memalign, (size_t align, size_t bytes), align, bytes)
ALIGNED(valloc, (size_t bytes), bytes)
ALIGNED(pvalloc, (size_t bytes), bytes)

EXPORT int posix_memalign(void **p, size_t align, size_t bytes)
{
	struct call c = CALL(ALIGNED, bytes, NULL);
	int rc;

	if (GASPDB_UNLIKELY(!is_ready()))
		return ENOMEM;
	begin(&c);
	rc = next.posix_memalign(p, align, bytes);
	finish(&c, rc ? NULL : *p, rc != 0);
	return rc;
}

/* --- freeing -------------------------------------------------------------- */

/* Removes the block from the table: another thread may get its address as soon
   as it is freed.  place 0: it is not there. */
static inline struct gaspdb_live_block remove_block(const void *address)
{
	struct gaspdb_memory_thread *t = &gaspdb_memory_thread;
	struct gaspdb_live_block block = { 0, 0 };

	if (!enter(t))
		return block;
	block = gaspdb_live_remove(address);
	if (GASPDB_UNLIKELY(!block.place))
		atomic_fetch_add_explicit(&gaspdb_heap->unknown_frees, 1,
					  memory_order_relaxed);
	leave(t);
	return block;
}

static inline void count_removed(const struct gaspdb_live_block *block)
{
	struct gaspdb_memory_thread *t = &gaspdb_memory_thread;

	if (!enter(t))
		return;
	count_free(block);
	leave(t);
}

static GASPDB_COLD void free_recorded(void *address, const void *caller)
{
	struct call c = { .caller = caller,
			  .old = address,
			  .call = GASPDB_HEAP_CALLS /* FREE */ };
	bool recorded;

	recorded = start_event(&c);
	next.free(address);
	if (recorded)
		end_event(&c, NULL);
}

EXPORT void free(void *address)
{
	struct gaspdb_live_block block;

	if (!address || GASPDB_UNLIKELY(is_early(address)))
		return;
	if (GASPDB_UNLIKELY(!is_ready()))
		return;
	if (GASPDB_UNLIKELY(!gaspdb_heap_is_on())) {
		next.free(address);
		return;
	}
	block = remove_block(address);
	if (GASPDB_LIKELY(block.place))
		count_removed(&block);
	if (GASPDB_UNLIKELY(block.bytes >= GASPDB_HEAP_EVENT_BYTES) &&
	    !gaspdb_memory_thread.inside)
		free_recorded(address, CALLER);
	else
		next.free(address);
}

/* The old block is counted as freed, unless the call fails. */
static void *reallocate(struct call *c)
{
	struct gaspdb_live_block old = { 0, 0 };
	void *p;

	begin(c);
	if (!c->counted)
		return next.realloc(c->old, c->bytes);
	if (c->old)
		old = remove_block(c->old);
	p = next.realloc(c->old, c->bytes);
	if (old.place && (p || !c->bytes))
		count_removed(&old);
	else if (old.place)
		gaspdb_live_add(c->old, old.bytes, old.place);
	return finish(c, p, !p && c->bytes);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	struct call c = CALL(REALLOC, bytes, old);

	if (GASPDB_UNLIKELY(!is_ready()))
		return early_memory(bytes);
	if (GASPDB_UNLIKELY(is_early(old)))
		return early_copy(old, bytes);
	return reallocate(&c);
}

EXPORT void *reallocarray(void *old, size_t n, size_t bytes)
{
	struct call c = CALL(REALLOC, 0, old);

	if (__builtin_mul_overflow(n, bytes, &c.bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (GASPDB_UNLIKELY(!is_ready() || is_early(old)))
		return realloc(old, c.bytes);
	return reallocate(&c);
}

/* --- operator new --------------------------------------------------------- */

/*
 * libstdc++'s operator new, also where that was loaded for its user alone.
 * Without it nothing calls these.
 */
static GASPDB_COLD void *next_new(const char *name)
{
	static const char *const libraries[] = { "libstdc++.so.6",
						 "libc++abi.so.1",
						 "libc++.so.1" };
	const int saved = errno, inside = gaspdb_memory_thread.inside;
	const void *caller = gaspdb_memory_thread.new_caller;
	void *found = NULL, *handle;

	gaspdb_memory_thread.new_caller = NULL;
	gaspdb_memory_thread.inside = 2;
	found = dlsym(RTLD_NEXT, name);
	for (size_t i = 0; !found && i < sizeof libraries / sizeof *libraries;
	     i++) {
		handle = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		if (handle) {
			found = dlsym(handle, name);
			dlclose(handle);
		}
	}
	if (!found)
		abort();
	gaspdb_memory_thread.inside = inside;
	gaspdb_memory_thread.new_caller = caller;
	errno = saved;
	return found;
}

/* new[] calls new: the first caller holds.  An allocator that does not call
   malloc is not counted. */
#define NEW(name, type, ...)                                            \
	EXPORT void *name type;                                         \
	EXPORT void *name type                                          \
	{                                                               \
		struct gaspdb_memory_thread *t = &gaspdb_memory_thread; \
		static _Atomic(void *) next_of_it;                      \
		void *found = next_of_it, *p;                           \
                                                                        \
		if (GASPDB_UNLIKELY(!found))                            \
			next_of_it = found = next_new(#name);           \
		if (gaspdb_heap_is_on() && !t->new_caller)              \
			t->new_caller = CALLER;                         \
		p = ((void *(*)type)(uintptr_t)found)(__VA_ARGS__);     \
		t->new_caller = NULL;                                   \
		return p;                                               \
	}

NEW(_Znwm, (size_t bytes), bytes)
NEW(_Znam, (size_t bytes), bytes)
NEW(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
NEW(_ZnamRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
NEW(_ZnwmSt11align_val_t, (size_t bytes, size_t align), bytes, align)
NEW(_ZnamSt11align_val_t, (size_t bytes, size_t align), bytes, align)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (size_t bytes, size_t align, const void *nothrow), bytes, align, nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (size_t bytes, size_t align, const void *nothrow), bytes, align, nothrow)
