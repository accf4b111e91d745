/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unserved time: time in which a thread was ready to run but had no processor,
 * and the waiting of other threads that it explains.
 */
#ifndef GASPDB_ANALYSIS_WAITS_UNSERVED_H
#define GASPDB_ANALYSIS_WAITS_UNSERVED_H

#include "common/error.h"

struct gaspdb_run;

/*
 * The pass: remove waiting from table unserved, fill wait_unserved,
 * unserved_share and wait_total.unserved_ns. Needs wait and wait_total.
 */
enum gaspdb_status gaspdb_pass_unserved(struct gaspdb_run *run);

/* Subtract the explained fraction of waiting from path_wait. Needs path_wait
   and wait_total. */
void gaspdb_unserved_path(struct gaspdb_run *run);

#endif
