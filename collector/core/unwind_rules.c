/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reader of .eh_frame (Linux Standard Base, "Exception Frames"; DWARF 5, 6.4).
 * What it does not know makes the rule unknown: expressions, signal frames,
 * addresses of unusual encodings.
 */
#include "collector/core/unwind_rules.h"

#include <stddef.h>
#include <string.h>

enum { RBP = 6, RSP = 7, RETURN_ADDRESS = 16 };
#define STATES_MAX 4 /* remembered at once */

struct state {
	uint64_t cfa_register;
	int64_t cfa_offset;
	int64_t rbp_offset; /* 0: rbp is unchanged */
	bool last;	    /* there is no return address */
};

struct reader {
	const unsigned char *p, *end;
	bool ok;
	/* Of the common part (CIE) */
	uint64_t code_align;
	int64_t data_align;
	unsigned address_bytes; /* of the FDE's addresses; 0: unknown */
	bool augmented;
	struct state now, initial, saved[STATES_MAX];
	unsigned n_saved;
};

/* --- values --------------------------------------------------------------- */

static uint64_t fixed(struct reader *r, unsigned bytes)
{
	uint64_t v = 0;

	if ((size_t)(r->end - r->p) < bytes) {
		r->ok = false;
		return 0;
	}
	memcpy(&v, r->p, bytes); /* little endian */
	r->p += bytes;
	return v;
}

static uint64_t leb(struct reader *r, bool is_signed)
{
	uint64_t v = 0, byte = 0x80;
	unsigned shift = 0;

	while (byte & 0x80 && r->ok && shift < 63) {
		byte = fixed(r, 1);
		v |= (byte & 0x7f) << shift;
		shift += 7;
	}
	r->ok &= !(byte & 0x80);
	if (is_signed && byte & 0x40)
		v |= ~(uint64_t)0 << shift;
	return v;
}

static uint64_t uleb(struct reader *r)
{
	return leb(r, false);
}

static int64_t sleb(struct reader *r)
{
	return (int64_t)leb(r, true);
}

static void skip(struct reader *r, uint64_t bytes)
{
	if (bytes > (uint64_t)(r->end - r->p))
		r->ok = false;
	else
		r->p += bytes;
}

/* --- instructions --------------------------------------------------------- */

static void save(struct reader *r, uint64_t reg, int64_t offset)
{
	if (reg == RBP)
		r->now.rbp_offset = offset;
	else if (reg == RETURN_ADDRESS)
		r->ok &= offset == -8;
}

static void restore(struct reader *r, uint64_t reg)
{
	if (reg == RBP)
		r->now.rbp_offset = r->initial.rbp_offset;
	else if (reg == RETURN_ADDRESS)
		r->now.last = r->initial.last;
}

/* A rule that is not read here. */
static void unknown_for(struct reader *r, uint64_t reg)
{
	r->ok &= reg != RBP && reg != RETURN_ADDRESS;
}

static void remember(struct reader *r)
{
	if (r->n_saved == STATES_MAX)
		r->ok = false;
	else
		r->saved[r->n_saved++] = r->now;
}

static void recall(struct reader *r)
{
	if (!r->n_saved)
		r->ok = false;
	else
		r->now = r->saved[--r->n_saved];
}

/* Rules of registers, by DW_CFA_ numbers. */
static void run_register(struct reader *r, unsigned op)
{
	const uint64_t reg = uleb(r);

	switch (op) {
	case 0x05: /* offset_extended */
		save(r, reg, (int64_t)uleb(r) * r->data_align);
		break;
	case 0x11: /* offset_extended_sf */
		save(r, reg, sleb(r) * r->data_align);
		break;
	case 0x06: /* restore_extended */
		restore(r, reg);
		break;
	case 0x07: /* undefined */
		r->now.last |= reg == RETURN_ADDRESS;
		r->ok &= reg != RBP || r->now.last;
		break;
	case 0x08: /* same_value */
		if (reg == RBP)
			r->now.rbp_offset = 0;
		r->ok &= reg != RETURN_ADDRESS;
		break;
	case 0x09: /* register */
	case 0x14: /* val_offset */
		unknown_for(r, reg);
		uleb(r);
		break;
	case 0x15: /* val_offset_sf */
		unknown_for(r, reg);
		sleb(r);
		break;
	default: /* expression, val_expression */
		unknown_for(r, reg);
		skip(r, uleb(r));
	}
}

/* The end of the frame, and the rest. */
static void run_other(struct reader *r, unsigned op)
{
	switch (op) {
	case 0x00: /* nop */
		break;
	case 0x0a:
		remember(r);
		break;
	case 0x0b:
		recall(r);
		break;
	case 0x0c: /* def_cfa */
		r->now.cfa_register = uleb(r);
		r->now.cfa_offset = (int64_t)uleb(r);
		break;
	case 0x0d: /* def_cfa_register */
		r->now.cfa_register = uleb(r);
		break;
	case 0x0e: /* def_cfa_offset */
		r->now.cfa_offset = (int64_t)uleb(r);
		break;
	case 0x12: /* def_cfa_sf */
		r->now.cfa_register = uleb(r);
		r->now.cfa_offset = sleb(r) * r->data_align;
		break;
	case 0x13: /* def_cfa_offset_sf */
		r->now.cfa_offset = sleb(r) * r->data_align;
		break;
	case 0x2e: /* GNU_args_size */
		uleb(r);
		break;
	default: /* def_cfa_expression makes the end unknown, till it is defined
		    otherwise: not followed */
		r->ok = false;
	}
}

static bool is_of_register(unsigned op)
{
	return (op >= 0x05 && op <= 0x09) || op == 0x10 || op == 0x11 ||
	       (op >= 0x14 && op <= 0x16);
}

/* Runs the instructions for code up to pc, of a function that begins at at. */
static void run(struct reader *r, uintptr_t at, uintptr_t pc)
{
	while (r->ok && r->p < r->end) {
		const unsigned op = (unsigned)fixed(r, 1), low = op & 0x3f;
		uint64_t advance = 0;

		if (op >> 6 == 1)
			advance = low;
		else if (op >> 6 == 2)
			save(r, low, (int64_t)uleb(r) * r->data_align);
		else if (op >> 6 == 3)
			restore(r, low);
		else if (op >= 0x02 && op <= 0x04)
			advance = fixed(r, 1u << (op - 2));
		else if (is_of_register(op))
			run_register(r, op);
		else
			run_other(r, op);
		at += advance * r->code_align;
		if (at > pc)
			return;
	}
}

/* --- records -------------------------------------------------------------- */

/* Opens a record at p; its first word after the length is skipped. */
static void open_record(struct reader *r, const unsigned char *p)
{
	uint32_t bytes;

	memcpy(&bytes, p, sizeof bytes);
	r->p = p + sizeof bytes;
	r->end = r->p + bytes;
	r->ok &= bytes && bytes < 0xfffffff0u;
	if (r->ok)
		skip(r, 4);
}

/* Bytes of an address of an encoding (DW_EH_PE_); 0: unusual. */
static unsigned encoded_bytes(unsigned encoding)
{
	static const unsigned char bytes[16] = {
		[0] = 8, [2] = 2, [3] = 4, [4] = 8, [10] = 2, [11] = 4, [12] = 8
	};

	return encoding == 0xff || (encoding & 0x70) == 0x50
		       ? 0
		       : bytes[encoding & 0xf];
}

/* The parts that the augmentation's letters name. */
static void read_augmentation(struct reader *r, const char *letters)
{
	unsigned bytes;

	for (; *letters && r->ok; letters++) {
		switch (*letters) {
		case 'L':
			fixed(r, 1);
			break;
		case 'P':
			bytes = encoded_bytes((unsigned)fixed(r, 1));
			r->ok &= bytes != 0;
			skip(r, bytes);
			break;
		case 'R':
			r->address_bytes = encoded_bytes((unsigned)fixed(r, 1));
			break;
		default: /* S: a signal's frame */
			r->ok = false;
		}
	}
}

/* The common part of functions, and the state at their start. */
static void read_common(struct reader *r, const unsigned char *cie)
{
	const unsigned char *instructions;
	const char *letters;
	unsigned version;
	uint64_t bytes;

	open_record(r, cie);
	version = (unsigned)fixed(r, 1);
	letters = (const char *)r->p;
	skip(r, strnlen(letters, (size_t)(r->end - r->p)) + 1);
	r->code_align = uleb(r);
	r->data_align = sleb(r);
	r->ok &= (version == 1 ? fixed(r, 1) : uleb(r)) == RETURN_ADDRESS;
	r->augmented = *letters == 'z';
	r->ok &= r->augmented;
	if (!r->ok)
		return;
	bytes = uleb(r);
	instructions = r->p + bytes;
	read_augmentation(r, letters + 1);
	r->ok &= instructions <= r->end && r->address_bytes;
	r->p = instructions;
	run(r, 0, UINTPTR_MAX);
	r->initial = r->now;
}

static void read_function(struct reader *r, const unsigned char *fde,
			  uintptr_t start, uintptr_t pc)
{
	int32_t back;

	memcpy(&back, fde + 4, sizeof back);
	read_common(r, fde + 4 - back);
	if (!r->ok)
		return;
	open_record(r, fde);
	skip(r, 2 * r->address_bytes);
	skip(r, uleb(r));
	if (r->ok)
		run(r, start, pc);
}

void gaspdb_unwind_rule_read(struct gaspdb_unwind_rule *rule, uintptr_t pc,
			     gaspdb_find_frame_fn *find)
{
	struct reader r = { .ok = true };
	void *bases[3] = { NULL, NULL, NULL };
	const void *fde = find((void *)pc, bases);

	*rule = (struct gaspdb_unwind_rule){ .pc = pc };
	if (!fde)
		return;
	read_function(&r, fde, (uintptr_t)bases[2], pc);
	rule->known = r.ok &&
		      (r.now.cfa_register == RSP || r.now.cfa_register == RBP);
	rule->from_rbp = r.now.cfa_register == RBP;
	rule->cfa_offset = (int32_t)r.now.cfa_offset;
	rule->rbp_offset = (int32_t)r.now.rbp_offset;
	rule->last = r.now.last;
}
