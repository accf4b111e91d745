/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass that matches sends and receives. */
#ifndef GASPDB_ANALYSIS_MESSAGES_MATCH_H
#define GASPDB_ANALYSIS_MESSAGES_MATCH_H

#include "analysis/engine/run.h"

/* Fill message, message_total, p2p_total, and size_total for sends. */
enum gaspdb_status gaspdb_pass_messages(struct gaspdb_run *run);

#endif
