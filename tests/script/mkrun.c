/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mkrun SCRIPT DIRECTORY: the run that a script describes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/script/script.h"

static char *read_all(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	size_t n = 0, room = 1 << 16;
	char *text = malloc(room);

	while (f && text) {
		size_t got = fread(text + n, 1, room - n - 1, f);

		n += got;
		if (!got)
			break;
		if (n + 1 == room)
			text = realloc(text, room *= 2);
	}
	if (f && f != stdin)
		fclose(f);
	if (!f || !text) {
		free(text);
		return NULL;
	}
	text[n] = 0;
	return text;
}

int main(int argc, char **argv)
{
	struct script s;
	struct gaspdb_error err = { 0 };
	enum gaspdb_status status;
	char *text;

	if (argc != 3) {
		fputs("usage: mkrun SCRIPT DIRECTORY\n", stderr);
		return 2;
	}
	text = read_all(argv[1]);
	if (!text || (mkdir(argv[2], 0777) && errno != EEXIST)) {
		perror(text ? argv[2] : argv[1]);
		free(text);
		return 1;
	}
	status = script_read(&s, text, &err);
	if (!status)
		status = script_write(&s, argv[2], &err);
	if (status)
		fprintf(stderr, "%s:%s\n", argv[1], err.msg);
	script_free(&s);
	free(text);
	return status != GASPDB_OK;
}
