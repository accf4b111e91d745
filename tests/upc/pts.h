/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointers-to-shared of TEST_PTS_BYTES bytes, as runtimes make them. */
#ifndef TEST_UPC_PTS_H
#define TEST_UPC_PTS_H

#include <stdint.h>

#if TEST_PTS_BYTES == 8
struct pts {
	uint64_t address : 48, thread : 16;
};
#elif TEST_PTS_BYTES == 16
struct pts {
	uint64_t address;
	uint32_t thread, phase;
};
#else
struct pts {
	uint64_t address, thread, phase;
};
#endif

#endif
