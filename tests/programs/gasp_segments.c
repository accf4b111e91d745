/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gasp_segments N: N segments of symmetric memory, and an event. */
#include <gasp.h>
#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>

void gaspdb_segment(const char *kind, const char *name, const void *base,
		    size_t bytes);

int main(int argc, char **argv)
{
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	char name[40];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "segment %d", i);
		gaspdb_segment("module", name, (char *)0x100000 + 16 * i, 16);
	}
	gasp_event_notify(context, gasp_create_event(context, "event", ""),
			  GASP_ATOMIC, "a.c", 1, 0);
	return 0;
}
