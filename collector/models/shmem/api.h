/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface of the OpenSHMEM at hand, extensions and profiling names too.
 * wrappers.awk reads it preprocessed.
 */
#ifndef GASPDB_SHMEM_API_H
#define GASPDB_SHMEM_API_H

#pragma GCC system_header /* its warnings are not ours */

#include <shmem.h>
#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif
#if __has_include(<pshmem.h>)
#include <pshmem.h>
#endif

#endif
