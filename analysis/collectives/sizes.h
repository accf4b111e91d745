/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of 0 bytes, in collectives in which all wait for the data of all. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_SIZES_H
#define GASPDB_ANALYSIS_COLLECTIVES_SIZES_H

#include "analysis/collectives/waits.h"

/*
 * Do the members of such an instance wait for all others, also for members of 0
 * bytes? They do if they cannot know the sizes, or if the times show it.
 */
bool gaspdb_instance_waits_for_sizes(const struct gaspdb_instance *instance);

#endif
