/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UPC as far as the files of collector/models/upc need it, for a C compiler; a
 * pointer-to-shared has the size of a pointer, as with TEST_PTS_BYTES=8.
 */
#include <string.h>

#include "runtime.h"

#include "pts.h"

#define MYTHREAD    rt_thread()
#define THREADS	    rt_threads()
#define shared
#define upc_barrier rt_wait_for_all()

#define UPC_IN_ALLSYNC	0
#define UPC_IN_MYSYNC	2
#define UPC_IN_NOSYNC	1
#define UPC_OUT_ALLSYNC 0
#define UPC_OUT_MYSYNC	8
#define UPC_OUT_NOSYNC	4

static inline struct pts parts(const void *pointer)
{
	struct pts p;

	memcpy(&p, &pointer, sizeof p);
	return p;
}

static inline size_t upc_threadof(const void *pointer)
{
	return parts(pointer).thread;
}

static inline size_t upc_phaseof(const void *pointer)
{
	return parts(pointer).address >> 12 & 15; /* any will do */
}

static inline size_t upc_addrfield(const void *pointer)
{
	return parts(pointer).address;
}
