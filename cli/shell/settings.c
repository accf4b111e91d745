/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: commands that set the format of rows. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/shell/dots.h"
#include "cli/output/text.h"

/* Default width of wrapped texts after .mode, as in sqlite3. */
enum { WRAP = 60, WIDEST = 100000 };

static bool read_number(const char *word, long least, long most, int *n)
{
	char *end;
	const long value = strtol(word, &end, 10);

	*n = (int)value;
	return end != word && !*end && value >= least && value <= most;
}

bool gaspdb_shell_mode(struct gaspdb_shell *s, char *argument)
{
	char *words[3];
	int wrap = WRAP;

	if (!gaspdb_shell_words(s, argument, words, 0, 3))
		return false;
	if (!words[0]) {
		FILE *out = gaspdb_shell_open_out(s);
		fprintf(out, "%s\n", gaspdb_output_modes[s->style.format].name);
		gaspdb_shell_close_out(s, out);
		return true;
	}
	if (words[1] && (strcmp(words[1], "--wrap") || !words[2] ||
			 !read_number(words[2], 0, WIDEST, &wrap))) {
		gaspdb_shell_usage(s);
		return false;
	}
	if (!gaspdb_output_format_parse(words[0], &s->style.format)) {
		gaspdb_shell_error(s,
				   "no such mode as '%s'; there "
				   "are" GASPDB_OUTPUT_FORMATS,
				   words[0]);
		return false;
	}
	s->style.wrap = wrap;
	return true;
}

/* Parses a word for on or off; false: invalid, reported. */
static bool read_switch(struct gaspdb_shell *s, const char *word, bool *value)
{
	static const char *const words[][2] = { { "off", "on" },
						{ "no", "yes" },
						{ "0", "1" } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (int on = 0; on < 2; on++)
			if (!strcasecmp(word, words[i][on])) {
				*value = on;
				return true;
			}
	gaspdb_shell_error(s, "on or off, not '%s'", word);
	return false;
}

bool gaspdb_shell_headers(struct gaspdb_shell *s, char *argument)
{
	char *words[1];
	bool on;

	if (!gaspdb_shell_words(s, argument, words, 1, 1) ||
	    !read_switch(s, words[0], &on))
		return false;
	s->style.headings =
		on ? GASPDB_OUTPUT_HEADINGS_ON : GASPDB_OUTPUT_HEADINGS_OFF;
	return true;
}

bool gaspdb_shell_width(struct gaspdb_shell *s, char *argument)
{
	int *widths = NULL, n = 0;
	char *word;

	while ((word = gaspdb_shell_word(&argument))) {
		widths = gaspdb_memory_grow(widths, (size_t)n + 1,
					    sizeof *widths);
		if (!read_number(word, -WIDEST, WIDEST, &widths[n++])) {
			gaspdb_shell_error(s, "'%s' is no width", word);
			free(widths);
			return false;
		}
	}
	free(s->widths);
	s->style.widths = s->widths = widths;
	s->style.n_widths = n;
	return true;
}

/* Sets a switch; without an argument, toggles it. */
static bool set_switch(struct gaspdb_shell *s, bool *value, char *argument)
{
	char *words[1];

	if (!gaspdb_shell_words(s, argument, words, 0, 1))
		return false;
	if (words[0])
		return read_switch(s, words[0], value);
	*value = !*value;
	return true;
}

bool gaspdb_shell_pager(struct gaspdb_shell *s, char *argument)
{
	return set_switch(s, &s->pager, argument);
}

bool gaspdb_shell_timer(struct gaspdb_shell *s, char *argument)
{
	return set_switch(s, &s->timer, argument);
}
