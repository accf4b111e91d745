/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of a log: bytes, events and rows, and the time in which they were
   recorded. */
#include "importer/inspect/rate.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

/* Bytes in the database, measured (docs/figures.md): of a row of event; of
   event_arg; of p2p with half a message. */
enum { ROW_BYTES = 29, ARGUMENT_BYTES = 12, END_BYTES = 90 };

static bool is(struct gaspdb_text t, const char *text)
{
	return t.n == strlen(text) && !memcmp(t.p, text, t.n);
}

/* --- definitions ---------------------------------------------------------- */

/* Number of a layout's arguments that do not become columns of event. */
static uint8_t further_arguments(struct gaspdb_text layout)
{
	static const char *const columns[] = { "bytes", "peer", "object" };
	const char *p = layout.p, *end = layout.p + layout.n;
	uint8_t n = 0;

	while (p < end && n < GASPDB_ARGUMENTS_MAX) {
		const char *space = memchr(p, ' ', (size_t)(end - p));
		const char *stop = space ? space : end;
		const char *colon = memchr(p, ':', (size_t)(stop - p));
		struct gaspdb_text name = { p, (size_t)((colon ? colon : stop) -
							p) };
		bool column = false;

		for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
			column |= is(name, columns[i]);
		n = (uint8_t)(n + (name.n > 0 && !column));
		p = stop + 1;
	}
	return n;
}

/* Number of sends and receives that a call of this type starts. */
static uint8_t ends_of(struct gaspdb_text type)
{
	return is(type, "send_receive") ? 2
	       : is(type, "send") || is(type, "send_nb") ||
			       is(type, "receive") || is(type, "receive_nb")
		       ? 1
		       : 0;
}

/* id tag symbol name model type category start end format */
static void define_operation(struct gaspdb_rate *r,
			     const struct gaspdb_field *f)
{
	if (f[0].u >= GASPDB_IDS_MAX)
		return;
	r->operations =
		gaspdb_mem_grow(r->operations, &r->n_operations,
				(size_t)f[0].u + 1, sizeof *r->operations);
	r->operations[f[0].u] = (struct gaspdb_rate_operation){
		.args = { further_arguments(f[7].s),
			  further_arguments(f[8].s) },
		.ends = ends_of(f[5].s)
	};
}

/* id operation ... */
static void define_site(struct gaspdb_rate *r, const struct gaspdb_field *f)
{
	if (f[0].u >= GASPDB_IDS_MAX || f[1].u >= GASPDB_IDS_MAX)
		return;
	r->sites = gaspdb_mem_grow(r->sites, &r->n_sites, (size_t)f[0].u + 1,
				   sizeof *r->sites);
	r->sites[f[0].u] = (uint32_t)f[1].u;
}

static struct gaspdb_rate_operation operation_of(const struct gaspdb_rate *r,
						 uint64_t site)
{
	static const struct gaspdb_rate_operation unknown;
	uint32_t id = site < r->n_sites ? r->sites[site] : 0;

	return id < r->n_operations ? r->operations[id] : unknown;
}

/* --- time ----------------------------------------------------------------- */

static void note_time(struct gaspdb_rate *r, uint64_t ticks)
{
	if (!r->timed)
		r->first = r->last = ticks;
	r->timed = true;
	if (ticks > r->last)
		r->last = ticks;
}

/* Restarts the count when the runtime has started; earlier bytes count as
   written once. */
static void begin(struct gaspdb_rate *r, uint64_t ticks)
{
	r->once_bytes += r->bytes;
	r->raw_events = r->bytes = r->rows = r->args = r->ends = 0;
	r->first = r->last = r->off_since = ticks;
	r->off_ticks = 0;
	r->timed = r->started = true;
}

static void recording(struct gaspdb_rate *r, bool on, uint64_t ticks)
{
	note_time(r, ticks);
	if (on == !r->off)
		return;
	if (on && ticks > r->off_since)
		r->off_ticks += ticks - r->off_since;
	r->off = !on;
	r->off_since = ticks;
}

static void meta(struct gaspdb_rate *r, const struct gaspdb_field *f)
{
	char text[32] = "";

	if (f[1].s.n >= sizeof text)
		return;
	memcpy(text, f[1].s.p, f[1].s.n);
	if (is(f[0].s, "init_ticks") && !r->started) {
		begin(r, strtoull(text, NULL, 10));
	} else if (is(f[0].s, "finalize_ticks")) {
		note_time(r, strtoull(text, NULL, 10));
		r->over = true;
	}
}

/* --- records -------------------------------------------------------------- */

static void take_other(struct gaspdb_rate *r, const struct gaspdb_record *rec)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];

	if (!gaspdb_record_fields(rec, f))
		return;
	switch (rec->kind) {
	case GASPDB_RECORD_OPERATION:
		define_operation(r, f);
		break;
	case GASPDB_RECORD_SITE:
	case GASPDB_RECORD_SITE_PC:
		define_site(r, f);
		break;
	case GASPDB_RECORD_META:
		meta(r, f);
		break;
	case GASPDB_RECORD_RECORDING:
		if (!r->over)
			recording(r, f[0].u, f[1].u);
		break;
	case GASPDB_RECORD_CLOCK:
		if (!r->over)
			note_time(r, f[0].u);
		break;
	}
}

static void take_event(struct gaspdb_rate *r, const struct gaspdb_record *rec)
{
	const struct gaspdb_rate_operation o = operation_of(r, rec->site);
	const bool end = rec->phase == GASPDB_PHASE_END;

	r->ticks += rec->ticks;
	if (r->over)
		return;
	note_time(r, r->ticks);
	r->raw_events++;
	r->rows += !end;
	r->ends += end ? 0 : o.ends;
	r->args += o.args[end] < rec->n_args ? o.args[end] : rec->n_args;
}

void gaspdb_rate_block(struct gaspdb_rate *r, const struct gaspdb_reader *rd)
{
	r->ticks = rd->block.ticks;
	if (!r->over)
		r->bytes += rd->block.header_bytes;
}

void gaspdb_rate_record(struct gaspdb_rate *r, const struct gaspdb_reader *rd,
			const struct gaspdb_record *rec)
{
	const uint64_t at =
		rd->block.offset + (uint64_t)(rd->payload.at - rd->buffer);
	const bool once = r->over || (rec->phase == GASPDB_PHASE_OTHER &&
				      rec->kind < GASPDB_RECORD_COMPLETE);

	*(once ? &r->once_bytes : &r->bytes) += at - rec->offset;
	if (rec->phase == GASPDB_PHASE_OTHER)
		take_other(r, rec);
	else
		take_event(r, rec);
}

void gaspdb_rate_free(struct gaspdb_rate *r)
{
	free(r->operations);
	free(r->sites);
	r->operations = NULL;
	r->sites = NULL;
	r->n_operations = r->n_sites = 0;
}

void gaspdb_rates_add(struct gaspdb_rates *to, const struct gaspdb_rate *r,
		      uint64_t ticks_hz)
{
	uint64_t off = r->off_ticks;

	if (r->off && r->last > r->off_since)
		off += r->last - r->off_since;
	to->all_bytes += r->bytes + r->once_bytes;
	to->once_bytes += r->once_bytes;
	if (!ticks_hz || !r->raw_events || r->last - r->first <= off)
		return;
	const double seconds =
		(double)(r->last - r->first - off) / (double)ticks_hz;

	if (seconds > to->seconds)
		to->seconds = seconds;
	to->raw_events += (double)r->raw_events / seconds;
	to->bytes += (double)r->bytes / seconds;
	to->database +=
		(double)(r->rows * ROW_BYTES + r->args * ARGUMENT_BYTES +
			 r->ends * END_BYTES) /
		seconds;
}

const char *gaspdb_rates_caveat(const struct gaspdb_rates *rates)
{
	if (rates->seconds < 1)
		return "so short a run says little: its beginning may be all "
		       "there is in it";
	if (2 * rates->once_bytes > rates->all_bytes)
		return "most of these logs is definitions and the runtime's "
		       "start, which are left out here";
	return "";
}
