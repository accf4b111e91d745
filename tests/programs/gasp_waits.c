/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_waits N: N user events, "ready", a line of input is waited for, N more,
 * "done"; status 5.  tests/e2e/security.sh changes the files meanwhile.
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	const unsigned event = gasp_create_event(c, "step", "%d");
	const int n = atoi(argv[1]);

	for (int i = 0; i < 2 * n; i++) {
		if (i == n) {
			puts(getauxval(AT_SECURE) ? "privileged" : "ready");
			fflush(stdout);
			if (getchar() == EOF)
				return 9;
		}
		gasp_event_notify(c, event, GASP_ATOMIC, "w.c", i % 50, 0, i);
	}
	puts("done");
	return 5;
}
