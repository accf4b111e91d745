/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gaspdb for programs that want to know whether they are being recorded.
 * Phases, marks and switching the recording off and on: pupc.h.
 */
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
