/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file that is read. */
#ifndef GASPDB_CLI_RECORD_ELF_FILE_H
#define GASPDB_CLI_RECORD_ELF_FILE_H

#include <libelf.h>

struct gaspdb_elf_file {
	int fd;	  /* -1: the file cannot be opened */
	Elf *elf; /* NULL: it is none */
};

/* Opens a file. The caller closes it, also if it is none. */
struct gaspdb_elf_file gaspdb_elf_file_open(const char *path);
void gaspdb_elf_file_close(struct gaspdb_elf_file *f);

#endif
