/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of 0 bytes in collectives in which all wait for the data of all. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_SIZES_H
#define GASPDB_ANALYSIS_COLLECTIVES_SIZES_H

#include "analysis/collectives/waits.h"

/*
 * Whether such an instance's members wait for all others, whatever these send:
 * because a member cannot know that another one sends nothing, or because they
 * did.
 */
bool gaspdb_instance_waits_for_sizes(const struct gaspdb_instance *instance);

#endif
