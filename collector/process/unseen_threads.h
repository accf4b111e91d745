/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of the process that raise no event, as OpenMP's. */
#ifndef GASPDB_COLLECTOR_PROCESS_UNSEEN_THREADS_H
#define GASPDB_COLLECTOR_PROCESS_UNSEEN_THREADS_H

/* The runtime has started, and with it the threads that are its own. */
void gaspdb_unseen_threads_begin(void);
/* It is about to end: the log of the calling thread is told (META not_seen) of
   those that have come since and have no log. */
void gaspdb_unseen_threads_end(void);

#endif
