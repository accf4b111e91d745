/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of sends and receives. */
#ifndef GASPDB_ANALYSIS_MATCH_MESSAGES_H
#define GASPDB_ANALYSIS_MATCH_MESSAGES_H

#include <sqlite3.h>

#include "error.h"

/* Fills message, message_total, p2p_total and the sends of size_total. */
enum gaspdb_status gaspdb_pass_messages(sqlite3 *db, struct gaspdb_error *err);

#endif
