/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The GASP interface: what a UPC compiler's runtime calls.  Tags are those of
 * the gasp_upc.h this is compiled against, and are mapped to our events; the
 * arguments follow the event tables.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "context.h"
#include "dialect.h"
#include "process.h"
#include "upcalls.h"

#define TAGS_MAX 4096 /* system tags of the implementations end below */
#define ARGS_MAX 12

/* Event + 1 by tag; 0: no event of ours. */
static const uint16_t event_of_tag[TAGS_MAX] = {
#define TAG(tag, event) [(tag)] = (event) + 1, /* a larger one is an error */
#include "gasp_tags.h"
};

/* How to take an event's arguments, and which of them the log gets. */
struct take {
	bool ready;
	char code[2][ARGS_MAX + 1];
	bool logged[2][ARGS_MAX];
	char layout[2][256]; /* as logged */
};
static struct take takes[GASPDB_N_EVENTS];
static pthread_mutex_t take_lock = PTHREAD_MUTEX_INITIALIZER;

/* Next "name:code" of a layout, without the space; its length. */
static size_t token(const char *layout)
{
	return strcspn(layout, " ");
}

static bool has_token(const char *layout, const char *name, size_t n)
{
	for (; *layout; layout += strspn(layout, " ")) {
		size_t length = token(layout);

		if (length == n && !memcmp(layout, name, n))
			return true;
		layout += length;
	}
	return false;
}

/*
 * The log gets what can be read (pointers-to-shared cannot, without knowing
 * their size) and END only what START did not have.
 */
static void prepare_half(struct take *t, unsigned half, const char *layout,
			 const char *start)
{
	unsigned n = 0;
	size_t used = 0, length;

	for (; *layout && n < ARGS_MAX;
	     layout += length, layout += strspn(layout, " "), n++) {
		char code;

		length = token(layout);
		code = layout[length - 1];
		t->code[half][n] = code;
		t->logged[half][n] =
			code != 'P' && code != 'L' &&
			!(half && has_token(start, layout, length));
		if (t->logged[half][n])
			used += (size_t)snprintf(t->layout[half] + used,
						 sizeof t->layout[half] - used,
						 "%s%.*s", used ? " " : "",
						 (int)length, layout);
	}
}

static GASPDB_COLD void prepare(struct take *t,
				const struct gaspdb_event_info *e)
{
	const struct gaspdb_layouts l = gaspdb_dialect_layouts(e);

	pthread_mutex_lock(&take_lock);
	if (!t->ready) {
		prepare_half(t, 0, l.start, "");
		prepare_half(t, 1, l.end, l.start);
		__atomic_store_n(&t->ready, true, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&take_lock);
}

static const struct take *take_of(unsigned event)
{
	struct take *t = &takes[event];

	if (GASPDB_UNLIKELY(!__atomic_load_n(&t->ready, __ATOMIC_ACQUIRE)))
		prepare(t, &gaspdb_events[event]);
	return t;
}

/* One argument, by its code. */
static uint64_t take_argument(struct gaspdb_context *c, char code, bool logged,
			      va_list *ap)
{
	double d;
	uint64_t bits;
	const char *s;
	void *p;

	switch (code) {
	case 'i':
		return (uint64_t)(int64_t)va_arg(*ap, int);
	case 'z':
		return va_arg(*ap, size_t);
	case 'd':
		d = va_arg(*ap, double);
		memcpy(&bits, &d, sizeof bits);
		return bits;
	case 's':
		s = va_arg(*ap, const char *);
		return logged ? gaspdb_string_id(c, s) : 0;
	case 'h':
		p = va_arg(*ap, void *);
		return p == (void *)GASPDB_NB_TRIVIAL ? 0 : (uintptr_t)p;
	default:
		return (uintptr_t)va_arg(*ap, void *);
	}
}

static unsigned take_arguments(struct gaspdb_context *c, const struct take *t,
			       unsigned half, va_list *ap, uint64_t *values)
{
	unsigned n = 0;

	for (unsigned i = 0; t->code[half][i]; i++) {
		bool logged = t->logged[half][i];
		uint64_t v = take_argument(c, t->code[half][i], logged, ap);

		if (logged)
			values[n++] = v;
	}
	return n;
}

static GASPDB_COLD const struct gaspdb_op_state *
new_op(struct gaspdb_context *c, unsigned event)
{
	const struct gaspdb_event_info *e = &gaspdb_events[event];
	const struct take *t = take_of(event);

	c->op_of_event[event] =
		gaspdb_op_add(c, e, e, e->name, t->layout[0], t->layout[1]);
	return c->op_of_event[event];
}

static inline void notify(struct gaspdb_context *c, unsigned event,
			  enum gaspdb_phase phase, uint64_t ticks,
			  const char *file, uint32_t line, uint32_t column,
			  va_list *ap)
{
	const unsigned half = phase == GASPDB_PHASE_END;
	const struct gaspdb_op_state *op;
	uint64_t values[ARGS_MAX];
	struct gaspdb_site *site;
	unsigned n;

	if (!gaspdb_begin(c))
		return;
	op = c->op_of_event[event];
	if (GASPDB_UNLIKELY(!op))
		op = new_op(c, event);
	/* The operation is there: so is the way to take its arguments. */
	n = take_arguments(c, &takes[event], half, ap, values);
	site = op ? gaspdb_site_line(c, op, file, line, column) : NULL;
	if (site)
		gaspdb_emit(c, phase, site, ticks, n, values);
	gaspdb_done(c);
}

static enum gaspdb_phase phase_of(gasp_evttype_t type)
{
	return type == GASP_START ? GASPDB_PHASE_START
	       : type == GASP_END ? GASPDB_PHASE_END
				  : GASPDB_PHASE_ATOMIC;
}

static const char *model_name(gasp_model_t model)
{
	static const char *const names[] = { "UPC", "Titanium", "CAF", "MPI",
					     "OpenSHMEM" };

	return (unsigned)model < sizeof names / sizeof *names ? names[model]
							      : "unknown";
}

GASPDB_EXPORT gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc,
				       char ***argv)
{
	struct gaspdb_context *c = gaspdb_context_for(model_name(srcmodel));

	(void)argc;
	(void)argv;
	if (srcmodel == 0) /* UPC, whatever the header calls it */
		gaspdb_upcalls_thread(c);
	return (gasp_context_t)(void *)c;
}

static inline void event(gasp_context_t context, unsigned evttag,
			 gasp_evttype_t evttype, const char *filename,
			 int linenum, int colnum, va_list *ap)
{
	struct gaspdb_context *c = (void *)context;
	uint64_t ticks;
	unsigned row;

	if (!c || !c->live || !c->on)
		return;
	ticks = gaspdb_clock_ticks();
	row = evttag < TAGS_MAX ? event_of_tag[evttag] : 0;
	if (GASPDB_LIKELY(row))
		notify(c, row - 1, phase_of(evttype), ticks, filename,
		       (uint32_t)linenum, (uint32_t)colnum, ap);
	else
		gaspdb_user_event_raise(c, evttag, phase_of(evttype), ticks,
					NULL, filename, (uint32_t)linenum,
					(uint32_t)colnum, *ap);
}

GASPDB_EXPORT void gasp_event_notifyVA(gasp_context_t context,
				       unsigned int evttag,
				       gasp_evttype_t evttype,
				       const char *filename, int linenum,
				       int colnum, va_list varargs)
{
	va_list ap;

	va_copy(ap, varargs);
	event(context, evttag, evttype, filename, linenum, colnum, &ap);
	va_end(ap);
}

GASPDB_EXPORT void gasp_event_notify(gasp_context_t context,
				     unsigned int evttag,
				     gasp_evttype_t evttype,
				     const char *filename, int linenum,
				     int colnum, ...)
{
	va_list ap;

	va_start(ap, colnum);
	event(context, evttag, evttype, filename, linenum, colnum, &ap);
	va_end(ap);
}

static void resume(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	for (unsigned i = 0; i < p->n_resume; i++)
		p->resume[i](c);
}

/* A thread that is not recorded gets the answers that it would get. */
static int unrecorded_control(int on)
{
	static _Thread_local int last = 1;
	int before = last;

	last = on;
	return before;
}

int gaspdb_control(struct gaspdb_context *c, int on)
{
	int before;

	if (!c)
		return unrecorded_control(on);
	before = c->control;
	c->control = on;
	if (c->on == !!on)
		return before;
	gaspdb_record(c, GASPDB_RECORD_RECORDING, "uu", (uint64_t) !!on,
		      gaspdb_clock_ticks());
	c->on = on;
	if (on)
		resume(c);
	return before;
}

GASPDB_EXPORT int gasp_control(gasp_context_t context, int on)
{
	return gaspdb_control((void *)context, on);
}

GASPDB_EXPORT unsigned int gasp_create_event(gasp_context_t context,
					     const char *name, const char *desc)
{
	return gaspdb_user_event_new((void *)context, name, desc);
}
