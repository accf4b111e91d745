/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pager for long output. Output that fits the screen goes to stdout; the pager
 * starts when it does not. Starting it at once would hide the prompt during a
 * slow query, and take its Ctrl-C.
 */
#include "cli/output/pager.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/record/record.h"
#include "cli/output/text.h"

struct pager {
	const char *command;
	FILE *pipe; /* to the pager; NULL: not started */
	char *held;
	size_t n_held, room;
	int rows, columns; /* of the screen */
	int lines;	   /* lines held, after wrapping on the screen */
	int column;
	bool failed;
};

/* Is the command's program missing? Commands with shell syntax are left to the
   shell. */
static bool is_missing(const char *command)
{
	const size_t blanks = strspn(command, " \t");
	const size_t n = strcspn(command + blanks, " \t");
	char *word = gaspdb_text_copy(command + blanks, n), *file;
	bool missing = !strpbrk(word, "|&;<>()$`\\\"'*?[#~=%{");

	if (missing) {
		file = gaspdb_record_find_file(word);
		missing = !file;
		free(file);
	}
	free(word);
	return missing;
}

const char *gaspdb_pager_find(const char *otherwise)
{
	const char *chosen = getenv("PAGER");
	const char *command = chosen ? chosen : otherwise;

	if (!*command)
		return NULL;
	if (!is_missing(command))
		return command;
	if (chosen)
		gaspdb_print_error("there is no pager '%s' (PAGER): output "
				   "comes without one",
				   chosen);
	return NULL;
}

static void hold(struct pager *p, const char *bytes, size_t n)
{
	if (p->n_held + n > p->room) {
		p->room = 2 * (p->n_held + n);
		p->held = gaspdb_memory_grow(p->held, p->room, 1);
	}
	memcpy(p->held + p->n_held, bytes, n);
	p->n_held += n;
	for (size_t i = 0; i < n; i++) {
		bool wraps = p->column >= p->columns;
		/* continuation bytes of UTF-8 have no width */
		if (bytes[i] == '\n' || wraps)
			p->lines++;
		if (bytes[i] == '\n')
			p->column = 0;
		else if ((bytes[i] & 0xc0) != 0x80)
			p->column = wraps ? 1 : p->column + 1;
	}
}

static void begin(struct pager *p)
{
	p->pipe = popen(p->command, "w");
	p->failed = !p->pipe ||
		    fwrite(p->held, 1, p->n_held, p->pipe) != p->n_held ||
		    fflush(p->pipe);
}

static ssize_t pager_write(void *cookie, const char *bytes, size_t n)
{
	struct pager *p = cookie;

	if (p->pipe) {
		p->failed = p->failed || fwrite(bytes, 1, n, p->pipe) != n;
	} else {
		hold(p, bytes, n);
		/* two lines for the prompt and the number of rows */
		if (p->lines >= p->rows - 2)
			begin(p);
	}
	return p->failed ? 0 : (ssize_t)n;
}

static int pager_close(void *cookie)
{
	struct pager *p = cookie;

	if (p->pipe)
		pclose(p->pipe);
	else
		fwrite(p->held, 1, p->n_held, stdout);
	fflush(stdout);
	free(p->held);
	free(p);
	return 0;
}

FILE *gaspdb_pager_open(const char *command)
{
	struct winsize size;

	if (!command || !isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 4 ||
	    size.ws_col < 1)
		return stdout;
	struct pager *p = gaspdb_memory_new(1, sizeof *p);
	p->command = command;
	p->rows = size.ws_row;
	p->columns = size.ws_col;
	FILE *out =
		fopencookie(p, "w",
			    (cookie_io_functions_t){ .write = pager_write,
						     .close = pager_close });
	if (out)
		return out;
	free(p);
	return stdout;
}

void gaspdb_pager_close(FILE *out)
{
	if (out != stdout)
		fclose(out);
	else
		fflush(stdout);
}
