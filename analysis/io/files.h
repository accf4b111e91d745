/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File pass: sums of calls on files by file, line and thread. */
#ifndef GASPDB_ANALYSIS_IO_FILES_H
#define GASPDB_ANALYSIS_IO_FILES_H

#include "common/error.h"

struct gaspdb_run;

/* Reads event, event_arg and wait; writes file_use. */
enum gaspdb_status gaspdb_pass_files(struct gaspdb_run *run);

#endif
