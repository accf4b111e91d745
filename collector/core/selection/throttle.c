/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of throttled functions, and the decision to throttle one. */
#include "collector/core/selection/throttle.h"

#include <string.h>
#include <sys/mman.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/process/process.h"

#define FIRST_SIZE	   64
#define MOST_SIZE	   (1u << 16)
#define RECORDS_PER_SECOND 250 /* of each pair of function and caller */

struct gaspdb_throttle_limit gaspdb_throttle_limit = { GASPDB_THROTTLE_CALLS,
						       GASPDB_THROTTLE_NS };

__attribute__((constructor)) void gaspdb_throttle_load(void)
{
	static bool loaded;
	const char *text = gaspdb_getenv("GASPDB_THROTTLE");

	if (loaded)
		return;
	loaded = true;
	if (text && *text &&
	    !gaspdb_throttle_parse(text, &gaspdb_throttle_limit))
		gaspdb_complain("GASPDB_THROTTLE=%.100s is ignored: it is not "
				"CALLS[,DURATION] or off",
				text);
}

/* --- the decision --------------------------------------------------------- */

static bool is_short(const struct gaspdb_site *s)
{
	return (double)s->function.ticks * 1e9 <
	       (double)s->function.calls * (double)gaspdb_throttle_limit.ns *
		       (double)gaspdb_process.ticks_hz;
}

static uint32_t open_calls(const struct gaspdb_functions *f,
			   const struct gaspdb_site *s)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i <= f->n; i++)
		n += (const char *)f->frames[i].function + 1 == s->key.place;
	return n;
}

/* Index of the sums that are tried first; they may be another function's. */
#define NO_SUMS 1u

void gaspdb_throttle_check(struct gaspdb_context *c, struct gaspdb_site *s)
{
	/* A statement: all are written.  A profile alone: none is. */
	if (s->key.line || gaspdb_is_profile_only(c)) {
		s->function.calls = 0;
	} else if (s->throttled) {
		s->function.open--;
	} else if (is_short(s)) {
		s->throttled = NO_SUMS;
		s->function.open = open_calls(&c->functions, s);
	}
}

/* --- sums ----------------------------------------------------------------- */

static bool is_of(const struct gaspdb_throttled *t, uint32_t site,
		  uint32_t caller)
{
	return t->site == site && t->caller == caller;
}

/* The slot of a function below a caller, or the free one where it goes. */
static struct gaspdb_throttled *slot_of(const struct gaspdb_throttle *t,
					uint32_t site, uint32_t caller)
{
	uint64_t at = ((uint64_t)caller << 32 | site) * 0x9e3779b97f4a7c15u;

	for (at ^= at >> 32;; at++) {
		struct gaspdb_throttled *s = &t->slots[at & (t->size - 1)];

		if (!s->site || is_of(s, site, caller))
			return s;
	}
}

/* Makes room for one more: at most half of the slots are used.  A signal
   handler that ends the process may read the table at any time. */
static bool make_room(struct gaspdb_throttle *t)
{
	struct gaspdb_throttle more = *t;
	const struct gaspdb_throttle old = *t;

	if (t->used < t->size / 2)
		return true;
	more.size = old.size ? 2 * old.size : FIRST_SIZE;
	if (more.size > MOST_SIZE)
		return false;
	more.slots = gaspdb_pages(more.size * sizeof *more.slots);
	if (!more.slots)
		return false;
	for (uint32_t i = 0; i < old.size; i++)
		if (old.slots[i].site)
			*slot_of(&more, old.slots[i].site,
				 old.slots[i].caller) = old.slots[i];
	t->slots = more.slots;
	atomic_signal_fence(memory_order_seq_cst);
	t->size = more.size;
	atomic_signal_fence(memory_order_seq_cst);
	if (old.slots)
		munmap(old.slots, old.size * sizeof *old.slots);
	return true;
}

static GASPDB_COLD struct gaspdb_throttled *
find_sums(struct gaspdb_throttle *t, struct gaspdb_site *s, uint32_t caller)
{
	struct gaspdb_throttled *sums;

	if (!make_room(t))
		return NULL;
	sums = slot_of(t, s->id, caller);
	if (!sums->site) {
		sums->site = s->id;
		sums->caller = caller;
		sums->least = UINT64_MAX;
		t->used++;
	}
	s->throttled = (uint32_t)(sums - t->slots) + 1;
	return sums;
}

/* NULL: no memory. */
static inline struct gaspdb_throttled *
sums_of(struct gaspdb_throttle *t, struct gaspdb_site *s, uint32_t caller)
{
	if (GASPDB_LIKELY(s->throttled <= t->size &&
			  is_of(&t->slots[s->throttled - 1], s->id, caller)))
		return &t->slots[s->throttled - 1];
	return find_sums(t, s, caller);
}

void gaspdb_throttle_add(struct gaspdb_context *c, struct gaspdb_site *s,
			 struct gaspdb_function_frame *frame, uint64_t ticks)
{
	struct gaspdb_throttle *t = &c->throttle;
	struct gaspdb_throttled *sums = sums_of(t, s, frame->written);
	const uint64_t passed = ticks - frame->start;
	const bool quiet = frame->at == c->log.at;
	const bool inner = --s->function.open > 0;

	frame[-1].inner += passed;
	if (GASPDB_UNLIKELY(!sums)) {
		gaspdb_context_lose(c);
		return;
	}
	t->pending = true;
	sums->calls++;
	*(inner ? &sums->inner : &sums->total) += passed;
	sums->self += quiet ? passed - frame->inner : 0;
	sums->quiet += quiet && !inner ? passed : 0;
	if (passed < sums->least)
		sums->least = passed;
	if (passed > sums->most)
		sums->most = passed;
	if (GASPDB_UNLIKELY(ticks >= t->due))
		gaspdb_throttle_emit(c);
}

/* --- records -------------------------------------------------------------- */

static void emit(struct gaspdb_context *c, struct gaspdb_throttled *sums)
{
	const struct gaspdb_throttled s = *sums;

	*sums = (struct gaspdb_throttled){ .site = s.site,
					   .caller = s.caller,
					   .least = UINT64_MAX };
	gaspdb_emit_other(c, GASPDB_RECORD_THROTTLED, "uuuuuuuuu",
			  (uint64_t)gaspdb_site_number(s.site),
			  (uint64_t)gaspdb_site_number(s.caller), s.calls,
			  s.total, s.inner, s.self, s.quiet, s.least, s.most);
}

void gaspdb_throttle_emit(struct gaspdb_context *c)
{
	struct gaspdb_throttle *t = &c->throttle;

	if (!t->pending || t->emitting)
		return;
	t->emitting = true;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->slots[i].calls)
			emit(c, &t->slots[i]);
	t->emitting = t->pending = false;
	t->due = gaspdb_clock_ticks() +
		 gaspdb_process.ticks_hz / RECORDS_PER_SECOND;
}

void gaspdb_throttle_emit_due(struct gaspdb_context *c, uint64_t ticks)
{
	/* The END of a failed poll follows its START. */
	if (ticks >= c->throttle.due && !c->failed_poll)
		gaspdb_throttle_emit(c);
}

void gaspdb_throttle_free(struct gaspdb_context *c)
{
	struct gaspdb_throttle *t = &c->throttle;

	if (t->slots)
		munmap(t->slots, t->size * sizeof *t->slots);
	*t = (struct gaspdb_throttle){ 0 };
}
