/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call stacks: see call_stack.h.  A stack that was seen before is found in a
 * cache by the call's address and stack pointer.  Its entry has the slots of
 * the return addresses on the stack; they are read again, from the innermost
 * outwards: each proves the next frame's position.  Any other is unwound: on
 * x86-64 by rules that are kept by address (unwind_rules.h), elsewhere, and
 * where one of its frames has no such rule, by libgcc's unwinder.
 */
#include "collector/core/call_stack.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "collector/base/pages.h"
#include "collector/base/undisturbed.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/core/python/source_places.h"
#include "collector/core/unwind_rules.h"
#include "collector/process/layers.h"
#include "collector/process/process.h"

#define CACHE_SIZE  512	       /* entries, direct-mapped */
#define RULES_SIZE  1024       /* the same */
#define FRAMES_MAX  (1u << 18) /* of a context */
#define FIRST_SLOTS 1024

struct slot {
	const uintptr_t *at; /* on the stack */
	uintptr_t value;
};

struct entry {
	const void *pc;
	uintptr_t sp;
	const void *place;
	unsigned n;	     /* slots of the frames beyond the innermost */
	struct slot slots[]; /* as many as the depth of stacks */
};

struct gaspdb_call_stacks {
	unsigned char *cache; /* entries, close together: a page that is touched
				 first costs more than unwinding */
	size_t entry_bytes;
	struct gaspdb_unwind_rule rules[RULES_SIZE];
	uint64_t rules_unloads; /* gaspdb_modules_unloaded of the rules */
	struct gaspdb_stack_frame *frames; /* FRAMES_MAX, reserved at once */
	uint32_t n_frames, n_defined;
	struct gaspdb_table table; /* of indexes of frames + 1 */
};

/* --- libgcc's unwinder ------------------------------------------------------
 *
 * It is loaded at the first context with stacks: without them no process loads
 * it.
 */

static struct {
	__typeof__(_Unwind_Backtrace) *backtrace;
	__typeof__(_Unwind_GetIP) *ip;
	__typeof__(_Unwind_GetCFA) *cfa;
	gaspdb_find_frame_fn *find_frame;
} unwinder;

static bool load_unwinder(void)
{
#ifndef GASPDB_UPC_OBJECT
	void *handle;

	if (unwinder.cfa)
		return true;
	handle = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return false;
	*(void **)&unwinder.backtrace = dlsym(handle, "_Unwind_Backtrace");
	*(void **)&unwinder.ip = dlsym(handle, "_Unwind_GetIP");
	*(void **)&unwinder.cfa = dlsym(handle, "_Unwind_GetCFA");
	*(void **)&unwinder.find_frame = dlsym(handle, "_Unwind_Find_FDE");
#endif
	return unwinder.backtrace && unwinder.ip && unwinder.cfa;
}

struct walk {
	const void *from; /* the innermost frame's address */
	unsigned n, max;
	bool cacheable; /* each return address was found on the stack */
	const void *pc[GASPDB_STACK_MAX];
	struct slot slot[GASPDB_STACK_MAX];
};

/* Takes the frame of code at pc, whose return address should be at at.  Returns
   whether there is room for another. */
static bool take(struct walk *w, uintptr_t pc, const uintptr_t *at)
{
	if (!pc || (!w->n && pc != (uintptr_t)w->from))
		return true;
	w->pc[w->n] = (const void *)pc;
	w->slot[w->n] = (struct slot){ at, pc };
	w->cacheable &= !w->n || *at == pc;
	return ++w->n < w->max;
}

/* On x86-64 a return address is the word below the frame's canonical address;
   elsewhere it mostly is not, and the stack is not cached. */
static _Unwind_Reason_Code visit(struct _Unwind_Context *u, void *user)
{
	return take(user, unwinder.ip(u),
		    (const uintptr_t *)unwinder.cfa(u) - 1)
		       ? _URC_NO_REASON
		       : _URC_NORMAL_STOP;
}

/* --- unwinding by rules --------------------------------------------------- */

#if defined(__x86_64__)
/* Rules of other code at the same addresses lead astray. */
static void drop_stale_rules(struct gaspdb_call_stacks *s)
{
	const uint64_t unloads = gaspdb_modules_unloaded();

	if (s->rules_unloads != unloads)
		memset(s->rules, 0, sizeof s->rules);
	s->rules_unloads = unloads;
}

/* Frame information in a module, as its code can only go with it: that of
   generated code is not kept. */
static const void *find_in_module(void *pc, void *bases[3])
{
	const void *found = unwinder.find_frame(pc, bases);
	Dl_info info;

	return found && dladdr(found, &info) ? found : NULL;
}

static const struct gaspdb_unwind_rule *rule_at(struct gaspdb_call_stacks *s,
						uintptr_t pc)
{
	struct gaspdb_unwind_rule *r =
		&s->rules[gaspdb_mix(pc, 0) % RULES_SIZE];

	if (r->pc != pc)
		gaspdb_unwind_rule_read(r, pc, find_in_module);
	return r;
}

/* Takes all frames from the caller's on.  false: a frame has no rule. */
static bool walk_by_rules(struct gaspdb_call_stacks *s, struct walk *w)
{
	uintptr_t pc, sp, bp;

	if (!unwinder.find_frame)
		return false;
	drop_stale_rules(s);
	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
			 : "=&r"(pc), "=&r"(sp), "=&r"(bp));
	for (;;) {
		const struct gaspdb_unwind_rule *r = rule_at(s, pc);
		const uintptr_t *at;

		if (!r->known)
			return false;
		if (r->last)
			return true;
		sp = (r->from_rbp ? bp : sp) + (uintptr_t)r->cfa_offset;
		at = (const uintptr_t *)sp - 1;
		if (r->rbp_offset)
			bp = *(const uintptr_t *)(sp +
						  (uintptr_t)r->rbp_offset);
		if (!take(w, *at, at))
			return true;
		/* Inside of the call: what follows may be another function. */
		pc = *at - 1;
	}
}
#else
static bool walk_by_rules(struct gaspdb_call_stacks *s, struct walk *w)
{
	(void)s;
	(void)w;
	return false;
}
#endif

/* from: the address of the call. */
static void walk_stack(struct gaspdb_call_stacks *s, struct walk *w,
		       const void *from)
{
	w->from = from;
	w->max = gaspdb_process.stack_depth;
	w->n = 0;
	w->cacheable = true;
	if (walk_by_rules(s, w))
		return;
	w->n = 0;
	w->cacheable = true;
	unwinder.backtrace(visit, w);
}

/* --- interned frames ------------------------------------------------------ */

static uint64_t frame_hash(uint32_t caller, const void *pc)
{
	return gaspdb_mix((uintptr_t)pc, caller);
}

static uint32_t *free_slot(uint32_t *slots, uint32_t size, uint64_t hash)
{
	while (slots[hash & (size - 1)])
		hash++;
	return &slots[hash & (size - 1)];
}

/* Rebuilds the table with the frames that can be found.  false: no memory. */
static bool rebuild(struct gaspdb_call_stacks *s, uint32_t size)
{
	uint32_t *slots = gaspdb_pages(size * sizeof *slots);

	if (!slots)
		return false;
	s->table.used = 0;
	for (uint32_t i = 0; i < s->n_frames; i++) {
		const struct gaspdb_stack_frame *f = &s->frames[i];

		if (!f->pc)
			continue;
		*free_slot(slots, size, frame_hash(f->caller, f->pc)) = i + 1;
		s->table.used++;
	}
	if (s->table.slots)
		munmap(s->table.slots, s->table.size * sizeof *slots);
	s->table.slots = slots;
	s->table.size = size;
	return true;
}

/* Index + 1 of the frame at pc, called from caller; 0: no memory. */
static uint32_t intern(struct gaspdb_call_stacks *s, uint32_t caller,
		       const void *pc)
{
	uint64_t at = frame_hash(caller, pc);
	uint32_t *slots = s->table.slots, i;

	for (; (i = slots[at & (s->table.size - 1)]); at++)
		if (s->frames[i - 1].pc == pc &&
		    s->frames[i - 1].caller == caller)
			return i;
	if (s->n_frames == FRAMES_MAX || (s->table.used >= s->table.size / 2 &&
					  !rebuild(s, 2 * s->table.size)))
		return 0;
	s->frames[s->n_frames] =
		(struct gaspdb_stack_frame){ .pc = pc, .caller = caller };
	i = ++s->n_frames;
	*free_slot(s->table.slots, s->table.size, frame_hash(caller, pc)) = i;
	s->table.used++;
	return i;
}

/* The outermost frame is interned first. NULL: no memory. */
static const struct gaspdb_stack_frame *
intern_walk(struct gaspdb_call_stacks *s, const struct walk *w)
{
	uint32_t frame = 0;

	for (unsigned i = w->n; i-- > 0;) {
		frame = intern(s, frame, w->pc[i]);
		if (!frame)
			return NULL;
	}
	return frame ? &s->frames[frame - 1] : NULL;
}

/* --- the cache ------------------------------------------------------------ */

static struct entry *entry_of(struct gaspdb_call_stacks *s, const void *pc,
			      uintptr_t sp)
{
	const size_t i = gaspdb_mix((uintptr_t)pc, sp) % CACHE_SIZE;

	return (struct entry *)(void *)(s->cache + i * s->entry_bytes);
}

/* The place of an entry if it is the call's, and no signal handler has changed
   it meanwhile; else NULL. */
static inline const void *cached(const struct entry *e, const void *pc,
				 uintptr_t sp)
{
	const void *place = *(const void *const volatile *)&e->place;
	const unsigned n = e->n;

	if (e->pc != pc || e->sp != sp)
		return NULL;
	for (unsigned i = 0; i < n; i++)
		if (*e->slots[i].at != e->slots[i].value)
			return NULL;
	atomic_signal_fence(memory_order_seq_cst);
	return e->pc == pc && e->sp == sp && e->place == place ? place : NULL;
}

/* A call whose address is not among its callers is its own place. */
static void fill(struct entry *e, const struct walk *w, const void *place,
		 uintptr_t sp)
{
	e->pc = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	e->sp = sp;
	e->place = place;
	e->n = w->n ? w->n - 1 : 0;
	memcpy(e->slots, w->slot + 1, e->n * sizeof *e->slots);
	atomic_signal_fence(memory_order_seq_cst);
	e->pc = w->from;
}

static GASPDB_COLD const void *unwind(struct gaspdb_context *c, const void *pc,
				      uintptr_t sp)
{
	struct walk w;
	const void *place = pc;
	struct gaspdb_disturbance before;

	if (gaspdb_source_place_of(pc) || !gaspdb_begin(c))
		return pc;
	before = gaspdb_undisturbed_begin();
	walk_stack(c->call_stacks, &w, pc);
	if (w.n)
		place = intern_walk(c->call_stacks, &w);
	if (place && w.cacheable)
		fill(entry_of(c->call_stacks, pc, sp), &w, place, sp);
	gaspdb_undisturbed_end(before);
	gaspdb_done(c);
	return place ? place : pc;
}

const void *gaspdb_call_stack(struct gaspdb_context *c, const void *pc,
			      uintptr_t sp)
{
	const void *place = cached(entry_of(c->call_stacks, pc, sp), pc, sp);

	return GASPDB_LIKELY(place != NULL) ? place : unwind(c, pc, sp);
}

/* --- callers of a language's library -------------------------------------- */

struct outward {
	const void *from;  /* the innermost frame's address */
	const void *found; /* NULL: not yet */
	bool inside;	   /* from is passed */
	bool through_libc; /* libc is a library of the language, too */
};

static bool is_library(const struct outward *w, enum gaspdb_caller caller)
{
	return caller == GASPDB_LANGUAGE ||
	       (w->through_libc && caller == GASPDB_LIBC);
}

static _Unwind_Reason_Code visit_outward(struct _Unwind_Context *u, void *user)
{
	struct outward *w = user;
	const void *pc = (const void *)unwinder.ip(u);

	if (!w->inside) {
		w->inside = pc == w->from;
		return _URC_NO_REASON;
	}
	if (!pc || is_library(w, gaspdb_caller_at(pc)))
		return _URC_NO_REASON;
	w->found = pc;
	return _URC_NORMAL_STOP;
}

void gaspdb_call_stack_prepare(void)
{
	load_unwinder();
}

static const void *caller_beyond(struct gaspdb_context *c, const void *pc,
				 bool through_libc)
{
	struct outward w = { .from = pc, .through_libc = through_libc };
	struct gaspdb_disturbance before;

	if (!unwinder.cfa || !gaspdb_begin(c))
		return pc;
	before = gaspdb_undisturbed_begin();
	unwinder.backtrace(visit_outward, &w);
	gaspdb_undisturbed_end(before);
	gaspdb_done(c);
	/* At the program's end libc or the loader calls. */
	return w.found && gaspdb_caller_at(w.found) == GASPDB_PROGRAM ? w.found
								      : pc;
}

const void *gaspdb_caller_of_language(struct gaspdb_context *c, const void *pc)
{
	return caller_beyond(c, pc, false);
}

const void *gaspdb_caller_of_library(struct gaspdb_context *c, const void *pc)
{
	return caller_beyond(c, pc, true);
}

/* --- in the log ----------------------------------------------------------- */

const struct gaspdb_stack_frame *
gaspdb_call_stack_frame(const struct gaspdb_context *c, const void *place)
{
	const struct gaspdb_call_stacks *s = c->call_stacks;
	const struct gaspdb_stack_frame *f = place;

	return s && f >= s->frames && f < s->frames + s->n_frames ? f : NULL;
}

/* From the outermost caller inwards: a definition names one before it. */
uint32_t gaspdb_call_stack_id(struct gaspdb_context *c,
			      const struct gaspdb_stack_frame *frame)
{
	struct gaspdb_call_stacks *s = c->call_stacks;
	uint32_t path[GASPDB_STACK_MAX], n = 0;

	for (uint32_t i = (uint32_t)(frame - s->frames) + 1;
	     i && !s->frames[i - 1].id; i = s->frames[i - 1].caller)
		path[n++] = i - 1;
	while (n-- > 0) {
		struct gaspdb_stack_frame *f = &s->frames[path[n]];

		f->module = gaspdb_module_id(
			c, gaspdb_module_find_checked(c, f->pc));
		f->id = ++s->n_defined;
		gaspdb_emit_definition(
			c, GASPDB_RECORD_FRAME, "uuuu", (uint64_t)f->id,
			(uint64_t)(uintptr_t)f->pc, (uint64_t)f->module,
			(uint64_t)(f->caller ? s->frames[f->caller - 1].id
					     : 0));
	}
	return frame->id;
}

void gaspdb_call_stacks_unload(struct gaspdb_context *c)
{
	struct gaspdb_call_stacks *s = c->call_stacks;

	if (!s)
		return;
	for (uint32_t i = 0; i < s->n_frames; i++) {
		struct gaspdb_stack_frame *f = &s->frames[i];

		/* Callers stand before their frames. */
		if (f->pc && ((f->caller && !s->frames[f->caller - 1].pc) ||
			      gaspdb_module_is_gone(c, f->pc)))
			f->pc = NULL;
	}
	memset(s->cache, 0, CACHE_SIZE * s->entry_bytes);
	/* Without memory they stay in the table, and match no address. */
	rebuild(s, s->table.size);
}

/* --- life ----------------------------------------------------------------- */

void gaspdb_call_stacks_init(struct gaspdb_context *c)
{
	struct gaspdb_call_stacks *s;

	if (!gaspdb_process.stack_depth || !load_unwinder())
		return;
	s = gaspdb_pages(sizeof *s);
	if (!s)
		return;
	c->call_stacks = s;
	s->entry_bytes = sizeof(struct entry) +
			 gaspdb_process.stack_depth * sizeof(struct slot);
	s->cache = gaspdb_pages(CACHE_SIZE * s->entry_bytes);
	s->frames = gaspdb_pages(FRAMES_MAX * sizeof *s->frames);
	if (!s->cache || !s->frames || !rebuild(s, FIRST_SLOTS))
		gaspdb_call_stacks_free(c);
}

void gaspdb_call_stacks_free(struct gaspdb_context *c)
{
	struct gaspdb_call_stacks *s = c->call_stacks;

	if (!s)
		return;
	c->call_stacks = NULL;
	if (s->table.slots)
		munmap(s->table.slots, s->table.size * sizeof(uint32_t));
	if (s->cache)
		munmap(s->cache, CACHE_SIZE * s->entry_bytes);
	if (s->frames)
		munmap(s->frames, FRAMES_MAX * sizeof *s->frames);
	munmap(s, sizeof *s);
}
