/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that are neither events nor definitions: requests, facts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sum.h"
#include "importer/log/damage.h"
#include "importer/replay/replay.h"

static bool is_key(struct gaspdb_text t, const char *key)
{
	return t.n == strlen(key) && !memcmp(t.p, key, t.n);
}

/* --- META ----------------------------------------------------------------- */

static void insert_meta(struct gaspdb_importer *im, const char *key,
			const char *value)
{
	if (key)
		gaspdb_insert(
			im->store, GASPDB_INSERT_thread_meta,
			GASPDB_VALUES(thread_meta){
				[GASPDB_THREAD_META_THREAD] =
					gaspdb_int(im->reading.id),
				[GASPDB_THREAD_META_KEY] = gaspdb_str(key),
				[GASPDB_THREAD_META_VALUE] =
					gaspdb_str(value ? value : "") });
}

/* Inserts a fact that is a time, converted from ticks to ns since the run's
   start. */
static bool insert_moment(struct gaspdb_importer *im, struct gaspdb_text key,
			  const char *value)
{
	static const struct {
		const char *ticks, *ns;
	} moments[] = { { "init_ticks", "init_ns" },
			{ "finalize_ticks", "finalize_ns" } };
	char text[32];
	uint64_t ticks;

	for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
		if (!is_key(key, moments[i].ticks) ||
		    sscanf(value, "%" SCNu64, &ticks) != 1)
			continue;
		snprintf(text, sizeof text, "%" PRId64,
			 gaspdb_replay_ns(im, ticks));
		insert_meta(im, moments[i].ns, text);
		return true;
	}
	return false;
}

/* Parses a positive decimal number, with or without fraction; 0: invalid. */
static double positive(const char *text)
{
	double whole = 0, part = 0, unit = 1;

	for (; *text >= '0' && *text <= '9'; text++)
		whole = whole * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++)
			part += (unit /= 10) * (*text - '0');
	return *text || whole > GASPDB_COST_MAX ? 0 : whole + part;
}

static void take_cost(struct gaspdb_importer *im, const char *value)
{
	im->reading.event_cost_ns = gaspdb_timeline_length(
		&im->reading.thread->log->time, positive(value));
}

/* Converts arguments separated by NUL to a line separated by spaces; those with
   spaces are quoted. */
static uint32_t join_arguments(struct gaspdb_importer *im,
			       struct gaspdb_text value)
{
	const char *p = value.p, *end = p + value.n;
	char joined[8192];
	size_t used = 0;

	joined[0] = 0;
	while (p < end && used + 4 < sizeof joined) {
		size_t n = strnlen(p, (size_t)(end - p));
		const char *quote = !n || memchr(p, ' ', n) ? "'" : "";

		used += (size_t)snprintf(joined + used, sizeof joined - used,
					 "%s%s%.*s%s", used ? " " : "", quote,
					 (int)n, p, quote);
		p += n + 1;
	}
	return gaspdb_text_of(&im->registry, joined);
}

static void note_not_seen(struct gaspdb_importer *im, const char *detail)
{
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_NOT_SEEN,
			  &(struct gaspdb_defect){ .detail = detail });
	if (!im->not_seen[0])
		snprintf(im->not_seen, sizeof im->not_seen, "%s", detail);
}

/* Reported once, because all threads have the same runtime. */
static void note_limits(struct gaspdb_importer *im, uint32_t text)
{
	if (im->limits == text)
		return;
	im->limits = text;
	gaspdb_defects_thread(&im->quality, GASPDB_NULL);
	gaspdb_defect_add(
		&im->quality, GASPDB_QUALITY_LIMITS,
		&(struct gaspdb_defect){
			.detail = gaspdb_text_get(&im->registry, text) });
	gaspdb_defects_thread(&im->quality, im->reading.id);
}

/* Reported once, because all processes have the same variable. */
static void note_synchronized(struct gaspdb_importer *im, const char *key,
			      const char *value)
{
	insert_meta(im, key, value);
	if (im->is_synchronized)
		return;
	im->is_synchronized = true;
	gaspdb_defects_thread(&im->quality, GASPDB_NULL);
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_SYNCHRONIZED,
			  &(struct gaspdb_defect){ 0 });
	gaspdb_defects_thread(&im->quality, im->reading.id);
}

static void note_forked(struct gaspdb_importer *im, const char *key,
			const char *parent)
{
	char detail[64];

	insert_meta(im, key, parent);
	if (im->reading.thread->rank != GASPDB_NULL)
		return;
	snprintf(detail, sizeof detail, "by process %.20s", parent);
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_FORKED,
			  &(struct gaspdb_defect){ .detail = detail });
}

/*
 * Is a fact repeated by a later block, or beyond the limit? Notes it otherwise.
 */
static bool is_repeated(struct gaspdb_importer *im, uint32_t key,
			uint32_t value)
{
	const uint64_t fact = (uint64_t)key << 32 | value;

	if (gaspdb_map_get(&im->facts, fact) != GASPDB_ABSENT)
		return true;
	if (im->facts.n == GASPDB_FACTS_MAX) {
		im->reading.facts_left_out++;
		return true;
	}
	gaspdb_map_put(&im->facts, fact, 0);
	return false;
}

static void check_identity(struct gaspdb_importer *im,
			   const struct gaspdb_record *rec,
			   const struct gaspdb_field *f)
{
	char detail[200];

	if (!gaspdb_identity_contradicts(&im->reading.identity, &im->registry,
					 im->reading.thread->log, f, detail))
		return;
	im->reading.losses++;
	gaspdb_damage_identity(&im->quality, im->reading.thread->log, rec,
			       detail);
}

/* key value */
static void meta(struct gaspdb_importer *im, const struct gaspdb_record *rec,
		 const struct gaspdb_field *f)
{
	struct gaspdb_registry *r = &im->registry;
	const uint32_t name = gaspdb_text_add(r, f[0].s);
	const char *key = gaspdb_text_get(r, name);
	uint32_t text = is_key(f[0].s, "arguments")
				? join_arguments(im, f[1].s)
				: gaspdb_text_add(r, f[1].s);
	const char *value = text ? gaspdb_text_get(r, text) : "";

	if (is_repeated(im, name, text))
		return;
	check_identity(im, rec, f);
	im->reading.has_mode |= is_key(f[0].s, "mode");
	if (is_key(f[0].s, "end"))
		im->reading.size_limit = is_key(f[1].s, "size limit");
	if (is_key(f[0].s, "rank") || is_key(f[0].s, "thread") ||
	    is_key(f[0].s, "host"))
		return; /* columns, set from the prescan */
	if (is_key(f[0].s, "model"))
		gaspdb_replay_model(im, text);
	else if (is_key(f[0].s, "not_seen"))
		note_not_seen(im, value);
	else if (is_key(f[0].s, "forked_from"))
		note_forked(im, key, value);
	else if (is_key(f[0].s, "sync_collectives"))
		note_synchronized(im, key, value);
	else if (is_key(f[0].s, "event_cost_ticks"))
		take_cost(im, value);
	else if (is_key(f[0].s, "limits"))
		note_limits(im, text);
	else if (is_key(f[0].s, "unknown_tags"))
		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_UNKNOWN_TAGS,
				  &(struct gaspdb_defect){
					  .count = strtoull(value, NULL, 10) });
	else if (is_key(f[0].s, "events_off"))
		im->reading.events_off = strtoull(value, NULL, 10);
	else if (is_key(f[0].s, "segments_left_out"))
		im->segments.left_out +=
			(uint64_t)gaspdb_size(strtoull(value, NULL, 10));
	else if (!insert_moment(im, f[0].s, value))
		insert_meta(im, key, value);
}

/* --- about the recording -------------------------------------------------- */

/* on ticks. A switch-on implies that recording was off; if damage lost the
   switch-off, since the damage. */
static void recording(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	const bool on = f[0].u;

	if (on && im->reading.perhaps_off)
		gaspdb_replay_off(im);
	im->reading.perhaps_off = false;
	gaspdb_stack_advance(&im->stack, gaspdb_replay_moment(im, f[1].u),
			     GASPDB_STEP_NORMAL);
	if (on)
		gaspdb_replay_on(im);
	else
		gaspdb_replay_off(im);
}

/* start ticks: the collector's own work, after the last event */
static void tool(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	int64_t start, end = gaspdb_replay_moment(im, f[1].u);

	gaspdb_stack_advance(&im->stack, gaspdb_replay_moment(im, f[0].u),
			     GASPDB_STEP_NORMAL);
	start = im->stack.now_ns;
	gaspdb_stack_advance(&im->stack, end, GASPDB_STEP_TOOL);
	im->reading.tool_ns += im->stack.now_ns - start;
	gaspdb_replay_gap(im, "tool", start, im->stack.now_ns);
}

/* team peer tag sends receives ticks: time of the first posting; 0: before
   recording was switched on */
static void passed(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	gaspdb_insert(
		im->store, GASPDB_INSERT_passed,
		GASPDB_VALUES(passed){
			[GASPDB_PASSED_THREAD] = gaspdb_int(im->reading.id),
			[GASPDB_PASSED_NS] =
				gaspdb_int(f[5].u ? gaspdb_replay_ns(im, f[5].u)
						  : im->reading.on_ns),
			[GASPDB_PASSED_TEAM] =
				gaspdb_int(gaspdb_team_id(&im->teams, f[0].u)),
			[GASPDB_PASSED_PEER] = gaspdb_int(
				gaspdb_thread_of_rank(&im->source, f[1].i)),
			[GASPDB_PASSED_TAG] = gaspdb_int(f[2].i),
			[GASPDB_PASSED_SENDS] = gaspdb_int(gaspdb_size(f[3].u)),
			[GASPDB_PASSED_RECEIVES] =
				gaspdb_int(gaspdb_size(f[4].u)) });
}

/* operation count: calls that were counted, not recorded */
static void counted(struct gaspdb_importer *im, enum gaspdb_quality_kind kind,
		    const struct gaspdb_field *f)
{
	const struct gaspdb_log_operation *o =
		gaspdb_definitions_operation(&im->definitions, f[0].u);

	gaspdb_defect_add(
		&im->quality, kind,
		&(struct gaspdb_defect){
			.count = (uint64_t)gaspdb_size(f[1].u),
			.detail = o ? gaspdb_text_get(&im->registry, o->name)
				    : NULL });
}

/* count reason */
static void lost(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	uint32_t reason = gaspdb_text_add(&im->registry, f[1].s);

	im->reading.lost_reported += (uint64_t)gaspdb_size(f[0].u);
	gaspdb_damage_lost(&im->quality, im->reading.thread->log,
			   im->reading.reader, f[0].u,
			   gaspdb_text_get(&im->registry, reason));
}

/* --- about the innermost open event --------------------------------------- */

/* The call that completes a request; NULL: an unrecorded one, because recording
   is off or no call is open. */
static struct gaspdb_frame *completing_call(struct gaspdb_importer *im,
					    uint64_t flags)
{
	return im->stack.off || !im->stack.n_runtime ||
			       (flags & GASPDB_COMPLETE_UNRECORDED)
		       ? NULL
		       : gaspdb_stack_top(&im->stack);
}

/* The innermost open event, of the runtime or of the user. */
static struct gaspdb_frame *innermost(const struct gaspdb_importer *im)
{
	struct gaspdb_frame *system = gaspdb_stack_top(&im->stack);
	struct gaspdb_frame *overlay = gaspdb_stack_overlay(&im->stack);

	if (system && overlay)
		return overlay->id > system->id ? overlay : system;
	return system ? system : overlay;
}

static void add_argument(struct gaspdb_importer *im, struct gaspdb_frame *frame,
			 struct gaspdb_text name, int64_t value)
{
	uint32_t id = gaspdb_argument_add(&im->registry, frame->operation->id,
					  false, name, 'i');

	gaspdb_argument_row(
		&im->arguments, frame->id, &frame->roles, id,
		(struct gaspdb_value){ .is = GASPDB_IS_INT, .i = value });
}

/* name value */
static void argument(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	struct gaspdb_frame *frame = innermost(im);

	if (frame)
		add_argument(im, frame, f[0].s, f[1].i);
}

/* message peer tag bytes ticks: the envelope found by a probe. ticks: time of
   an unrecorded probe; 0: the innermost call is the probe. */
static void probed(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	static const char tag[] = "tag";
	struct gaspdb_frame *frame = gaspdb_stack_top(&im->stack);

	if (f[4].u) {
		gaspdb_p2p_probed_unrecorded(&im->p2p,
					     gaspdb_replay_ns(im, f[4].u), f);
		return;
	}
	gaspdb_p2p_probed(&im->p2p, frame, f);
	if (!frame || frame->nested)
		return;
	frame->roles.have |= 1u << GASPDB_ROLE_peer;
	frame->roles.value[GASPDB_ROLE_peer] = f[1].i;
	add_argument(im, frame, (struct gaspdb_text){ tag, sizeof tag - 1 },
		     f[2].i);
}

/* --- records -------------------------------------------------------------- */

static void note_time(struct gaspdb_importer *im, uint64_t ticks)
{
	int64_t ns = gaspdb_replay_ns(im, ticks);

	if (ns > im->reading.last_record_ns)
		im->reading.last_record_ns = ns;
}

/* Replays a record about messages and requests, the most frequent ones; false:
   another. */
static bool take_message(struct gaspdb_importer *im, unsigned kind,
			 const struct gaspdb_field *f)
{
	switch (kind) {
	case GASPDB_RECORD_COMPLETE:
		gaspdb_p2p_complete(&im->p2p, completing_call(im, f[2].u), f);
		return true;
	case GASPDB_RECORD_REQUEST_START:
		gaspdb_p2p_request_start(&im->p2p, gaspdb_stack_top(&im->stack),
					 f);
		return true;
	case GASPDB_RECORD_REQUEST_MADE:
		gaspdb_p2p_request_made(&im->p2p, f);
		return true;
	case GASPDB_RECORD_REQUEST_FREE:
		gaspdb_p2p_request_free(&im->p2p, f[0].u);
		return true;
	case GASPDB_RECORD_PROBED:
		probed(im, f);
		return true;
	default:
		return false;
	}
}

/* Replays a record about the thread and its recording. */
static void take_rest(struct gaspdb_importer *im,
		      const struct gaspdb_record *rec,
		      const struct gaspdb_field *f)
{
	switch (rec->kind) {
	case GASPDB_RECORD_META:
		meta(im, rec, f);
		break;
	case GASPDB_RECORD_ARGUMENT:
		argument(im, f);
		break;
	case GASPDB_RECORD_CLOCK:
		note_time(im, f[0].u);
		break;
	case GASPDB_RECORD_RECORDING:
		recording(im, f);
		break;
	case GASPDB_RECORD_PASSED:
		passed(im, f);
		break;
	case GASPDB_RECORD_TOOL:
		tool(im, f);
		break;
	case GASPDB_RECORD_PROCESSOR:
		gaspdb_replay_processor(im, f);
		break;
	case GASPDB_RECORD_HEAP:
		gaspdb_replay_heap(im, f);
		break;
	case GASPDB_RECORD_NESTED:
		counted(im, GASPDB_QUALITY_NESTED, f);
		break;
	case GASPDB_RECORD_LEFT:
		gaspdb_stack_advance(&im->stack,
				     gaspdb_replay_moment(im, f[0].u),
				     GASPDB_STEP_NORMAL);
		gaspdb_replay_leave(im);
		break;
	case GASPDB_RECORD_MASKED:
		if (im->reading.size_limit) {
			counted(im, GASPDB_QUALITY_BEYOND_LIMIT, f);
			break;
		}
		im->reading.masked =
			gaspdb_plus(im->reading.masked, gaspdb_size(f[1].u));
		counted(im, GASPDB_QUALITY_MASKED, f);
		break;
	case GASPDB_RECORD_THROTTLED:
		gaspdb_replay_throttled(im, rec, f);
		break;
	case GASPDB_RECORD_LOST:
		lost(im, f);
		break;
	default: /* TEAM_FREE, REQUEST_CANCEL, TEAM_SEQUENCE: no table */
		break;
	}
}

/* Out of line: most OTHER records repeat definitions and need no fields. */
static __attribute__((noinline)) void
take_fields(struct gaspdb_importer *im, const struct gaspdb_record *rec)
{
	struct gaspdb_field fields[GASPDB_FIELDS_MAX];

	if (!gaspdb_record_known(rec->kind))
		gaspdb_tally(&im->reading.unknown_kind[rec->kind], rec);
	else if (!gaspdb_record_fields(rec, fields))
		gaspdb_replay_malformed(im, rec);
	else if (!take_message(im, rec->kind, fields) &&
		 !gaspdb_replay_definition(im, rec, fields))
		take_rest(im, rec, fields);
}

void gaspdb_replay_other(struct gaspdb_importer *im,
			 const struct gaspdb_record *rec)
{
	if (!gaspdb_define_again(&im->definitions, rec))
		take_fields(im, rec);
}
