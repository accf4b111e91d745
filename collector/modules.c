/* SPDX-License-Identifier: BSD-2-Clause */
/* Telling the log which module a return address lies in. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "elf_notes.h"
#include "undisturbed.h"

struct search {
	uintptr_t pc;
	uintptr_t base, end, bias;
	char path[GASPDB_TEXT_MAX];
	struct gaspdb_bytes build_id;
};

static struct gaspdb_bytes find_build_id(struct gaspdb_elf_notes notes)
{
	while (gaspdb_elf_notes_next(&notes))
		if (notes.note->n_type == NT_GNU_BUILD_ID &&
		    notes.note->n_namesz == sizeof "GNU" &&
		    !memcmp(notes.name, "GNU", sizeof "GNU"))
			return (struct gaspdb_bytes){ notes.value,
						      notes.note->n_descsz };
	return (struct gaspdb_bytes){ NULL, 0 };
}

static void extent(const struct dl_phdr_info *info, struct search *s)
{
	s->base = UINTPTR_MAX;
	s->end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD)
			continue;
		if (at < s->base)
			s->base = at;
		if (at + h->p_memsz > s->end)
			s->end = at + h->p_memsz;
	}
}

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
	struct search *s = user;

	(void)size;
	extent(info, s);
	if (s->pc < s->base || s->pc >= s->end)
		return 0;
	s->bias = info->dlpi_addr;
	snprintf(s->path, sizeof s->path, "%s", info->dlpi_name);
	for (int i = 0; i < info->dlpi_phnum && !s->build_id.n; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_NOTE)
			s->build_id = find_build_id(gaspdb_elf_notes(info, h));
	}
	return 1;
}

static void name_program(struct search *s)
{
	ssize_t n = readlink("/proc/self/exe", s->path, sizeof s->path - 1);

	if (n >= 0)
		s->path[n] = 0;
}

void gaspdb_module_tell(struct gaspdb_context *c, const void *pc)
{
	struct search s = { .pc = (uintptr_t)pc };
	struct gaspdb_disturbance before;
	const int saved = errno;
	const unsigned max = sizeof c->modules / sizeof *c->modules;
	bool found;

	for (unsigned i = 0; i < c->n_modules && i < max; i++)
		if (s.pc >= c->modules[i].base && s.pc < c->modules[i].end)
			return;
	before = gaspdb_undisturbed_begin();
	found = dl_iterate_phdr(visit, &s) != 0;
	if (found && !s.path[0])
		name_program(&s);
	gaspdb_undisturbed_end(before);
	errno = saved;
	if (!found)
		return;
	gaspdb_emit_definition(c, GASPDB_RECORD_MODULE, "uuubs",
			       (uint64_t)s.base, (uint64_t)s.end,
			       (uint64_t)s.bias, &s.build_id, s.path);
	if (c->n_modules < max) {
		c->modules[c->n_modules].base = s.base;
		c->modules[c->n_modules].end = s.end;
		c->n_modules++;
	}
}
