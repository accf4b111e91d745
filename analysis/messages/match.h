/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of sends and receives. */
#ifndef GASPDB_ANALYSIS_MESSAGES_MATCH_H
#define GASPDB_ANALYSIS_MESSAGES_MATCH_H

#include "analysis/engine/run.h"

/* Fills message, message_total, p2p_total and the sends of size_total. */
enum gaspdb_status gaspdb_pass_messages(struct gaspdb_run *run);

#endif
