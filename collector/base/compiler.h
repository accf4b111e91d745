/* SPDX-License-Identifier: BSD-2-Clause */
/* The GNU extensions that the collector uses, behind names. */
#ifndef GASPDB_COLLECTOR_BASE_COMPILER_H
#define GASPDB_COLLECTOR_BASE_COMPILER_H

#include <stdint.h>

#define GASPDB_LIKELY(x)   __builtin_expect(!!(x), 1)
#define GASPDB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define GASPDB_COLD	   __attribute__((cold, noinline))
/* Local to this library: no indirection to reach it */
#define GASPDB_HIDDEN __attribute__((visibility("hidden")))
/* A library-local alias of a function that others may interpose */
#define GASPDB_OWN(name) __attribute__((alias(#name), visibility("hidden")))

/* The stack pointer; the frame address on other processors. */
#if defined(__x86_64__)
__extension__ register uintptr_t gaspdb_stack_pointer __asm__("rsp");
#elif defined(__aarch64__)
__extension__ register uintptr_t gaspdb_stack_pointer __asm__("sp");
#else
#define gaspdb_stack_pointer ((uintptr_t)__builtin_frame_address(0))
#endif

/* The thread pointer, base of thread-local variables; 0: not known. */
static inline uintptr_t gaspdb_thread_pointer(void)
{
#if defined(__x86_64__)
	uintptr_t p;

	__asm__("mov %%fs:0, %0" : "=r"(p));
	return p;
#elif defined(__aarch64__)
	return (uintptr_t)__builtin_thread_pointer();
#else
	return 0;
#endif
}

#endif
