/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface of the OpenSHMEM in use, with extensions and profiling names.
   wrappers.awk reads it preprocessed. */
#ifndef GASPDB_COLLECTOR_MODELS_SHMEM_API_H
#define GASPDB_COLLECTOR_MODELS_SHMEM_API_H

#pragma GCC system_header /* its warnings are not ours */

#include <shmem.h>
#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif
#if __has_include(<pshmem.h>)
#include <pshmem.h>
#endif

#endif
