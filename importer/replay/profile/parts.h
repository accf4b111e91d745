/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that make sums of a profile. */
#ifndef GASPDB_IMPORTER_REPLAY_PROFILE_PARTS_H
#define GASPDB_IMPORTER_REPLAY_PROFILE_PARTS_H

#include "importer/replay/replay.h"

/* The time that the profile is of. */
int64_t gaspdb_profiled_ns(const struct gaspdb_importer *im);
/* nodes.c: adds the calls of all nodes. */
void gaspdb_profile_walk(struct gaspdb_importer *im);
/* traffic.c: adds the traffic of all nodes, after that. */
void gaspdb_profile_traffic(struct gaspdb_importer *im);
/* time.c: shares the time that the profile is of among categories. */
void gaspdb_profile_share_time(struct gaspdb_importer *im);

#endif
