/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack of a thread's open functions and statements. */
#include "collector/gasp/open_functions.h"

#include <errno.h>
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"

#define FIRST_ROOM 4096
#define LAST_ROOM  (1u << 18) /* deeper functions are lost */

bool gaspdb_functions_grow(struct gaspdb_functions *f)
{
	const uint32_t room = f->room ? 2 * f->room : FIRST_ROOM;
	struct gaspdb_function_frame *frames;

	if (room > LAST_ROOM)
		return false;
	frames = gaspdb_pages(room * sizeof *frames);
	if (!frames)
		return false;
	if (f->frames) {
		memcpy(frames, f->frames, f->room * sizeof *frames);
		munmap(f->frames, f->room * sizeof *frames);
	}
	f->frames = frames;
	f->room = room;
	return true;
}

void gaspdb_functions_free(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;

	if (f->frames)
		munmap(f->frames, f->room * sizeof *f->frames);
	*f = (struct gaspdb_functions){ 0 };
	gaspdb_throttle_free(c);
}

void gaspdb_functions_forget_sites(struct gaspdb_context *c)
{
	struct gaspdb_functions *f = &c->functions;

	for (uint32_t i = 1; i <= f->n; i++)
		f->frames[i].site = NULL;
}

bool gaspdb_functions_has_left(const struct gaspdb_functions *f,
			       uintptr_t depth)
{
	const int saved = errno;
	bool left =
		f->depth > depth && (f->depth == GASPDB_FUNCTION_ENDED ||
				     gaspdb_was_left(0 - f->depth, 0 - depth));

	errno = saved;
	return left;
}

/*
 * An exit that is a function's last jump comes from less deep than its entry
 * did; so a function whose frame is gone is the one that ends, if it is the
 * outermost of those, unless the same function is open at that very depth.
 */
uint32_t gaspdb_functions_find_exit(const struct gaspdb_functions *f,
				    const void *function, uintptr_t depth)
{
	const struct gaspdb_function_frame *frame = f->frames;
	uint32_t i = f->n, live;

	while (i > 0 && frame[i].depth > depth)
		i--;
	live = i;
	while (i > 0 && frame[i].depth == depth) { /* inlined ones share it */
		if (frame[i].function == function)
			return i;
		i--;
	}
	if (live < f->n && frame[live + 1].function == function)
		return live + 1;
	return frame[live].function == function ? live : 0;
}
