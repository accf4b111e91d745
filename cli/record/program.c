/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs started by a command line: ./a in "timeout 60 mpirun -np 4 ./a x".
 * The run directory is named after the first, and all are inspected when
 * nothing was recorded. The value of an unknown option could be taken for the
 * program; then none is returned rather than a wrong one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/record/record.h"
#include "cli/record/launchers.h"
#include "cli/output/text.h"

/* --- files ---------------------------------------------------------------- */

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

/* The same for a program started by a launcher, which also searches the current
   folder and the one it changes to. */
static bool is_program(const struct gaspdb_programs *p, const char *name)
{
	char *file = gaspdb_record_find_file(name);

	if (!file && *name != '/') {
		file = gaspdb_text_format("%s/%s", p->folder ? p->folder : ".",
					  name);
		if (!is_executable(file)) {
			free(file);
			file = NULL;
		}
	}
	free(file);
	return file != NULL;
}

/* --- removal of the collector's variables --------------------------------- */

static bool is_ours(const char *text)
{
	return !strncmp(text, "LD_PRELOAD", 10) ||
	       !strncmp(text, "GASPDB_DIR", 10);
}

static bool names_ours(const char *list)
{
	return strstr(list, "LD_PRELOAD") && strstr(list, "GASPDB_DIR");
}

/* Does the option keep the collector's variables from the program? */
static bool is_obstacle(const char *launcher, const char *option,
			const char *value)
{
	const char *equals = strchr(option, '=');

	if (!strcmp(launcher, "env"))
		return !strcmp(option, "-i") || !strcmp(option, "-") ||
		       !strcmp(option, "--ignore-environment") ||
		       (!strcmp(option, "-u") && is_ours(value)) ||
		       (!strncmp(option, "-u", 2) && is_ours(option + 2)) ||
		       (!strncmp(option, "--unset=", 8) && is_ours(equals + 1));
	if (!strcmp(launcher, "srun")) {
		if (!strncmp(option, "--export=", 9))
			value = equals + 1;
		else if (strcmp(option, "--export"))
			return false;
		return strncmp(value, "ALL", 3) && !names_ours(value);
	}
	if (!strcmp(option, "-x"))
		return is_ours(value) && value[10] == '=';
	/*
	 * Hydra's -genvnone and -genvlist do not affect processes on this host
	 */
	return (!strcmp(option, "-genv") || !strcmp(option, "-env")) &&
	       is_ours(value);
}

static void note_obstacle(struct gaspdb_programs *p, const char *launcher,
			  const char *option, const char *value)
{
	const char *slash = strrchr(launcher, '/');
	const char *name = slash ? slash + 1 : launcher;

	if (p->obstacle || !is_obstacle(name, option, value ? value : ""))
		return;
	const bool has_value =
		value &&
		gaspdb_launcher_values(gaspdb_launcher_find(name), option) > 0;
	p->obstacle = gaspdb_text_format("%s %s%s%s", name, option,
					 has_value ? " " : "",
					 has_value ? value : "");
}

/* --- words ---------------------------------------------------------------- */

enum { DEEPEST = 8 };

static void parse(struct gaspdb_programs *p, char **words, int depth);

static void add(struct gaspdb_programs *p, const char *name)
{
	if (p->n < GASPDB_PROGRAMS_MAX)
		p->names[p->n++] = gaspdb_text_copy(name, strlen(name));
}

/* Adds the only executable word after an unknown option, if there is exactly
   one. */
static void add_only_candidate(struct gaspdb_programs *p, char **words,
			       int depth)
{
	char **found = NULL;
	int n = 0;

	for (; *words; words++)
		if (**words != '-' && is_program(p, *words)) {
			found = n++ ? found : words;
			/* its arguments may be executable, too */
			if (gaspdb_launcher_find(*words))
				break;
		}
	if (n == 1)
		parse(p, found, depth + 1);
	else
		p->unsure = true;
}

static void parse_options(struct gaspdb_programs *p, const char *name,
			  const struct gaspdb_launcher *l, char **words,
			  int depth);

/* Parses a file with one command a line; srun's begin with ranks. */
static void parse_file(struct gaspdb_programs *p, const char *name,
		       const struct gaspdb_launcher *l, const char *path,
		       int depth)
{
	enum { WORDS_MAX = 256 };
	char *words[WORDS_MAX + 1], *line = NULL, *rest;
	FILE *f = fopen(path, "re");
	size_t room = 0;

	if (!f)
		p->unsure = true;
	while (f && getline(&line, &room, f) > 0) {
		int n = 0;

		for (char *w = strtok_r(line, " \t\n", &rest);
		     w && *w != '#' && n < WORDS_MAX;
		     w = strtok_r(NULL, " \t\n", &rest))
			words[n++] = w;
		words[n] = NULL;
		if (n && !strcmp(name, "srun"))
			parse(p, words + 1, depth + 1);
		else if (n)
			parse_options(p, name, l, words, depth + 1);
	}
	free(line);
	if (f)
		fclose(f);
}

static bool changes_folder(const char *option)
{
	return gaspdb_launcher_lists(" -wd -wdir --wd --wdir -C --chdir -D ",
				     option);
}

/* Parses the option at *words. Returns the word after it and its values; NULL:
   unknown number of values. */
static char **take_option(struct gaspdb_programs *p, const char *name,
			  const struct gaspdb_launcher *l, char **words,
			  int depth, bool *has_file)
{
	const char *option = *words, *value = words[1];
	int n = gaspdb_launcher_values(l, option);

	note_obstacle(p, name, option, value);
	if (n < 0)
		return NULL;
	if (n > 0 && value && changes_folder(option)) {
		free(p->folder);
		p->folder = gaspdb_text_copy(value, strlen(value));
	}
	if (value && gaspdb_launcher_lists(l->files, option)) {
		*has_file = true;
		parse_file(p, name, l, value, depth);
	}
	for (words++; n > 0 && *words; n--)
		words++;
	return words;
}

static void parse_options(struct gaspdb_programs *p, const char *name,
			  const struct gaspdb_launcher *l, char **words,
			  int depth)
{
	const bool is_env = !strcmp(name, "env");
	int operands = l->operands;
	bool has_file = false, is_behind = false; /* "--" */

	while (*words) {
		if (!is_behind && !strcmp(*words, "--")) {
			words++;
			is_behind = true;
		} else if (**words == '-' && !is_behind) {
			char **next = take_option(p, name, l, words, depth,
						  &has_file);
			if (!next) {
				add_only_candidate(p, words + 1, depth);
				return;
			}
			words = next;
		} else if (is_env && strchr(*words, '=')) {
			if (is_ours(*words) && (*words)[10] == '=' &&
			    !p->obstacle)
				p->obstacle = gaspdb_text_format(
					"env %.10s=...", *words);
			words++;
		} else if (operands-- > 0) {
			words++;
		} else {
			break;
		}
	}
	if (*words && !has_file)
		parse(p, words, depth + 1);
}

/* Parses the commands of one parallel program, separated by ":". */
static void parse_parts(struct gaspdb_programs *p, const char *name,
			const struct gaspdb_launcher *l, char **words,
			int depth)
{
	for (;;) {
		char **end = words;

		while (*end && strcmp(*end, ":"))
			end++;
		char *separator = *end;
		*end = NULL;
		parse_options(p, name, l, words, depth);
		*end = separator;
		if (!separator)
			return;
		words = end + 1;
	}
}

static void parse(struct gaspdb_programs *p, char **words, int depth)
{
	const struct gaspdb_launcher *l =
		*words && depth < DEEPEST ? gaspdb_launcher_find(*words) : NULL;
	const char *slash = *words ? strrchr(*words, '/') : NULL;
	const char *name = slash ? slash + 1 : *words;

	if (!*words)
		return;
	if (!l) {
		add(p, *words);
		return;
	}
	if (!strcmp(name, "sudo") && !p->obstacle)
		p->obstacle = gaspdb_text_copy("sudo", 4);
	if (l->is_parallel)
		parse_parts(p, name, l, words + 1, depth);
	else
		parse_options(p, name, l, words + 1, depth);
}

void gaspdb_programs_find(struct gaspdb_programs *p, char **command)
{
	memset(p, 0, sizeof *p);
	parse(p, command, 0);
	if (p->n == 0)
		p->unsure = true;
}

bool gaspdb_programs_has_file(const struct gaspdb_programs *p, int i)
{
	return is_program(p, p->names[i]);
}

void gaspdb_programs_free(struct gaspdb_programs *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->names[i]);
	free(p->obstacle);
	free(p->folder);
}
