/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For gaspdb_clocks.upc compiled as C: a shared object lies in a section, which
 * the runtime has all processes share.
 */
#undef THREADS
#define THREADS 64 /* room for each */
#undef shared
#define shared volatile
#define strict __attribute__((section("upc_shared"), aligned(4096)))
