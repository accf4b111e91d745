/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of barriers, for several hosts: clocks.c. */
#ifndef TEST_UPC_CLOCKS_H
#define TEST_UPC_CLOCKS_H

int rt_clocks(void);
/* In the last rounds barriers of thread THREADS / 2 raise no events. */
int rt_clocks_gone(void);
/* Recording is off in thread 1, and in all but thread 0 now and then. */
int rt_clocks_off(void);

#endif
