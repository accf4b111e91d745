/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code of the trampolines: macros for the generated file.  A trampoline changes
 * neither registers that may hold arguments nor the stack, so that the wrapper
 * sees the caller's state and return address.  GASPDB_NO_DLSYM: a library that
 * does not wrap dlsym.
 */

#define HIDDEN(name) .hidden name; .globl name

#if defined __x86_64__
#define TRAMPOLINE_BYTES 32
#define TRAMPOLINE_ALIGN 5
#elif defined __aarch64__
#define TRAMPOLINE_BYTES 64
#define TRAMPOLINE_ALIGN 6
#endif

.macro BEGIN_NAMES n
	.section .rodata
	.p2align 2
	HIDDEN(gaspdb_n_names)
gaspdb_n_names:
	.long \n
	HIDDEN(gaspdb_trampoline_bytes)
gaspdb_trampoline_bytes:
	.long TRAMPOLINE_BYTES
	HIDDEN(gaspdb_thunk_bytes)
gaspdb_thunk_bytes:
	.long TRAMPOLINE_BYTES
	HIDDEN(gaspdb_name_at)
gaspdb_name_at:
.endm

.macro NAME_AT at
	.long \at
.endm

.macro BEGIN_TEXT
	HIDDEN(gaspdb_name_text)
gaspdb_name_text:
.endm

.macro TEXT name
	.asciz "\name"
.endm

.macro BEGIN_PROFILING
	.p2align 2
	HIDDEN(gaspdb_profiling_number)
gaspdb_profiling_number:
.endm

.macro PROFILING number
	.long \number
.endm

.macro END_TRAMPOLINES n
	.bss
	.p2align 3
	HIDDEN(gaspdb_slots)
gaspdb_slots:
	.zero 8 * \n
	HIDDEN(gaspdb_profiling_offset)
gaspdb_profiling_offset:
	.zero 8
	.section .note.GNU-stack, "", %progbits
.endm

.macro BEGIN_CODE name
	.text
	.p2align TRAMPOLINE_ALIGN
	HIDDEN(\name)
\name:
.endm

.macro BEGIN_TRAMPOLINES
	BEGIN_CODE gaspdb_trampolines
.endm

.macro BEGIN_THUNKS
	BEGIN_CODE gaspdb_thunks
.endm

#if defined __x86_64__

.macro TRAMPOLINE name, index
	.p2align TRAMPOLINE_ALIGN
	.globl \name
	.type \name, @function
\name:
	endbr64
	mov gaspdb_slots + 8 * \index(%rip), %r11
	test %r11, %r11
	jz 1f
	jmp *%r11
1:	mov $\index, %r11d
	jmp slow
	.size \name, . - \name
.endm

.macro THUNK index
	.p2align TRAMPOLINE_ALIGN
	endbr64
	mov gaspdb_profiling_offset(%rip), %r10
	movb $1, %fs:(%r10)
	mov gaspdb_slots + 8 * \index(%rip), %r11
	jmp *%r11
.endm

	.text
/* The number of the trampoline is in r11. */
	.type slow, @function
slow:
	.cfi_startproc
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %r8
	push %r9
	push %rax
	push %r10
	sub $128, %rsp
	movups %xmm0, (%rsp)
	movups %xmm1, 16(%rsp)
	movups %xmm2, 32(%rsp)
	movups %xmm3, 48(%rsp)
	movups %xmm4, 64(%rsp)
	movups %xmm5, 80(%rsp)
	movups %xmm6, 96(%rsp)
	movups %xmm7, 112(%rsp)
	mov %r11, %rdi
	mov 8(%rbp), %rsi
	call gaspdb_resolve
	mov %rax, %r11
	movups (%rsp), %xmm0
	movups 16(%rsp), %xmm1
	movups 32(%rsp), %xmm2
	movups 48(%rsp), %xmm3
	movups 64(%rsp), %xmm4
	movups 80(%rsp), %xmm5
	movups 96(%rsp), %xmm6
	movups 112(%rsp), %xmm7
	add $128, %rsp
	pop %r10
	pop %rax
	pop %r9
	pop %r8
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	pop %rbp
	.cfi_def_cfa %rsp, 8
	jmp *%r11
	.cfi_endproc
	.size slow, . - slow

#ifndef GASPDB_NO_DLSYM
	.globl dlsym
	.type dlsym, @function
dlsym:
	.cfi_startproc
	endbr64
	push %rdi
	.cfi_adjust_cfa_offset 8
	push %rsi
	.cfi_adjust_cfa_offset 8
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	mov 24(%rsp), %rdx
	call gaspdb_dlsym_answer
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %rsi
	.cfi_adjust_cfa_offset -8
	pop %rdi
	.cfi_adjust_cfa_offset -8
	test %rax, %rax
	jz 1f
	cmp $1, %rax
	je 2f
	ret
1:	jmp *gaspdb_libc_dlsym_address(%rip)
2:	xor %eax, %eax
	ret
	.cfi_endproc
	.size dlsym, . - dlsym
#endif

#elif defined __aarch64__

.macro TRAMPOLINE name, index
	.p2align TRAMPOLINE_ALIGN
	.globl \name
	.type \name, %function
\name:
	hint #34
	adrp x16, gaspdb_slots + 8 * \index
	add x16, x16, #:lo12:gaspdb_slots + 8 * \index
	ldar x16, [x16]
	cbz x16, 1f
	br x16
1:	movz w17, #\index
	b slow
	.size \name, . - \name
.endm

.macro THUNK index
	.p2align TRAMPOLINE_ALIGN
	hint #34
	adrp x16, gaspdb_profiling_offset
	ldr x16, [x16, #:lo12:gaspdb_profiling_offset]
	mrs x17, tpidr_el0
	mov w9, #1
	strb w9, [x17, x16]
	adrp x16, gaspdb_slots + 8 * \index
	ldr x16, [x16, #:lo12:gaspdb_slots + 8 * \index]
	br x16
.endm

	.text
/* The number of the trampoline is in x17. */
	.type slow, %function
slow:
	.cfi_startproc
	stp x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset x29, -224
	.cfi_offset x30, -216
	mov x29, sp
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	str x8, [sp, #80]
	stp q0, q1, [sp, #96]
	stp q2, q3, [sp, #128]
	stp q4, q5, [sp, #160]
	stp q6, q7, [sp, #192]
	mov x0, x17
	mov x1, x30
	bl gaspdb_resolve
	mov x16, x0
	ldp x0, x1, [sp, #16]
	ldp x2, x3, [sp, #32]
	ldp x4, x5, [sp, #48]
	ldp x6, x7, [sp, #64]
	ldr x8, [sp, #80]
	ldp q0, q1, [sp, #96]
	ldp q2, q3, [sp, #128]
	ldp q4, q5, [sp, #160]
	ldp q6, q7, [sp, #192]
	ldp x29, x30, [sp], #224
	.cfi_def_cfa_offset 0
	br x16
	.cfi_endproc
	.size slow, . - slow

#ifndef GASPDB_NO_DLSYM
	.globl dlsym
	.type dlsym, %function
dlsym:
	.cfi_startproc
	hint #34
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	stp x0, x1, [sp, #16]
	mov x2, x30
	bl gaspdb_dlsym_answer
	mov x16, x0
	ldp x0, x1, [sp, #16]
	ldp x29, x30, [sp], #32
	.cfi_def_cfa_offset 0
	cbz x16, 1f
	mov x0, x16
	cmp x16, #1
	csel x0, xzr, x16, eq
	ret
1:	adrp x16, gaspdb_libc_dlsym_address
	ldr x16, [x16, #:lo12:gaspdb_libc_dlsym_address]
	br x16
	.cfi_endproc
	.size dlsym, . - dlsym
#endif

#else
#error "no trampolines for this processor: link programs with an adapter"
#endif
