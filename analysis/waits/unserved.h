/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time in which threads were ready to run and had no processor: which of it
 * counts, and which part of others' waiting it explains.
 */
#ifndef GASPDB_ANALYSIS_WAITS_UNSERVED_H
#define GASPDB_ANALYSIS_WAITS_UNSERVED_H

#include "common/error.h"

struct gaspdb_run;

/*
 * Leaves in table unserved what is no waiting; fills wait_unserved,
 * unserved_share and wait_total.unserved_ns.  Wants wait and wait_total.
 */
enum gaspdb_status gaspdb_pass_unserved(struct gaspdb_run *run);

/* Takes the same part from path_wait.  Wants that, and wait_total. */
void gaspdb_unserved_path(struct gaspdb_run *run);

#endif
