/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of table event, and traffic, from the arguments of a call. */
#include "importer/replay/event_columns.h"

#include "common/copy_time.h"
#include "sql/sql.h"

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

void gaspdb_event_peer_and_object(struct gaspdb_importer *im,
				  const struct gaspdb_log_operation *o,
				  const struct gaspdb_roles *roles,
				  union gaspdb_event_row *row)
{
	row->peer = peer_of(im, o, roles);
	row->object = object_of(im, o, roles, row->id);
}

void gaspdb_event_traffic(struct gaspdb_importer *im, enum gaspdb_optype type,
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
