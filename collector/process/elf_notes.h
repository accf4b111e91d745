/* SPDX-License-Identifier: BSD-2-Clause */
/* Iteration over the ELF notes of a loaded module.  The last may lack its
   padding. */
#ifndef GASPDB_COLLECTOR_PROCESS_ELF_NOTES_H
#define GASPDB_COLLECTOR_PROCESS_ELF_NOTES_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

struct gaspdb_elf_notes {
	const char *at; /* the next note */
	size_t left, align;
	const ElfW(Nhdr) * note; /* the current note, its name and its value */
	const char *name, *value;
};

/* The notes of a PT_NOTE segment. */
static inline struct gaspdb_elf_notes
gaspdb_elf_notes(const struct dl_phdr_info *object, const ElfW(Phdr) * segment)
{
	return (struct gaspdb_elf_notes){
		.at = (const char *)(object->dlpi_addr + segment->p_vaddr),
		.left = segment->p_memsz,
		.align = segment->p_align == 8 ? 8 : 4,
	};
}

/* Moves to the next note; false: none, or a truncated one. */
static inline bool gaspdb_elf_notes_next(struct gaspdb_elf_notes *s)
{
	const ElfW(Nhdr) *n = (const void *)s->at;
	const size_t pad = s->align - 1;
	size_t value, end;

	if (s->left < sizeof *n || s->left - sizeof *n < n->n_namesz)
		return false;
	value = (sizeof *n + n->n_namesz + pad) & ~pad;
	if (value > s->left || s->left - value < n->n_descsz)
		return false;
	s->note = n;
	s->name = s->at + sizeof *n;
	s->value = s->at + value;
	end = (value + n->n_descsz + pad) & ~pad;
	if (end > s->left)
		end = s->left;
	s->at += end;
	s->left -= end;
	return true;
}

#endif
