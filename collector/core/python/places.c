/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of CPython, read without the interpreter's lock, which a module gives
 * back before it calls MPI.  A thread's own frames stay as they are during its
 * call, and keep their code alive, until the interpreter ends; from then on
 * they are not read.  (What remains: a daemon thread that loses its processor
 * between that check and its reads, some 0.1 us, until all is freed.  Reading
 * through the kernel each time takes 200 us a call.)  The first call reads
 * through the kernel, which reports a bad address, and checks that objects are
 * of the types that the offsets promise.
 */
#include "collector/core/python/places.h"

#include <errno.h>
#include <stdatomic.h>

#include "collector/base/compiler.h"
#include "collector/core/python/objects.h"
#include "collector/core/python/source_places.h"

/* --- places of instructions ----------------------------------------------- */

/* An instruction of a code object.  A later object in the same memory differs
   in its first line, its name, its file, or its table of lines. */
struct instruction {
	const char *code, *at, *file, *name;
	uint64_t lines_digest, file_digest, name_digest;
	long first_line;
};

/* An instruction whose place is known.  Never changes, and is never freed. */
struct known {
	struct instruction instruction;
	const struct gaspdb_source_place *place;
	bool is_binding; /* of mpi4py, or the import of a module */
};

#define KNOWN_MAX  65536u
#define TABLE_SIZE 8192u /* a power of two */
#define PROBES	   4

/* Known instructions by hash.  More than these are looked up each time. */
static _Atomic(struct known *) table[TABLE_SIZE];

static inline bool is_same(const struct instruction *a,
			   const struct instruction *b)
{
	return a->code == b->code && a->at == b->at &&
	       a->lines_digest == b->lines_digest &&
	       a->file_digest == b->file_digest &&
	       a->name_digest == b->name_digest &&
	       a->first_line == b->first_line;
}

static inline uint64_t hash_of(const struct instruction *i)
{
	return gaspdb_mix((uintptr_t)i->code, (uintptr_t)i->at);
}

static inline const struct known *find(const struct instruction *i)
{
	const uint64_t at = hash_of(i);

	for (unsigned n = 0; n < PROBES; n++) {
		const struct known *k = atomic_load_explicit(
			&table[(at + n) & (TABLE_SIZE - 1)],
			memory_order_acquire);

		if (!k)
			return NULL;
		if (is_same(&k->instruction, i))
			return k;
	}
	return NULL;
}

static struct known *new_known(void)
{
	static _Atomic(struct known *) all;
	static atomic_uint n;
	struct known *first = all, *none = NULL;

	if (!first) {
		first = gaspdb_pages(KNOWN_MAX * sizeof *first);
		if (!first)
			return NULL;
		if (!atomic_compare_exchange_strong(&all, &none, first)) {
			munmap(first, KNOWN_MAX * sizeof *first);
			first = none;
		}
	}
	if (n >= KNOWN_MAX)
		return NULL;
	return &first[n++ & (KNOWN_MAX - 1)];
}

/* Puts it into a free entry, or that of the same instruction of a former code
   object, or any. */
static void keep(const struct known *k)
{
	const uint64_t at = hash_of(&k->instruction);
	struct known *own = new_known();
	unsigned n = 0;

	if (!own)
		return;
	*own = *k;
	for (; n < PROBES; n++) {
		const struct known *old = table[(at + n) & (TABLE_SIZE - 1)];

		if (!old || (old->instruction.code == k->instruction.code &&
			     old->instruction.at == k->instruction.at))
			break;
	}
	atomic_store_explicit(&table[(at + n % PROBES) & (TABLE_SIZE - 1)], own,
			      memory_order_release);
}

/* Whether code of this file only leads from the program to MPI. */
static bool is_binding(const char *file)
{
	return !strncmp(file, "<frozen ", 8) || strstr(file, "/mpi4py/") ||
	       strstr(file, "/importlib/");
}

static int line_of(const struct instruction *i)
{
	const struct gaspdb_python_layout *l = gaspdb_python.layout;
	const uintptr_t at = (uintptr_t)i->at;

	if (!gaspdb_python.is_initialized())
		return 0;
	return gaspdb_python.line_at(
		i->code,
		(int)(l->unit ? at * l->unit
			      : at - (uintptr_t)i->code - l->code_first));
}

/* Looks an instruction up in its code object; false: that cannot be read. */
static GASPDB_COLD bool learn(bool in_place, const struct instruction *i,
			      struct known *k)
{
	char file[TEXT_BYTES], name[TEXT_BYTES];
	int line;

	if (!read_text(in_place, i->file, file) ||
	    !read_text(in_place, i->name, name))
		return false;
	line = line_of(i);
	*k = (struct known){ *i,
			     gaspdb_source_place_add(
				     file, name, line > 0 ? (unsigned)line : 0),
			     is_binding(file) };
	if (k->place)
		keep(k);
	return true;
}

/* --- frames --------------------------------------------------------------- */

#define FRAMES_MAX 200
#define BYTES_MAX  144

/* The calling thread's innermost frame; NULL: it runs no Python code. */
static const char *current_frame(bool in_place)
{
	const struct gaspdb_python_layout *l = gaspdb_python.layout;
	const char *state = gaspdb_python.state(), *holder;

	if (!state)
		return NULL;
	holder = follow(in_place, state + l->state_frame);
	if (!l->has_holder || !holder)
		return holder;
	return follow(in_place, holder + l->holder_frame);
}

enum reading { NO_CODE, CODE, UNREADABLE };

/* Reads a frame: its instruction, and the frame that called it. */
static inline enum reading read_frame(bool in_place, const char *frame,
				      struct instruction *i, const char **back)
{
	const struct gaspdb_python_layout *l = gaspdb_python.layout;
	char frame_copy[BYTES_MAX], code_copy[BYTES_MAX];
	const char *f = view(in_place, frame, l->frame_bytes, frame_copy);
	const char *code;

	if (!f)
		return UNREADABLE;
	*back = pointer_in(f, l->frame_back);
	if (l->frame_owner && f[l->frame_owner] == OWNED_BY_C_STACK)
		return NO_CODE;
	i->code = pointer_in(f, l->frame_code);
	i->at = l->unit ? (const char *)(intptr_t)int_in(f, l->frame_at)
			: pointer_in(f, l->frame_at);
	code = i->code ? view(in_place, i->code, l->code_bytes, code_copy)
		       : NULL;
	if (!code || pointer_in(code, OBJECT_TYPE) != gaspdb_python.code_type)
		return UNREADABLE;
	i->file = pointer_in(code, l->code_file);
	i->name = pointer_in(code, l->code_name);
	i->first_line = int_in(code, l->code_line);
	return digest_lines(in_place, pointer_in(code, l->code_table),
			    &i->lines_digest) &&
			       digest_text(in_place, i->file,
					   &i->file_digest) &&
			       digest_text(in_place, i->name, &i->name_digest)
		       ? CODE
		       : UNREADABLE;
}

/* The place of the innermost code that is not the binding's; of bindings alone
   the innermost one's.  pc: there is none. */
static const void *find_place(bool in_place, const char *frame, const void *pc,
			      bool *readable)
{
	const void *innermost = NULL;
	const struct known *k;
	struct instruction i;
	struct known new;

	for (unsigned n = 0; frame && n < FRAMES_MAX; n++) {
		const enum reading r = read_frame(in_place, frame, &i, &frame);

		if (r == NO_CODE)
			continue;
		k = r == CODE ? find(&i) : NULL;
		if (!k) {
			*readable = r == CODE && learn(in_place, &i, &new);
			if (!*readable)
				break;
			k = &new;
		}
		if (!k->is_binding)
			return k->place ? k->place : pc;
		if (!innermost)
			innermost = k->place;
	}
	return innermost ? innermost : pc;
}

/* Place of calls that Python's end makes, such as mpi4py's MPI_Finalize. */
static GASPDB_COLD const void *place_of_end(const void *pc)
{
	const void *place =
		gaspdb_source_place_add("<end of Python>", "Py_FinalizeEx", 0);

	return place ? place : pc;
}

/* Judges the offsets by the first frame that there is. */
static GASPDB_COLD void check(const char *frame, bool readable, bool found)
{
	char byte;

	if (found)
		gaspdb_python_status = GASPDB_PYTHON_CHECKED;
	else if ((frame && !readable) || !read_copy(&byte, &table, 1))
		gaspdb_python_unusable();
}

static const void *place_of(const void *pc)
{
	const bool in_place = gaspdb_python_status == GASPDB_PYTHON_CHECKED;
	bool readable = true;
	const char *frame;
	const void *place;

	if (!gaspdb_python.is_initialized())
		return place_of_end(pc);
	frame = current_frame(in_place);
	place = find_place(in_place, frame, pc, &readable);
	if (GASPDB_UNLIKELY(gaspdb_python_status == GASPDB_PYTHON_FOUND) &&
	    gaspdb_python.is_initialized())
		check(frame, readable, place != pc);
	return place;
}

bool gaspdb_python_is_found(void)
{
	return gaspdb_python_status == GASPDB_PYTHON_FOUND ||
	       gaspdb_python_status == GASPDB_PYTHON_CHECKED;
}

const void *gaspdb_python_place(const void *pc)
{
	const int saved = errno;

	if (GASPDB_UNLIKELY(gaspdb_python_status == GASPDB_PYTHON_UNKNOWN))
		gaspdb_python_find();
	if (gaspdb_python_is_found())
		pc = place_of(pc);
	errno = saved;
	return pc;
}
