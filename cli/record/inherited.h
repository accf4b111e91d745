/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attributes of the process that the command would have inherited had it been
 * executed in record's place, and that a child does not get, or that record
 * changes for itself.
 */
#ifndef GASPDB_CLI_RECORD_INHERITED_H
#define GASPDB_CLI_RECORD_INHERITED_H

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/types.h>

struct gaspdb_inherited {
	struct sigaction actions[NSIG];
	sigset_t mask, pending;
	struct itimerval timers[3];
	int subreaper, death_signal;
	pid_t self;
};

/*
 * Takes the attributes from this process: afterwards all signals are blocked,
 * none is pending, no timer runs, and SIGCHLD has its default action, without
 * which no exit status can be waited for.
 */
void gaspdb_inherited_take(struct gaspdb_inherited *in);
/* In the child, just before it becomes the command. */
void gaspdb_inherited_give(const struct gaspdb_inherited *in);
/* In record, after the command: signals as they were. */
void gaspdb_inherited_restore(const struct gaspdb_inherited *in);

/*
 * Passes signals on to the command: what a process sent to record was meant for
 * it.  Unblocks them.
 */
void gaspdb_forward_signals(pid_t command);
/* Waits for the command's end; stops when it stops, and continues it.  Returns
   its status as a shell has it; 126: it cannot be waited for. */
int gaspdb_wait_for_command(pid_t command);

#endif
