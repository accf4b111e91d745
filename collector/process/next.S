/* SPDX-License-Identifier: BSD-2-Clause */
/* The slots of an adapter (handover.h): macros that the generated file uses. */

/* A function of the runtime's. */
.macro CALL name
	.data
	.p2align 3
#ifdef GASPDB_WITHOUT_LIBRARY
	.weak __real_\name
#endif
gaspdb_call_\name:
	.quad __real_\name
	.text
	.p2align 4
	.hidden __wrap_\name
	.globl __wrap_\name
__wrap_\name:
#if defined __x86_64__
	endbr64
	jmp *gaspdb_call_\name(%rip)
#elif defined __aarch64__
	hint #34
	adrp x16, gaspdb_call_\name
	ldr x16, [x16, #:lo12:gaspdb_call_\name]
	br x16
#else
#error "no slots for this processor"
#endif
.endm

.macro POINTER name
	.bss
	.p2align 3
	.hidden gaspdb_next_\name
	.globl gaspdb_next_\name
gaspdb_next_\name:
	.zero 8
.endm

.macro BEGIN_TABLE
	.section .data.rel.ro, "aw", %progbits
	.p2align 3
	.globl gaspdb_next_table
gaspdb_next_table:
.endm

.macro NEXT name, slot, others
	.section .rodata.str1.1, "aMS", %progbits, 1
1:	.asciz "\name"
	.section .data.rel.ro, "aw", %progbits
	.quad 1b, \slot, \others
.endm

.macro END_TABLE
	.quad 0, 0, 0
	.section .note.GNU-stack, "", %progbits
.endm
