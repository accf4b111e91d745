/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * User events: defined at run time, with a printf format that types their
 * arguments.  The arguments are logged raw; the format is applied when the log
 * is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/gasp/dialect.h"
#include "collector/log/user_format.h"
#include "collector/process/process.h"

#define TAG_FIRST ((unsigned)(GASP_UPC_USEREVT_START))
#define TAG_COUNT ((unsigned)(GASP_UPC_USEREVT_END)-TAG_FIRST + 1)

_Static_assert(GASPDB_FORMAT_MAX == GASPDB_LAYOUT_MAX,
	       "an event has room for a format's arguments");

struct gaspdb_user_event {
	struct gaspdb_op_state *op; /* NULL: no such tag */
	const char *name, *format;  /* for a forked child's log */
	uint32_t phases;	    /* windows.h */
	struct gaspdb_format types;
};

/* --- the layout ----------------------------------------------------------- */

/*
 * Code in the log.  Addresses beyond a layout's maximum are logged as numbers.
 */
static char logged_code(char what, unsigned *addresses)
{
	switch (what) {
	case 'l':
	case 'y':
	case 'h':
		return 'i';
	case 'v':
	case 'Y':
	case 'H':
		return 'u';
	case 'D':
		return 'd';
	case 'S':
		return 's';
	case 'p':
		return (*addresses)++ < GASPDB_ADDRESS_MAX ? 'p' : 'u';
	default:
		return what;
	}
}

/* The layout as logged: arg1:i arg2:d ..., without what %n points to. */
static void make_layout(const char *codes, char *layout, size_t size)
{
	unsigned addresses = 0;
	size_t used = 0;

	layout[0] = 0;
	for (unsigned i = 0; codes[i] && used < size; i++)
		if (codes[i] != 'n')
			used += (size_t)snprintf(
				layout + used, size - used, "%sarg%u:%c",
				used ? " " : "", i + 1,
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

	make_layout(e->types.codes, layout, sizeof layout);
	e->op = gaspdb_op_user(c, e, e->name, e->format, layout);
}

static void define(struct gaspdb_context *c, struct gaspdb_user_event *e,
		   const char *name, const char *format)
{
	if (!gaspdb_begin(c))
		return;
	gaspdb_format_parse(format, &e->types, NULL);
	e->name = copy_text(c, name);
	e->format = copy_text(c, format);
	e->phases = gaspdb_phases_of(e->name);
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
static uint64_t string_id(struct gaspdb_context *c, const char *s,
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

/* Appends a character in UTF-8, if it is one and has room; its bytes, or 0. */
static size_t put_utf8(char *to, size_t room, uint32_t c)
{
	const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (n > room || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	for (size_t i = n; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[n == 1 ? 0 : n] | c);
	return n;
}

/* The same of a wide string, as UTF-8; it ends at what is no character. */
static uint64_t wide_id(struct gaspdb_context *c, const wchar_t *s,
			int64_t precision)
{
	const size_t limit = precision < 0 || precision > GASPDB_TEXT_MAX
				     ? GASPDB_TEXT_MAX
				     : (size_t)precision;
	char text[GASPDB_TEXT_MAX + 1];
	size_t n = 0, bytes = 1;

	if (!s)
		return gaspdb_string_id(c, NULL);
	for (; bytes && n < limit && *s; s++, n += bytes)
		bytes = put_utf8(text + n, limit - n, (uint32_t)*s);
	text[n] = 0;
	return gaspdb_string_id(c, text);
}

/* Reads an argument; strings are addresses. */
static uint64_t read_argument(char code, va_list *ap)
{
	switch (code) {
	case 'i':
		return (uint64_t)(int64_t)va_arg(*ap, int);
	case 'y':
		return (uint64_t)(int64_t)(signed char)va_arg(*ap, int);
	case 'h':
		return (uint64_t)(int64_t)(short)va_arg(*ap, int);
	case 'u':
		return va_arg(*ap, unsigned);
	case 'Y':
		return (unsigned char)va_arg(*ap, unsigned);
	case 'H':
		return (unsigned short)va_arg(*ap, unsigned);
	case 'd':
		return double_bits(va_arg(*ap, double));
	case 'D':
		return double_bits((double)va_arg(*ap, long double));
	case 's':
	case 'S':
	case 'p':
	case 'n':
		return (uintptr_t)va_arg(*ap, void *);
	default:
		return va_arg(*ap, uint64_t);
	}
}

/* Value of an argument in the log; values has all of the event as read. */
static uint64_t logged_value(struct gaspdb_context *c,
			     const struct gaspdb_format *f, unsigned i,
			     const uint64_t *values)
{
	int64_t precision = f->precision[i];

	if (f->codes[i] != 's' && f->codes[i] != 'S')
		return values[i];
	if (precision <= GASPDB_PRECISION_AT)
		precision = (int64_t)values[GASPDB_PRECISION_AT - precision];
	return f->codes[i] == 's'
		       ? string_id(c, (const char *)(uintptr_t)values[i],
				   precision)
		       : wide_id(c, (const wchar_t *)(uintptr_t)values[i],
				 precision);
}

/* Reads the arguments; the number of those in the log. */
static unsigned read_arguments(struct gaspdb_context *c,
			       const struct gaspdb_format *f, va_list *ap,
			       uint64_t *logged)
{
	uint64_t values[GASPDB_LAYOUT_MAX];
	unsigned n = 0;

	for (unsigned i = 0; f->codes[i]; i++)
		values[i] = read_argument(f->codes[i], ap);
	for (unsigned i = 0; f->codes[i]; i++)
		if (f->codes[i] != 'n')
			logged[n++] = logged_value(c, f, i, values);
	return n;
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
	/* A profile has no arguments; their strings would fill the log. */
	const unsigned n = gaspdb_is_traced(c)
				   ? read_arguments(c, &e->types, ap, values)
				   : 0;
	struct gaspdb_site *site;

	site = pc ? gaspdb_site_pc(c, e->op, e->op, pc)
		  : gaspdb_site_line(c, e->op, file, line);
	if (site)
		gaspdb_emit_event(c, phase, site, ticks, n, values);
	else
		gaspdb_event_lose(c, phase, ticks);
}

/* The event of a tag; NULL: there is none, or no memory for it. */
static struct gaspdb_user_event *find(const struct gaspdb_context *c,
				      unsigned tag)
{
	return c->user_events && tag - TAG_FIRST < c->n_user_events
		       ? &c->user_events[tag - TAG_FIRST]
		       : NULL;
}

bool gaspdb_user_event_begins(struct gaspdb_context *c, unsigned tag,
			      enum gaspdb_phase phase)
{
	const struct gaspdb_user_event *e = find(c, tag);

	if (phase == GASPDB_PHASE_START && e && e->phases)
		gaspdb_phases_begin(c, e->phases);
	else if (!c->on && phase == GASPDB_PHASE_END && e && e->phases)
		gaspdb_phases_end(c, e->phases);
	c->n_off += !c->on;
	return c->on || gaspdb_profiles_all();
}

/* Records a user event of a tag that exists. */
static void record(struct gaspdb_context *c, struct gaspdb_user_event *e,
		   enum gaspdb_phase phase, uint64_t ticks, const void *pc,
		   const char *file, uint64_t line, va_list ap)
{
	va_list args;

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

void gaspdb_user_event_raise(struct gaspdb_context *c, unsigned tag,
			     enum gaspdb_phase phase, uint64_t ticks,
			     const void *pc, const char *file, uint64_t line,
			     va_list ap)
{
	struct gaspdb_user_event *e = find(c, tag);

	if (tag - TAG_FIRST >= c->n_user_events) {
		count_unknown(c, tag);
		return;
	}
	record(c, e, phase, ticks, pc, file, line, ap);
	if (phase == GASPDB_PHASE_END && e && e->phases)
		gaspdb_phases_end(c, e->phases);
}
