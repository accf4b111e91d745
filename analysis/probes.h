/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking probes, sorted by channel: which message each of them saw. */
#ifndef GASPDB_ANALYSIS_PROBES_H
#define GASPDB_ANALYSIS_PROBES_H

#include "analysis/message_waits.h"

struct gaspdb_probes {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt; /* NULL: the run has none */
	bool more;
	int64_t channel[4], thread;
	struct gaspdb_end_call call;
};

void gaspdb_probes_open(struct gaspdb_probes *probes, struct gaspdb_run *run);
/*
 * To be called for each pair, in the order of the channels: propose the
 * waiting of the probes that saw its message.  send NULL: it was not recorded,
 * or is not trusted.
 */
void gaspdb_probes_match(struct gaspdb_probes *probes,
			 struct gaspdb_message_waits *waits,
			 const struct gaspdb_end *send,
			 const struct gaspdb_end *receive);
void gaspdb_probes_close(struct gaspdb_probes *probes);

#endif
