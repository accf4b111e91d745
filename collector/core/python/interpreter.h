/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPython of this process: its functions, and offsets in its structures. */
#ifndef GASPDB_COLLECTOR_CORE_PYTHON_INTERPRETER_H
#define GASPDB_COLLECTOR_CORE_PYTHON_INTERPRETER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/compiler.h"

/* Offsets in the structures of minor versions from..to of Python 3. */
struct gaspdb_python_layout {
	uint8_t from, to;
	uint8_t state_frame; /* PyThreadState: current frame, or its holder */
	bool has_holder;     /* _PyCFrame */
	uint8_t holder_frame;
	uint8_t frame_bytes, frame_code, frame_back;
	uint8_t frame_owner; /* 0: none */
	uint8_t frame_at;    /* instruction: its address, or int index */
	uint8_t unit;	     /* bytes that the index counts; 0: an address */
	uint8_t code_bytes, code_line, code_file, code_name, code_table;
	uint8_t code_first; /* first instruction, where they have addresses */
	uint8_t text_ascii, text_wide; /* PyUnicode: characters */
};

extern struct gaspdb_python {
	const struct gaspdb_python_layout *layout;
	const char *(*state)(void); /* PyThreadState, the calling thread's */
	int (*is_initialized)(void);
	int (*line_at)(const void *code, int offset);
	const void *code_type, *text_type;
} gaspdb_python GASPDB_HIDDEN;

/* FOUND: the functions are known.  CHECKED: the offsets have proved right. */
extern _Atomic enum gaspdb_python_status {
	GASPDB_PYTHON_UNKNOWN,
	GASPDB_PYTHON_FOUND,
	GASPDB_PYTHON_CHECKED,
	GASPDB_PYTHON_ABSENT /* or not usable */
} gaspdb_python_status GASPDB_HIDDEN;

/* Looks for an interpreter, once: in a signal handler the status may stay
   UNKNOWN. */
void gaspdb_python_find(void);
/* Its offsets are wrong: says so (META limits); the status is ABSENT. */
void gaspdb_python_unusable(void);

#endif
