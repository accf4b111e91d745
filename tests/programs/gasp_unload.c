/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plugins that raise GASP events with file names of their own, which lie at one
 * address: gasp_unload LIBRARY...  Each is loaded, called and unloaded; its
 * run(notify, context) raises what it has.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "gasp.h"

typedef void notify(gasp_context_t, unsigned, gasp_evttype_t, const char *, int,
		    int, ...);

int main(int argc, char **argv)
{
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);

	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW);
		void (*run)(notify *, gasp_context_t);

		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&run = dlsym(library, "run");
		run(gasp_event_notify, context);
		dlclose(library);
	}
	return 0;
}
