/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which program a command line is about: in "timeout 60 mpirun -np 4 ./a x"
 * it is ./a.  The run directory is named after it, and it is looked at when
 * nothing was recorded.
 */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "text.h"

/* Commands that start another, named among their arguments. */
static const char *const starters[] = {
	"mpirun",
	"mpiexec",
	"orterun",
	"mpirun.openmpi",
	"mpiexec.openmpi",
	"mpirun.mpich",
	"mpiexec.mpich",
	"mpiexec.hydra",
	"oshrun",
	"shmemrun",
	"prterun",
	"prun",
	"srun",
	"aprun",
	"jsrun",
	"upcrun",
	"cafrun",
	"timeout",
	"env",
	"time",
	"nice",
	"nohup",
	"taskset",
	"numactl",
	"stdbuf",
	"setarch",
	"ionice",
	"chrt",
	"xvfb-run",
	NULL,
};

static bool is_starter(const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash ? slash + 1 : word;

	for (int i = 0; starters[i]; i++)
		if (!strcmp(starters[i], name))
			return true;
	return false;
}

static bool is_executable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

char *gaspdb_record_find_file(const char *name)
{
	const char *path = getenv("PATH");

	if (!*name)
		return NULL;
	if (strchr(name, '/'))
		return is_executable(name)
			       ? gaspdb_text_copy(name, strlen(name))
			       : NULL;
	for (const char *p = path; p && *p;) {
		size_t n = strcspn(p, ":");
		char *file = gaspdb_text_format("%.*s%s%s", (int)n, p,
						n ? "/" : "", name);
		if (is_executable(file))
			return file;
		free(file);
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* The next word that can be started; 0 if there is none. */
static int next_program(char *const *command, int i)
{
	for (i++; command[i]; i++) {
		if (*command[i] == '-' || strchr(command[i], '='))
			continue;
		char *file = gaspdb_record_find_file(command[i]);
		free(file);
		if (file)
			return i;
	}
	return 0;
}

int gaspdb_record_find_program(char *const *command)
{
	int i = 0, next;

	while (is_starter(command[i]) && (next = next_program(command, i)) > 0)
		i = next;
	return i;
}
