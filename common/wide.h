/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For products and sums of numbers of 64 bits. */
#ifndef GASPDB_COMMON_WIDE_H
#define GASPDB_COMMON_WIDE_H

__extension__ typedef unsigned __int128 gaspdb_wide;
__extension__ typedef __int128 gaspdb_signed_wide;

#endif
