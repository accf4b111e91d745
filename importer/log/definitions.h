/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one log has defined so far: strings, operations with the plans of their
 * arguments, sites, modules.  Ids are the log's own.
 *
 * A log says again what it has defined (docs/log-format.md): the first
 * definition of an id holds, and one that says something else is told.
 *
 * What stands by id stands in arrays, as ids count from 1.  Those that no array
 * would hold in proportion to what is defined are far: they stand apart, for
 * good, and are looked for there when the arrays have nothing.
 *
 * Logs of one program define much the same.  So what the last log said is kept,
 * and where the next says it again under the same id, what was found out about
 * it holds.  Until then it is not defined.
 */
#ifndef GASPDB_IMPORTER_LOG_DEFINITIONS_H
#define GASPDB_IMPORTER_LOG_DEFINITIONS_H

#include "importer/log/reader.h"
#include "importer/run/registry.h"

/*
 * Arguments that mean something here, by name (collector/events/README.md).
 * COLUMN: it becomes a column of event and does not go to event_arg.
 */
#define GASPDB_ROLES(ROLE)                                             \
	ROLE(bytes, COLUMN)                                            \
	ROLE(peer, COLUMN)                                             \
	ROLE(object, COLUMN)                                           \
	ROLE(bytes_received, FURTHER)                                  \
	ROLE(limit, FURTHER)                                           \
	ROLE(posted_peer, FURTHER)                                     \
	ROLE(posted_tag, FURTHER)                                      \
	ROLE(receive_peer, FURTHER)                                    \
	ROLE(receive_tag, FURTHER)                                     \
	ROLE(tag, FURTHER)                                             \
	ROLE(team, FURTHER)                                            \
	ROLE(created, FURTHER)	 /* a team, too; */                    \
	ROLE(created_y, FURTHER) /* and a second one */                \
	ROLE(request, FURTHER)                                         \
	ROLE(message, FURTHER)                                         \
	ROLE(cancelled, FURTHER)                                       \
	ROLE(error, FURTHER)                                           \
	ROLE(source_thread, FURTHER) /* UPC: owner of what is read, */ \
	ROLE(target_thread, FURTHER) /* and of what is written */      \
	ROLE(object_high, FURTHER)   /* UPC: object is of 16 bytes, */ \
	ROLE(object_thread, FURTHER) /* and has an owner */            \
	ROLE(signature, FURTHER)     /* C_FUNC */                      \
	ROLE(address, FURTHER)	     /* memory: the block, in UPC */   \
	ROLE(address_high, FURTHER)  /* as an object; */               \
	ROLE(address_thread, FURTHER)                                  \
	ROLE(signal, FURTHER)	   /* an address as object is */       \
	ROLE(blocks, FURTHER)	   /* so many of */                    \
	ROLE(block_bytes, FURTHER) /* this size */                     \
	ROLE(line_bytes, FURTHER)  /* caches */                        \
	ROLE(dirty_lines, FURTHER)

enum gaspdb_role {
#define ROLE(name, where) GASPDB_ROLE_##name,
	GASPDB_ROLES(ROLE)
#undef ROLE
		GASPDB_N_ROLES,
	GASPDB_ROLE_none = GASPDB_N_ROLES
};

/* The arguments of one event: those that have a role. */
struct gaspdb_roles {
	uint32_t have;	/* bits 1 << role */
	uint8_t n_rows; /* in event_arg so far, of these and others */
	int64_t value[GASPDB_N_ROLES];
};

/* None so far: values are valid by their bits. */
static inline void gaspdb_roles_clear(struct gaspdb_roles *r)
{
	r->have = 0;
	r->n_rows = 0;
}

static inline bool gaspdb_has(const struct gaspdb_roles *r,
			      enum gaspdb_role role)
{
	return r->have >> role & 1;
}

/* GASPDB_NULL where it is not there. */
static inline int64_t gaspdb_role(const struct gaspdb_roles *r,
				  enum gaspdb_role role)
{
	return gaspdb_has(r, role) ? r->value[role] : GASPDB_NULL;
}

/* How an argument is read, found out once for all events. */
enum {
	GASPDB_ARG_SIGNED = 1, /* zigzag */
	GASPDB_ARG_LAST = 2,   /* and less the last one there, in this block */
	GASPDB_ARG_SIZE = 4,   /* its role's value has a limit */
	GASPDB_ARG_OTHER = 8   /* event_arg has something else than it */
};

struct gaspdb_plan {
	unsigned n;	   /* at most GASPDB_ARGUMENTS_MAX */
	unsigned left_out; /* beyond these */
	size_t capacity;
	struct gaspdb_plan_arg {
		uint32_t argument; /* argument.id; 0: not for event_arg */
		uint8_t role;
		uint8_t how;
		char code;
	} * arg;
};

#define GASPDB_OPERATION_TEXTS 8

struct gaspdb_frame;

struct gaspdb_log_operation {
	uint32_t log;  /* that defined it last */
	uint32_t id;   /* operation.id */
	uint32_t name; /* text */
	enum gaspdb_optype type;
	uint8_t category;
	bool overlay;  /* a user event: not on the system stack */
	bool function; /* user code, also inside the runtime */
	bool runtime;  /* a call of the runtime */
	bool prepares; /* persistent requests: their starts move the bytes */
	bool upc;      /* its objects are pointers-to-shared, not addresses */
	bool ends_all; /* UPC: the end of the program, before its last barrier
			*/
	struct gaspdb_frame *innermost; /* open event: stacks.c's */
	uint32_t n_open[2];		/* events, by nested: stacks.c's */
	uint32_t dropped;		/* starts that were too many to hold */
	struct gaspdb_plan plan[2];	/* START and ATOMIC; END */
	uint32_t texts[GASPDB_OPERATION_TEXTS]; /* that defined it */
};

struct gaspdb_log_site {
	/* What each event looks at stands together. */
	uint32_t known;	 /* log in which it and its operation are defined */
	uint32_t source; /* source.id; 0: not looked up yet */
	/* callpaths.c: its path below the one it was last called from; 0: none
	 */
	uint32_t path_parent, path;
	struct gaspdb_log_operation *operation; /* of that log, as these */
	uint32_t profile[2];   /* rollups.c's number plus 1, by nested */
	uint64_t block;	       /* for which last is valid, plus 1 */
	uint32_t last;	       /* index into the block's last values */
	uint32_t log;	       /* that defined it last */
	uint32_t operation_id; /* the log's */
	uint32_t of;   /* operation.id, if it was defined before; or 0 */
	uint32_t file; /* text */
	uint64_t line, column, address;
	uint64_t module; /* the log's; 0: the last one at address */
	uint32_t frame;	 /* the log's; 0: recorded without call stacks */
	bool by_address;
};

/* A frame of a call stack. */
struct gaspdb_log_frame {
	uint64_t address, module; /* as a site's */
	uint32_t caller;	  /* the log's; 0: outermost, or not recorded */
	uint32_t path;		  /* callpaths.c's; 0: not looked up yet */
};

struct gaspdb_log_module {
	uint64_t base, end, bias;
	uint64_t id;	 /* the log's; 0: it has none */
	uint32_t module; /* symbols.c's */
};

struct gaspdb_log_string {
	uint32_t text, log;
};

struct gaspdb_definitions {
	struct gaspdb_registry *registry;
	uint32_t log;			   /* running number, from 1 */
	struct gaspdb_log_string *strings; /* by id, as all of these */
	size_t string_capacity;
	struct gaspdb_log_operation **operations;
	size_t operation_capacity;
	struct gaspdb_log_site *sites;
	size_t site_capacity;
	size_t n_defined[GASPDB_RECORD_SITE + 1]; /* ids ever, by kind */
	struct gaspdb_map far_index;		  /* kind << 32 | id */
	union gaspdb_far {
		struct gaspdb_log_string string;
		struct gaspdb_log_operation *operation;
		struct gaspdb_log_site site;
	} * far;
	size_t far_capacity;
	struct gaspdb_map noted; /* TEAM, SEGMENT: by id, a checksum */
	uint32_t n_noted[2];	 /* segments, teams */
	struct gaspdb_log_module *modules;
	size_t n_modules, module_capacity;
	struct gaspdb_map frame_index; /* by id: in frames */
	struct gaspdb_log_frame *frames;
	size_t frame_capacity;
	/* Addresses count from the last in the block: arguments.c. */
	uint64_t *last;
	size_t n_last, last_capacity;
	uint64_t block; /* running number of the block, of all logs, from 1 */
};

void gaspdb_definitions_init(struct gaspdb_definitions *d,
			     struct gaspdb_registry *registry);
void gaspdb_definitions_free(struct gaspdb_definitions *d);
/* Another log begins: nothing is defined. */
void gaspdb_definitions_log(struct gaspdb_definitions *d);
/* A block begins. */
void gaspdb_definitions_block(struct gaspdb_definitions *d);

/* Take a definition: STRING, OPERATION, SITE, SITE_PC; fields as in
   log_format.h. */
enum gaspdb_defined {
	GASPDB_DEFINED,
	GASPDB_DEFINED_AGAIN, /* of what is kept elsewhere */
	GASPDB_CONTRADICTED,  /* the log has said something else of its id */
	GASPDB_NOT_DEFINED,   /* its id, or one that it names, is too large */
	GASPDB_LEFT_OUT	      /* the log has defined too many of its kind */
};
enum gaspdb_defined gaspdb_define(struct gaspdb_definitions *d, unsigned kind,
				  const struct gaspdb_field *fields);
/* Takes a FRAME. */
enum gaspdb_defined gaspdb_define_frame(struct gaspdb_definitions *d,
					const struct gaspdb_field *fields);
/* Take note of what is kept elsewhere: TEAM, SEGMENT.  A team may get a name
   later. */
enum gaspdb_defined gaspdb_define_noted(struct gaspdb_definitions *d,
					unsigned kind,
					const struct gaspdb_field *fields);
/* Most of what a log defines are strings and sites that the log before it
   defined alike: these are taken with one look.  false: it is another. */
bool gaspdb_define_string_again(struct gaspdb_definitions *d,
				const struct gaspdb_record *rec);
bool gaspdb_define_site_again(struct gaspdb_definitions *d,
			      const struct gaspdb_record *rec);
static inline bool gaspdb_define_again(struct gaspdb_definitions *d,
				       const struct gaspdb_record *rec)
{
	switch (rec->kind) {
	case GASPDB_RECORD_SITE:
		return gaspdb_define_site_again(d, rec);
	case GASPDB_RECORD_STRING:
		return gaspdb_define_string_again(d, rec);
	default:
		return false;
	}
}
/* Is all known that it takes from others?  If it was found ahead of its turn,
   and not, it may come once more with that. */
bool gaspdb_definable(const struct gaspdb_definitions *d, unsigned kind,
		      const struct gaspdb_field *fields);
/* Of very many the first are forgotten. */
void gaspdb_define_module(struct gaspdb_definitions *d,
			  const struct gaspdb_field *fields, uint32_t module);

/* NULL, or 0: not defined. */
struct gaspdb_log_operation *
gaspdb_definitions_operation(const struct gaspdb_definitions *d, uint64_t id);

/* The first time that an event of the log is at that site, or it is far. */
struct gaspdb_log_site *gaspdb_definitions_know(struct gaspdb_definitions *d,
						uint64_t id);

/* NULL: no event of the log was there yet, or it is far. */
static inline struct gaspdb_log_site *
gaspdb_definitions_known(const struct gaspdb_definitions *d, uint64_t id)
{
	return id < d->site_capacity && d->sites[id].known == d->log
		       ? &d->sites[id]
		       : NULL;
}

/* NULL: it or its operation is not defined. */
static inline struct gaspdb_log_site *
gaspdb_definitions_site(struct gaspdb_definitions *d, uint64_t id)
{
	struct gaspdb_log_site *site = gaspdb_definitions_known(d, id);

	return site ? site : gaspdb_definitions_know(d, id);
}

/* It will be asked for. */
static inline void gaspdb_definitions_expect(const struct gaspdb_definitions *d,
					     uint64_t id)
{
	if (id < d->site_capacity)
		__builtin_prefetch(&d->sites[id]);
}

uint32_t gaspdb_definitions_string(const struct gaspdb_definitions *d,
				   uint64_t id);
struct gaspdb_log_frame *
gaspdb_definitions_frame(const struct gaspdb_definitions *d, uint64_t id);
const struct gaspdb_log_module *
gaspdb_definitions_module(const struct gaspdb_definitions *d, uint64_t address);
/* By its id; 0: by address. */
const struct gaspdb_log_module *
gaspdb_definitions_module_of(const struct gaspdb_definitions *d, uint64_t id,
			     uint64_t address);

#endif
