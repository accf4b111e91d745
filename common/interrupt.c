/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caught signals and their handler. */
#include "common/interrupt.h"

#include <stddef.h>

atomic_int gaspdb_interrupted;

/* batch systems send the last three as warnings */
static const int signals[GASPDB_N_INTERRUPTS] = { SIGINT,  SIGTERM, SIGHUP,
						  SIGXCPU, SIGUSR1, SIGUSR2 };

static void interrupt(int signal)
{
	gaspdb_interrupted = signal;
}

/* ignored signals stay ignored */
void gaspdb_interrupts_catch(struct gaspdb_interrupts *interrupts)
{
	struct sigaction ours = { .sa_handler = interrupt };
	struct sigaction *old = interrupts->old;

	gaspdb_interrupted = 0;
	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < GASPDB_N_INTERRUPTS; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &ours, NULL);
	}
}

void gaspdb_interrupts_release(const struct gaspdb_interrupts *interrupts)
{
	for (size_t i = 0; i < GASPDB_N_INTERRUPTS; i++)
		sigaction(signals[i], &interrupts->old[i], NULL);
	if (gaspdb_interrupted)
		raise(gaspdb_interrupted);
}
