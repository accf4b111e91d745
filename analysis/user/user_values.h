/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass: the numbers that the program gave with its user events. */
#ifndef GASPDB_ANALYSIS_USER_USER_VALUES_H
#define GASPDB_ANALYSIS_USER_USER_VALUES_H

#include "common/error.h"

struct gaspdb_run;

/* Fills user_argument, user_value and user_value_bin. */
enum gaspdb_status gaspdb_pass_user_values(struct gaspdb_run *run);

#endif
