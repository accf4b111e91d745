/* SPDX-License-Identifier: BSD-2-Clause */
/* gaspdb's functions for programs.  Phases, marks and measurement control:
   pupc.h. */
#ifndef GASPDB_H
#define GASPDB_H

#ifdef __cplusplus
extern "C" {
#endif

/* Absolute path of the run directory; NULL: this process is not recorded. */
const char *gaspdb_run_directory(void) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
