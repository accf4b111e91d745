/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of a copy from shared to shared memory: it counts as a get and a put of
   all bytes, and each has half of its time. */
#ifndef GASPDB_COMMON_COPY_TIME_H
#define GASPDB_COMMON_COPY_TIME_H

#include <stdint.h>

static inline int64_t gaspdb_copy_put_ns(int64_t ns)
{
	return ns / 2;
}

static inline int64_t gaspdb_copy_get_ns(int64_t ns)
{
	return ns - gaspdb_copy_put_ns(ns);
}

#endif
