/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_definitions N: N user events that define something all the time.  The
 * n-th (from 0) is "event n/1000", at file (n/5000)%8.c, line 1 + n/100, and
 * says n and a text: "name n%97", each third time one of its own, "only n".
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const char *const files[] = { "0.c", "1.c", "2.c", "3.c",
					     "4.c", "5.c", "6.c", "7.c" };
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	unsigned event = 0;
	char text[40];

	for (int i = 0; i < n; i++) {
		if (i % 1000 == 0) {
			snprintf(text, sizeof text, "event %d", i / 1000);
			event = gasp_create_event(context, text, "%d %s");
		}
		if (i % 3)
			snprintf(text, sizeof text, "name %d", i % 97);
		else
			snprintf(text, sizeof text, "only %d", i);
		gasp_event_notify(context, event, GASP_ATOMIC,
				  files[i / 5000 % 8], 1 + i / 100, 0, i, text);
	}
	return 0;
}
