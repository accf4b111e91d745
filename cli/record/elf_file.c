/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files opened with libelf. */
#include "cli/record/elf_file.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

struct gaspdb_elf_file gaspdb_elf_file_open(const char *path)
{
	/* Non-blocking: it could be a FIFO. */
	struct gaspdb_elf_file f = {
		.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	};

	if (f.fd < 0)
		return f;
	elf_version(EV_CURRENT);
	f.elf = elf_begin(f.fd, ELF_C_READ, NULL);
	if (f.elf && elf_kind(f.elf) != ELF_K_ELF) {
		elf_end(f.elf);
		f.elf = NULL;
	}
	return f;
}

void gaspdb_elf_file_close(struct gaspdb_elf_file *f)
{
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
}
