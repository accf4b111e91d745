/* SPDX-License-Identifier: BSD-2-Clause */
/* The collector in the program itself: gaspdb-upc.o, known by its note. */
#ifndef GASPDB_COLLECTOR_PRELOAD_HAS_COLLECTOR_H
#define GASPDB_COLLECTOR_PRELOAD_HAS_COLLECTOR_H

#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "collector/gasp/note.h"
#include "collector/process/elf_notes.h"

/* Whether gaspdb's note is among the notes. */
static inline bool gaspdb_has_note(struct gaspdb_elf_notes notes)
{
	static const char owner[] = GASPDB_NOTE_OWNER;

	while (gaspdb_elf_notes_next(&notes))
		if (notes.note->n_namesz == sizeof owner &&
		    !memcmp(notes.name, owner, sizeof owner))
			return true;
	return false;
}

/* The first module is the program. */
static inline int gaspdb_visit_program(struct dl_phdr_info *program,
				       size_t size, void *found)
{
	(void)size;
	for (int i = 0; i < program->dlpi_phnum; i++)
		if (program->dlpi_phdr[i].p_type == PT_NOTE &&
		    gaspdb_has_note(
			    gaspdb_elf_notes(program, &program->dlpi_phdr[i])))
			*(bool *)found = true;
	return 1;
}

/* Whether the program contains gaspdb-upc.o.  Another collector would record
   its threads twice. */
static inline bool gaspdb_has_collector(void)
{
	bool found = false;

	dl_iterate_phdr(gaspdb_visit_program, &found);
	return found;
}

#endif
