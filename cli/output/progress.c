/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress bar of a long operation, on a terminal's stderr. */
#include "cli/output/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/output/human.h"

enum {
	SECOND = 1000000000,
	BAR = 30 /* columns */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

void gaspdb_progress_init(struct gaspdb_progress *p)
{
	p->terminal = isatty(STDERR_FILENO);
	p->shown = false;
	p->start_ns = p->drawn_ns = now_ns();
}

/* Draws the phase, a bar, and the remaining time in whole seconds. */
static void draw(const char *phase, uint64_t done, uint64_t total)
{
	char left[GASPDB_HUMAN_BYTES];
	const double part = total ? (double)done / (double)total : 0;
	const uint64_t left_ns = total > done ? total - done : 0;

	fprintf(stderr, "\r%-24.24s ", phase);
	for (int i = 0; i < BAR; i++)
		putc(i < (int)(part * BAR) ? '#' : '.', stderr);
	fprintf(stderr, " %3d %%", (int)(part * 100));
	if (left_ns >= 120 * (uint64_t)SECOND)
		fprintf(stderr, "  %s left",
			gaspdb_human_time(left, (int64_t)left_ns));
	else
		fprintf(stderr, "  %d s left", (int)(left_ns / SECOND) + 1);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void gaspdb_progress_update(void *user, const char *phase, uint64_t done,
			    uint64_t total)
{
	struct gaspdb_progress *p = user;
	uint64_t now = now_ns();

	if (!p->terminal || now - p->start_ns < SECOND ||
	    (p->shown && now - p->drawn_ns < SECOND / 10))
		return;
	draw(phase, done, total);
	p->shown = true;
	p->drawn_ns = now;
}

uint64_t gaspdb_progress_fini(struct gaspdb_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
	return now_ns() - p->start_ns;
}
