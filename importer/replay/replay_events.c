/* SPDX-License-Identifier: GPL-3.0-or-later */
/* START, END and ATOMIC records: from the log to rows of event. */
#include <string.h>

#include "common/copy_time.h"
#include "importer/replay/call_stacks.h"
#include "importer/replay/replay.h"
#include "sql/sql.h"

/* --- call sites ----------------------------------------------------------- */

static __attribute__((noinline)) void find_source(struct gaspdb_importer *im,
						  struct gaspdb_log_site *site)
{
	const struct gaspdb_place place = gaspdb_site_place(im, site);

	site->source =
		gaspdb_source_add(&im->registry, site->operation->id, &place);
}

static inline uint32_t source_of(struct gaspdb_importer *im,
				 struct gaspdb_log_site *site)
{
	if (!site->source)
		find_source(im, site);
	return site->source;
}

uint32_t gaspdb_replay_source(struct gaspdb_importer *im,
			      struct gaspdb_log_site *site)
{
	return source_of(im, site);
}

/* Names a user function by its event's signature. */
static void name_function(struct gaspdb_importer *im,
			  const struct gaspdb_log_operation *o, uint32_t source,
			  const struct gaspdb_roles *roles)
{
	if (o->function && gaspdb_has(roles, GASPDB_ROLE_signature))
		gaspdb_source_function(
			&im->registry, source,
			gaspdb_definitions_string(
				&im->definitions,
				(uint64_t)roles->value[GASPDB_ROLE_signature]));
}

/* --- columns -------------------------------------------------------------- */

/* Argument with the peer: UPC reports the owners of source and target. */
static enum gaspdb_role peer_role(const struct gaspdb_log_operation *o,
				  const struct gaspdb_roles *roles)
{
	if (gaspdb_has(roles, GASPDB_ROLE_peer))
		return GASPDB_ROLE_peer;
	if (o->type == GASPDB_OPTYPE_get || o->type == GASPDB_OPTYPE_get_nb)
		return GASPDB_ROLE_source_thread;
	return o->type == GASPDB_OPTYPE_put || o->type == GASPDB_OPTYPE_put_nb
		       ? GASPDB_ROLE_target_thread
		       : GASPDB_ROLE_peer;
}

static int64_t peer_of(const struct gaspdb_importer *im,
		       const struct gaspdb_log_operation *o,
		       const struct gaspdb_roles *roles)
{
	return gaspdb_thread_of_rank(&im->source,
				     gaspdb_role(roles, peer_role(o, roles)));
}

/* Object of a pointer-to-shared, given by up to three arguments. */
static int64_t pointer_of(struct gaspdb_importer *im,
			  const struct gaspdb_roles *roles,
			  enum gaspdb_role low, enum gaspdb_role high,
			  enum gaspdb_role thread)
{
	const struct gaspdb_pointer p = {
		.low = (uint64_t)roles->value[low],
		.high = gaspdb_has(roles, high) ? (uint64_t)roles->value[high]
						: 0,
		.thread = gaspdb_role(roles, thread),
	};

	return gaspdb_object_of_pointer(&im->segments, &p);
}

/* Object of a block that is allocated or freed. */
static int64_t block_of(struct gaspdb_importer *im,
			const struct gaspdb_log_operation *o,
			const struct gaspdb_roles *roles)
{
	const int64_t address = roles->value[GASPDB_ROLE_address];

	if (o->upc)
		return pointer_of(im, roles, GASPDB_ROLE_address,
				  GASPDB_ROLE_address_high,
				  GASPDB_ROLE_address_thread);
	return address ? (address & (GASPDB_OBJECT_PRIVATE - 1)) |
				 GASPDB_OBJECT_PRIVATE
		       : GASPDB_NULL;
}

static int64_t entity_of(struct gaspdb_importer *im,
			 const struct gaspdb_roles *roles, int64_t event)
{
	const int64_t entity = gaspdb_entity_id(
		&im->entities, (uint64_t)roles->value[GASPDB_ROLE_entity]);

	if (entity == GASPDB_NULL && !im->reading.unknown_entity.count++)
		im->reading.unknown_entity.event = event;
	return entity;
}

static int64_t object_of(struct gaspdb_importer *im,
			 const struct gaspdb_log_operation *o,
			 const struct gaspdb_roles *roles, int64_t event)
{
	uint64_t address;
	int64_t object;

	if (gaspdb_has(roles, GASPDB_ROLE_entity))
		return entity_of(im, roles, event);
	if (!gaspdb_has(roles, GASPDB_ROLE_object))
		return gaspdb_has(roles, GASPDB_ROLE_address) &&
				       o->category == GASPDB_CATEGORY_allocation
			       ? block_of(im, o, roles)
			       : GASPDB_NULL;
	address = (uint64_t)roles->value[GASPDB_ROLE_object];
	if (o->upc)
		return pointer_of(im, roles, GASPDB_ROLE_object,
				  GASPDB_ROLE_object_high,
				  GASPDB_ROLE_object_thread);
	object = gaspdb_object_at(&im->segments, &im->definitions, address);
	/* Unknown lock objects are reported by the pass for locks. */
	if (object == GASPDB_NULL && address && o->type != GASPDB_OPTYPE_lock &&
	    o->type != GASPDB_OPTYPE_lock_attempt &&
	    o->type != GASPDB_OPTYPE_unlock &&
	    !im->reading.unknown_object.count++)
		im->reading.unknown_object.event = event;
	return object;
}

/* Product of sizes, limited. */
static int64_t product(int64_t a, int64_t b)
{
	int64_t bytes;

	if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &bytes))
		return GASPDB_BYTES_MAX;
	return gaspdb_size((uint64_t)bytes);
}

static int64_t bytes_of(const struct gaspdb_log_operation *o,
			const struct gaspdb_roles *roles)
{
	if (o->prepares)
		return GASPDB_NULL;
	if (gaspdb_has(roles, GASPDB_ROLE_bytes))
		return roles->value[GASPDB_ROLE_bytes];
	if (gaspdb_has(roles, GASPDB_ROLE_blocks) &&
	    gaspdb_has(roles, GASPDB_ROLE_block_bytes))
		return product(roles->value[GASPDB_ROLE_blocks],
			       roles->value[GASPDB_ROLE_block_bytes]);
	/* Bytes that these complete count in the calls that posted them. */
	return o->type == GASPDB_OPTYPE_wait || o->type == GASPDB_OPTYPE_test
		       ? 0
		       : GASPDB_NULL;
}

/* --- roll-ups ------------------------------------------------------------- */

static void add_traffic(struct gaspdb_importer *im, enum gaspdb_optype type,
			const struct gaspdb_roles *roles,
			const union gaspdb_event_row *row)
{
	struct gaspdb_rollups *r = &im->rollups;
	const uint32_t source = (uint32_t)row->source;
	const int64_t ns = row->duration_ns;

	switch (type) {
	case GASPDB_OPTYPE_get:
	case GASPDB_OPTYPE_get_nb:
		gaspdb_traffic_add(r, row->peer, source, GASPDB_GET, row->bytes,
				   ns);
		break;
	case GASPDB_OPTYPE_put:
	case GASPDB_OPTYPE_put_nb:
		gaspdb_traffic_add(r, row->peer, source, GASPDB_PUT, row->bytes,
				   ns);
		break;
	case GASPDB_OPTYPE_atomic:
	case GASPDB_OPTYPE_atomic_fetch:
		gaspdb_traffic_add(r, row->peer, source, GASPDB_ATOMIC,
				   row->bytes, ns);
		break;
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
	case GASPDB_OPTYPE_send_receive:
		gaspdb_traffic_add(r, row->peer, source, GASPDB_SEND,
				   row->bytes, ns);
		break;
	case GASPDB_OPTYPE_copy:
	case GASPDB_OPTYPE_copy_nb:
		gaspdb_traffic_add(
			r,
			gaspdb_thread_of_rank(
				&im->source,
				gaspdb_role(roles, GASPDB_ROLE_source_thread)),
			source, GASPDB_GET, row->bytes, gaspdb_copy_get_ns(ns));
		gaspdb_traffic_add(
			r,
			gaspdb_thread_of_rank(
				&im->source,
				gaspdb_role(roles, GASPDB_ROLE_target_thread)),
			source, GASPDB_PUT, row->bytes, gaspdb_copy_put_ns(ns));
		break;
	default:
		break;
	}
}

/* Fills the columns that come from the arguments. */
static inline void fill_row(struct gaspdb_importer *im,
			    const struct gaspdb_log_operation *o,
			    const struct gaspdb_roles *roles,
			    union gaspdb_event_row *row)
{
	row->bytes = bytes_of(o, roles);
	if (row->bytes == GASPDB_BYTES_MAX && !im->reading.too_large.count++)
		im->reading.too_large.event = row->id;
	row->peer = row->object = GASPDB_NULL;
	if (!roles->have)
		return;
	row->peer = peer_of(im, o, roles);
	row->object = object_of(im, o, roles, row->id);
}

/* Completes an event's row and its roll-ups. Inlined, as begin_call() and
   end_call(): calls would be a tenth of the time for an event. */
static inline __attribute__((always_inline)) void
finish_row(struct gaspdb_importer *im, const struct gaspdb_log_operation *o,
	   const struct gaspdb_roles *roles, uint32_t profile, uint32_t path,
	   union gaspdb_event_row *row)
{
	row->thread = im->reading.id;
	im->of_type[o->type]++;
	fill_row(im, o, roles, row);
	if (o->overlay)
		row->self_ns = row->parent = GASPDB_NULL;
	gaspdb_event_rows_end(&im->rows, row);
	gaspdb_profile_end(&im->rollups, profile, row);
	if (path)
		gaspdb_path_end(&im->paths, path, row);
	if (!row->nested && roles->have)
		add_traffic(im, o->type, roles, row);
	if (o->type == GASPDB_OPTYPE_cache)
		gaspdb_cache_use_add(&im->cache, roles, row);
}

/* Starts an event in the profile of its site; returns the profile's number. */
static inline uint32_t start_profile(struct gaspdb_importer *im,
				     struct gaspdb_log_site *site, bool nested)
{
	uint32_t *known = &site->profile[nested];

	if (!*known)
		*known = gaspdb_profile_number(&im->rollups, site->source,
					       nested) +
			 1;
	gaspdb_profile_start(&im->rollups, *known - 1);
	return *known - 1;
}

/* --- regions -------------------------------------------------------------- */

/* Time of computation of the thread so far. */
static int64_t computed_ns(const struct gaspdb_importer *im)
{
	return im->stack.category_ns[GASPDB_CATEGORY_computation];
}

static void enter_region(struct gaspdb_importer *im, struct gaspdb_frame *f)
{
	f->region = gaspdb_region_start(&im->regions, f->operation, f->source);
	f->computed_ns = computed_ns(im);
}

static void leave_region(struct gaspdb_importer *im,
			 const struct gaspdb_frame *f)
{
	const int64_t ns = computed_ns(im) - f->computed_ns;

	gaspdb_region_end(&im->regions, f->region,
			  im->stack.now_ns - f->start_ns, ns);
	if (f->path)
		gaspdb_path_computation(&im->paths, f->path, ns);
}

/* --- start ---------------------------------------------------------------- */

/* Path of the enclosing call: of the open event that began last, else of the
   functions that made the call. User events have no call stacks: a call with
   one is below them only if a system event is. */
static inline uint32_t parent_path(struct gaspdb_importer *im,
				   const struct gaspdb_frame *top,
				   const struct gaspdb_log_site *site)
{
	const struct gaspdb_frame *overlay = gaspdb_stack_overlay(&im->stack);

	if (!top && site->frame)
		return gaspdb_call_stack_path(im, site);
	while (overlay && !overlay->operation->in_tree)
		overlay = overlay->below;
	if (overlay && (!top || overlay->id > top->id))
		top = overlay;
	return top ? top->path : 0;
}

/* Fills the new frame f; parent: path of the enclosing call. */
static inline __attribute__((always_inline)) void
begin_call(struct gaspdb_importer *im, const struct gaspdb_record *rec,
	   struct gaspdb_log_site *site, uint32_t parent,
	   struct gaspdb_frame *f)
{
	const struct gaspdb_log_operation *o = site->operation;

	f->id = gaspdb_event_rows_start(&im->rows, f->start_ns);
	f->source = source_of(im, site);
	gaspdb_arguments(&im->definitions, site, rec, f->id, &f->roles,
			 &im->arguments);
	name_function(im, o, f->source, &f->roles);
	f->profile = start_profile(im, site, f->nested);
	if (o->in_tree) {
		f->path =
			gaspdb_path_start(&im->paths, parent, site, f->profile);
		gaspdb_call_stack_note(im, site, f->id, f->path);
	}
	if (gaspdb_is_region(o))
		enter_region(im, f);
	gaspdb_p2p_start(&im->p2p, f);
}

/* Ends of work for entities are looked for: only so many are open. */
static bool has_too_many(const struct gaspdb_log_operation *o)
{
	return o->pairs_by != GASPDB_ROLE_none &&
	       o->n_open[false] + o->n_open[true] >= GASPDB_ENTITIES_OPEN_MAX;
}

static void start(struct gaspdb_importer *im, const struct gaspdb_record *rec,
		  struct gaspdb_log_site *site)
{
	struct gaspdb_log_operation *o = site->operation;
	const struct gaspdb_frame *top = gaspdb_stack_top(&im->stack);
	const uint32_t parent = parent_path(im, top, site);
	struct gaspdb_frame *f =
		has_too_many(o) ? NULL : gaspdb_stack_push(&im->stack, o);

	if (!f) {
		o->dropped++;
		gaspdb_tally(&im->reading.too_deep, rec);
		return;
	}
	begin_call(im, rec, site, parent, f);
}

static void end_all(struct gaspdb_importer *im, const struct gaspdb_record *rec,
		    struct gaspdb_log_site *site)
{
	start(im, rec, site);
	gaspdb_replay_begin_ending(im, site->operation->innermost, true);
}

/* --- end ------------------------------------------------------------------ */

static void note_open(struct gaspdb_importer *im,
		      const union gaspdb_event_row *row)
{
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_OPEN_EVENT,
			  &(struct gaspdb_defect){
				  .event = row->id,
				  .time_ns = (uint64_t)row->duration_ns });
}

/* Counts f's time as enclosed, if another call of its operation with the same
   `nested` is open. */
static void close_within(struct gaspdb_importer *im,
			 const struct gaspdb_frame *f)
{
	if (f->operation->n_open[f->nested] > 1)
		gaspdb_profile_within(&im->rollups, f->profile,
				      im->stack.now_ns - f->start_ns);
}

/* Ends f, already removed from the stack; returns its row. */
static inline __attribute__((always_inline)) const union gaspdb_event_row *
end_call(struct gaspdb_importer *im, struct gaspdb_frame *f, int64_t parent,
	 bool open)
{
	union gaspdb_event_row *row = gaspdb_event_rows_at(&im->rows, f->id);

	row->id = f->id;
	row->source = f->source;
	row->parent = parent;
	row->start_ns = f->start_ns;
	row->duration_ns = im->stack.now_ns - f->start_ns;
	row->self_ns = f->self_ns;
	row->nested = f->nested;
	row->open = open;
	gaspdb_profile_pair(&im->rollups, f->profile, f->halves, f->settled_ns);
	finish_row(im, f->operation, &f->roles, f->profile, f->path, row);
	/* p2p may add bytes to the row */
	gaspdb_p2p_end(&im->p2p, f, im->stack.now_ns, open);
	gaspdb_stack_release(&im->stack, f);
	return row;
}

void gaspdb_replay_close(struct gaspdb_importer *im, struct gaspdb_frame *f,
			 bool open)
{
	const union gaspdb_event_row *row;
	int64_t parent;
	bool crossed;

	if (gaspdb_is_region(f->operation))
		leave_region(im, f);
	if (f->outer)
		close_within(im, f);
	gaspdb_stack_remove(&im->stack, f, &parent, &crossed);
	row = end_call(im, f, parent, open);
	if (open && !im->reading.is_rest)
		note_open(im, row);
	if (crossed && !im->reading.crossed.count++)
		im->reading.crossed.event = row->id;
}

/* An END record without a START. */
static void end_alone(struct gaspdb_importer *im,
		      const struct gaspdb_record *rec,
		      struct gaspdb_log_site *site)
{
	struct gaspdb_roles ignored;

	if (site->operation->dropped > 0)
		site->operation->dropped--;
	else
		gaspdb_defect_add(&im->quality,
				  GASPDB_QUALITY_END_WITHOUT_START,
				  &(struct gaspdb_defect){
					  .file = im->reading.thread->log->name,
					  .offset = rec->offset });
	/* Addresses are differences, so that each must be decoded. */
	gaspdb_roles_clear(&ignored);
	gaspdb_arguments(&im->definitions, site, rec, 0, &ignored, NULL);
}

/* The open event that an end belongs to; NULL: none. */
static struct gaspdb_frame *begun_by(struct gaspdb_importer *im,
				     const struct gaspdb_record *rec,
				     struct gaspdb_log_site *site)
{
	const struct gaspdb_log_operation *o = site->operation;
	struct gaspdb_frame *f = o->innermost;
	struct gaspdb_roles given;

	if (o->pairs_by == GASPDB_ROLE_none)
		return f;
	gaspdb_roles_clear(&given);
	gaspdb_arguments(&im->definitions, site, rec, 0, &given, NULL);
	if (!gaspdb_has(&given, o->pairs_by))
		return f;
	while (f && gaspdb_role(&f->roles, o->pairs_by) !=
			    gaspdb_role(&given, o->pairs_by))
		f = f->outer;
	return f;
}

static void end(struct gaspdb_importer *im, const struct gaspdb_record *rec,
		struct gaspdb_log_site *site)
{
	const struct gaspdb_log_operation *o = site->operation;
	struct gaspdb_frame *f = begun_by(im, rec, site);

	if (!f || (o->dropped > 0 && o->pairs_by == GASPDB_ROLE_none)) {
		end_alone(im, rec, site);
		return;
	}
	gaspdb_arguments(&im->definitions, site, rec, f->id, &f->roles,
			 &im->arguments);
	if (!o->ends_all || !gaspdb_replay_begin_ending(im, f, false))
		gaspdb_replay_close(im, f, false);
}

/* Fast path for a START directly followed by its END, which leaves the stack
   unchanged. false: not such a pair. */
static bool take_pair(struct gaspdb_importer *im,
		      const struct gaspdb_record *rec,
		      struct gaspdb_log_site *site)
{
	const struct gaspdb_record *end = rec + 1;
	const struct gaspdb_frame *top = gaspdb_stack_top(&im->stack);
	const uint64_t ticks = im->reading.ticks + end->ticks;
	const int64_t end_ns = gaspdb_replay_ns(im, ticks);
	struct gaspdb_frame *f;

	if (site->operation->ends_all ||
	    !gaspdb_stack_holds_none(&im->stack, site->operation, end_ns))
		return false;
	f = gaspdb_stack_pass(&im->stack, site->operation);
	begin_call(im, rec, site, parent_path(im, top, site), f);
	im->reading.ticks = ticks;
	im->reading.raw_events++;
	gaspdb_stack_passed(&im->stack, f, end_ns);
	gaspdb_arguments(&im->definitions, site, end, f->id, &f->roles,
			 &im->arguments);
	f->halves = 2;
	end_call(im, f, top ? top->id : GASPDB_NULL, false);
	return true;
}

/* --- atomic --------------------------------------------------------------- */

static void atomic(struct gaspdb_importer *im, const struct gaspdb_record *rec,
		   struct gaspdb_log_site *site)
{
	const struct gaspdb_log_operation *o = site->operation;
	const struct gaspdb_frame *top = gaspdb_stack_top(&im->stack);
	const int64_t now_ns = im->stack.now_ns;
	const int64_t id = gaspdb_event_rows_start(&im->rows, now_ns);
	union gaspdb_event_row *row = gaspdb_event_rows_at(&im->rows, id);
	struct gaspdb_roles roles;
	uint32_t profile, path = 0;

	*row = (union gaspdb_event_row){
		.id = id,
		.source = source_of(im, site),
		.parent = top ? top->id : GASPDB_NULL,
		.start_ns = now_ns,
		.nested = gaspdb_stack_nested(&im->stack, o),
	};
	gaspdb_roles_clear(&roles);
	gaspdb_arguments(&im->definitions, site, rec, id, &roles,
			 &im->arguments);
	name_function(im, o, site->source, &roles);
	profile = start_profile(im, site, row->nested);
	if (o->in_tree) {
		path = gaspdb_path_start(&im->paths, parent_path(im, top, site),
					 site, profile);
		gaspdb_call_stack_note(im, site, id, path);
	}
	finish_row(im, o, &roles, profile, path, row);
}

/* --- events --------------------------------------------------------------- */

/*
 * Assigns the cost of recording one event, of which half comes before its clock
 * reading and half after it. The first half counts in the self time of the call
 * that was innermost before the event, the second in that of the call innermost
 * after it. So a pair has the cost of one event inside.
 */
static inline void share_cost(struct gaspdb_importer *im)
{
	struct gaspdb_frame *top = gaspdb_stack_top(&im->stack);

	if (top)
		top->halves++;
}

static void note_backwards(struct gaspdb_importer *im,
			   const struct gaspdb_record *rec, int64_t back_ns)
{
	gaspdb_tally(&im->reading.backwards, rec);
	if (back_ns > im->reading.backwards.time_ns)
		im->reading.backwards.time_ns = back_ns;
}

static inline bool is_pair(const struct gaspdb_record *rec, size_t left)
{
	return left > 1 && rec->phase == GASPDB_PHASE_START &&
	       rec[1].phase == GASPDB_PHASE_END && rec[1].site == rec->site;
}

/* Replays the next event of `left` records, or a pair; returns their number. */
static inline size_t take_event(struct gaspdb_importer *im,
				const struct gaspdb_record *rec, size_t left)
{
	struct gaspdb_log_site *site =
		gaspdb_definitions_site(&im->definitions, rec->site);
	size_t n = 1;
	int64_t ns;

	im->reading.ticks += rec->ticks;
	im->reading.raw_events++;
	ns = gaspdb_replay_ns(im, im->reading.ticks);
	if (ns < im->stack.now_ns)
		note_backwards(im, rec, im->stack.now_ns - ns);
	gaspdb_stack_step(&im->stack, ns);
	share_cost(im);
	if (im->reading.ending)
		gaspdb_replay_ending(im, false);
	if (!site)
		gaspdb_tally(&im->reading.unknown_site, rec);
	else if (is_pair(rec, left) && take_pair(im, rec, site))
		n = 2;
	else if (rec->phase == GASPDB_PHASE_START)
		start(im, rec, site);
	else if (rec->phase == GASPDB_PHASE_END)
		end(im, rec, site);
	else if (!site->operation->ends_all)
		atomic(im, rec, site);
	else
		end_all(im, rec, site);
	share_cost(im);
	return n;
}

/* Prefetches the data of sites some records ahead, because the data of all
   sites exceed the cache. A site is fetched before the sums it refers to. */
static inline void expect(struct gaspdb_importer *im,
			  const struct gaspdb_record *rec, size_t left)
{
	enum { SITE = 8, SUMS = 4 };
	const struct gaspdb_log_site *site;

	if (left <= SITE)
		return;
	gaspdb_definitions_expect(&im->definitions, rec[SITE].site);
	site = gaspdb_definitions_known(&im->definitions, rec[SUMS].site);
	if (!site)
		return;
	gaspdb_profile_prefetch(&im->rollups, site->profile[0]);
	gaspdb_path_prefetch(&im->paths, site->path);
}

void gaspdb_replay_records(struct gaspdb_importer *im,
			   const struct gaspdb_records *records)
{
	const struct gaspdb_record *rec = records->record;
	size_t left = records->n, n;

	for (; left > 0; left -= n, rec += n) {
		expect(im, rec, left);
		n = 1;
		if (rec->phase == GASPDB_PHASE_OTHER)
			gaspdb_replay_other(im, rec);
		else
			n = take_event(im, rec, left);
	}
}
