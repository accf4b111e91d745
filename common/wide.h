/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 128-bit integers, for products and sums of 64-bit numbers. */
#ifndef GASPDB_COMMON_WIDE_H
#define GASPDB_COMMON_WIDE_H

__extension__ typedef unsigned __int128 gaspdb_wide;
__extension__ typedef __int128 gaspdb_signed_wide;

#endif
