/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes that the command would inherit if executed in record's place, but
   that a child does not get or record changes for itself. */
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
 * Saves and clears the attributes of this process: then all signals are
 * blocked, none is pending, no timer runs, and SIGCHLD has its default action,
 * which waiting for an exit status needs.
 */
void gaspdb_inherited_take(struct gaspdb_inherited *in);
/* Restores them in the child, before exec. */
void gaspdb_inherited_give(const struct gaspdb_inherited *in);
/* Restores signals in record, after the command. */
void gaspdb_inherited_restore(const struct gaspdb_inherited *in);

/* Forwards signals sent to record to the command, and unblocks them. */
void gaspdb_forward_signals(pid_t command);
/* Waits for the command's end; stops and continues with it. Returns its status
   as a shell does; 126: waiting failed. */
int gaspdb_wait_for_command(pid_t command);

#endif
