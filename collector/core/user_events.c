/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * User events: defined at run time, with a printf format that types their
 * arguments.  The arguments are logged raw; the format is applied when the log
 * is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/gasp/dialect.h"
#include "collector/process/process.h"

#define TAG_FIRST ((unsigned)(GASP_UPC_USEREVT_START))
#define TAG_COUNT ((unsigned)(GASP_UPC_USEREVT_END)-TAG_FIRST + 1)

/*
 * A user event. codes: the type of each argument: i int, l 64-bit signed, u
 * unsigned int, v 64-bit unsigned, d double, D long double, s string, p
 * pointer.
 */
struct gaspdb_user_event {
	struct gaspdb_op_state *op; /* NULL: no such tag */
	const char *name, *format;  /* for a forked child's log */
	char codes[GASPDB_LAYOUT_MAX + 1];
	int precision[GASPDB_LAYOUT_MAX]; /* or one of the following */
};
enum {
	NO_PRECISION = -1,
	PRECISION_BEFORE = -2 /* the int argument before it */
};

/* --- the format ----------------------------------------------------------- */

/* Skips a length modifier at p: L for long double, l for 64 bits, else 0. */
static char length_modifier(const char **p)
{
	char size = 0;

	for (; **p && strchr("hljztLq", **p); ++*p) {
		if (**p == 'L')
			size = 'L';
		else if (**p != 'h')
			size = 'l';
	}
	return size;
}

/* Type code of a conversion; 0: unknown. */
static char conversion(char letter, char size)
{
	if (strchr("dic", letter))
		return size ? 'l' : 'i';
	if (strchr("uoxX", letter))
		return size ? 'v' : 'u';
	if (strchr("fFeEgGaA", letter))
		return size == 'L' ? 'D' : 'd';
	if (letter == 's' && !size)
		return 's';
	return letter == 'p' ? 'p' : 0;
}

/* Skips flags, width and precision at p; each * takes an int while there is
   room.  Returns the precision, which limits the bytes read of a string. */
static int modifiers(const char **p, char *codes, unsigned *n)
{
	int precision = NO_PRECISION;

	for (; **p && strchr("-+ #0123456789.*'", **p); ++*p) {
		if (**p == '.')
			precision = 0;
		else if (**p == '*') {
			if (*n < GASPDB_LAYOUT_MAX)
				codes[(*n)++] = 'i';
			if (precision == 0)
				precision = PRECISION_BEFORE;
		} else if (precision >= 0 && precision <= GASPDB_TEXT_MAX &&
			   **p >= '0' && **p <= '9')
			precision = precision * 10 + **p - '0';
	}
	return precision;
}

/* Parses a format, which the program supplies: %n, or anything unknown, ends
   the arguments. */
static void parse_format(const char *p, struct gaspdb_user_event *e)
{
	unsigned n = 0;
	int precision;
	char what, size;

	while (p && (p = strchr(p, '%')) && n + 3 < GASPDB_LAYOUT_MAX) {
		if (*++p == '%') {
			p++;
			continue;
		}
		precision = modifiers(&p, e->codes, &n);
		size = length_modifier(&p);
		what = *p ? conversion(*p++, size) : 0;
		if (!what || n >= GASPDB_LAYOUT_MAX)
			break;
		e->precision[n] = precision;
		e->codes[n++] = what;
	}
	e->codes[n] = 0;
}

/*
 * Code in the log.  Addresses beyond a layout's maximum are logged as numbers.
 */
static char logged_code(char what, unsigned *addresses)
{
	switch (what) {
	case 'l':
		return 'i';
	case 'v':
		return 'u';
	case 'D':
		return 'd';
	case 'p':
		return (*addresses)++ < GASPDB_ADDRESS_MAX ? 'p' : 'u';
	default:
		return what;
	}
}

/* The layout as logged: arg1:i arg2:d ... */
static void make_layout(const char *codes, char *layout, size_t size)
{
	unsigned addresses = 0;
	size_t used = 0;

	layout[0] = 0;
	for (unsigned i = 0; codes[i] && used < size; i++)
		used += (size_t)snprintf(layout + used, size - used,
					 "%sarg%u:%c", i ? " " : "", i + 1,
					 logged_code(codes[i], &addresses));
}

/* --- making --------------------------------------------------------------- */

/* GASP 1.5, 5.3: exhausted tags are a fatal error. */
static GASPDB_COLD _Noreturn void exhausted(void)
{
	static const char line[] =
		"gaspdb: a thread has created more user events than "
		"GASP_UPC_USEREVT_START .. GASP_UPC_USEREVT_END allows\n";

	gaspdb_process_emit(line, sizeof line - 1);
	abort();
}

/* Chunk of the texts of a context's user events. */
struct gaspdb_texts {
	struct gaspdb_texts *next;
	size_t left;
	char bytes[(64 << 10) - 2 * sizeof(void *)];
};

/* Copies a text; "": no memory. */
static const char *copy_text(struct gaspdb_context *c, const char *s)
{
	const size_t n = s ? strnlen(s, GASPDB_TEXT_MAX) : 0;
	struct gaspdb_texts *t = c->texts;
	char *copy;

	if (!s)
		return NULL;
	if (!t || t->left < n + 1) {
		t = gaspdb_pages(sizeof *t);
		if (!t)
			return "";
		t->left = sizeof t->bytes;
		t->next = c->texts;
		c->texts = t;
	}
	copy = t->bytes + sizeof t->bytes - t->left;
	memcpy(copy, s, n); /* the page is zero: so is the byte after it */
	t->left -= n + 1;
	return copy;
}

static void define_operation(struct gaspdb_context *c,
			     struct gaspdb_user_event *e)
{
	char layout[GASPDB_LAYOUT_MAX * 10];

	make_layout(e->codes, layout, sizeof layout);
	e->op = gaspdb_op_user(c, e, e->name, e->format, layout);
}

static void define(struct gaspdb_context *c, struct gaspdb_user_event *e,
		   const char *name, const char *format)
{
	if (!gaspdb_begin(c))
		return;
	parse_format(format, e);
	e->name = copy_text(c, name);
	e->format = copy_text(c, format);
	define_operation(c, e);
	gaspdb_done(c);
}

unsigned gaspdb_user_event_new(struct gaspdb_context *c, const char *name,
			       const char *format)
{
	uint32_t index;

	if (!c || (!c->live && !gaspdb_context_revive(c)))
		return TAG_FIRST;
	if (c->n_user_events == TAG_COUNT)
		exhausted();
	if (!c->user_events)
		c->user_events =
			gaspdb_pages(TAG_COUNT * sizeof *c->user_events);
	index = c->n_user_events++; /* first: a signal handler may define
				       another */
	if (c->user_events)
		define(c, &c->user_events[index], name, format);
	gaspdb_context_save(c);
	return TAG_FIRST + index;
}

void gaspdb_user_events_inherit(struct gaspdb_context *c)
{
	for (uint32_t i = 0; c->user_events && i < c->n_user_events; i++)
		if (c->user_events[i].op)
			define_operation(c, &c->user_events[i]);
}

void gaspdb_user_events_free(struct gaspdb_context *c)
{
	struct gaspdb_texts *t = c->texts, *next;

	for (c->texts = NULL; t; t = next) {
		next = t->next;
		munmap(t, sizeof *t);
	}
	if (c->user_events)
		munmap(c->user_events, TAG_COUNT * sizeof *c->user_events);
	c->user_events = NULL;
	c->n_user_events = 0;
}

/* --- raising -------------------------------------------------------------- */

static uint64_t double_bits(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof bits);
	return bits;
}

/* Id of a string, of which at most precision bytes are read. */
static uint64_t read_string(struct gaspdb_context *c, const char *s,
			    int64_t precision)
{
	char text[GASPDB_TEXT_MAX + 1];
	size_t n;

	if (!s || precision < 0 || precision > GASPDB_TEXT_MAX)
		return gaspdb_string_id(c, s);
	n = strnlen(s, (size_t)precision);
	memcpy(text, s, n);
	text[n] = 0;
	return gaspdb_string_id(c, text);
}

/* Reads the n-th argument; values has those before it. */
static uint64_t read_argument(struct gaspdb_context *c,
			      const struct gaspdb_user_event *e, unsigned n,
			      const uint64_t *values, va_list *ap)
{
	switch (e->codes[n]) {
	case 'i':
		return (uint64_t)(int64_t)va_arg(*ap, int);
	case 'u':
		return va_arg(*ap, unsigned);
	case 'd':
		return double_bits(va_arg(*ap, double));
	case 'D':
		return double_bits((double)va_arg(*ap, long double));
	case 's':
		return read_string(c, va_arg(*ap, const char *),
				   e->precision[n] == PRECISION_BEFORE
					   ? (int64_t)values[n - 1]
					   : e->precision[n]);
	case 'p':
		return (uintptr_t)va_arg(*ap, void *);
	default:
		return va_arg(*ap, uint64_t);
	}
}

/* Counts an unknown tag, which some implementations let through.  An
   interrupting event is not counted. */
static GASPDB_COLD void count_unknown(struct gaspdb_context *c, unsigned tag)
{
	if (!c->busy && !c->n_unknown++)
		c->first_unknown = tag;
}

/* X */
static void raise_event(struct gaspdb_context *c,
			const struct gaspdb_user_event *e,
			enum gaspdb_phase phase, uint64_t ticks, const void *pc,
			const char *file, uint64_t line, va_list *ap)
{
	uint64_t values[GASPDB_LAYOUT_MAX];
	struct gaspdb_site *site;
	unsigned n = 0;

	for (; e->codes[n]; n++)
		values[n] = read_argument(c, e, n, values, ap);
	site = pc ? gaspdb_site_pc(c, e->op, e->op, pc)
		  : gaspdb_site_line(c, e->op, file, line);
	if (site)
		gaspdb_emit(c, phase, site, ticks, n, values);
	else
		gaspdb_context_lose(c);
}

void gaspdb_user_event_raise(struct gaspdb_context *c, unsigned tag,
			     enum gaspdb_phase phase, uint64_t ticks,
			     const void *pc, const char *file, uint64_t line,
			     va_list ap)
{
	struct gaspdb_user_event *e;
	va_list args;

	if (tag - TAG_FIRST >= c->n_user_events) {
		count_unknown(c, tag);
		return;
	}
	e = c->user_events ? &c->user_events[tag - TAG_FIRST] : NULL;
	if (e && e->op && e->op->masked) {
		e->op->n_masked++;
		return;
	}
	if (!c->busy && gaspdb_modules_are_behind(c))
		gaspdb_modules_catch_up(c);
	if (!gaspdb_begin(c))
		return;
	if (e && e->op) {
		va_copy(args, ap);
		raise_event(c, e, phase, ticks, pc, file, line, &args);
		va_end(args);
	} else {
		gaspdb_context_lose(c);
	}
	gaspdb_done(c);
}
