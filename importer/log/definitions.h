/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions of one log: strings, operations with the plans of their
 * arguments, sites, modules. Ids are the log's own.
 *
 * A log repeats its definitions (docs/log-format.md). The first definition of
 * an id holds; a different one is reported as a contradiction.
 *
 * Definitions are stored in arrays by id, because ids count from 1. An id too
 * large for an array in proportion to the number of definitions is sparse: it
 * is stored in a hash table for good, and looked up there after the array.
 *
 * Logs of one program have nearly the same definitions. So the previous log's
 * definitions are cached with what they were resolved to, and become valid when
 * the next log repeats them under the same id.
 */
#ifndef GASPDB_IMPORTER_LOG_DEFINITIONS_H
#define GASPDB_IMPORTER_LOG_DEFINITIONS_H

#include "importer/log/reader.h"
#include "importer/run/registry.h"

/*
 * Roles: arguments whose meaning the importer knows, by name
 * (collector/events/README.md). COLUMN: a column of event, not a row of
 * event_arg.
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
	ROLE(blocks, FURTHER)	   /* number of blocks */              \
	ROLE(block_bytes, FURTHER) /* size of each */                  \
	ROLE(line_bytes, FURTHER)  /* caches */                        \
	ROLE(dirty_lines, FURTHER)                                     \
	ROLE(entity, COLUMN)	   /* the process's id of it; */       \
	ROLE(work, FURTHER)	   /* serial number in the process */  \
	ROLE(sequence, FURTHER) /* collectives: on its team */

enum gaspdb_role {
#define ROLE(name, where) GASPDB_ROLE_##name,
	GASPDB_ROLES(ROLE)
#undef ROLE
		GASPDB_N_ROLES,
	GASPDB_ROLE_none = GASPDB_N_ROLES
};

_Static_assert(GASPDB_N_ROLES <= 64, "a bit for each role");

/* The arguments of one event that have a role. */
struct gaspdb_roles {
	uint64_t have;	/* bits 1 << role: which are valid */
	uint8_t n_rows; /* rows in event_arg so sparse */
	int64_t value[GASPDB_N_ROLES];
};

/* Removes all arguments; values are valid only where their bit is set. */
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

/* An argument's value; GASPDB_NULL: not there. */
static inline int64_t gaspdb_role(const struct gaspdb_roles *r,
				  enum gaspdb_role role)
{
	return gaspdb_has(r, role) ? r->value[role] : GASPDB_NULL;
}

/* Flags of an argument in a plan: how it is decoded. */
enum {
	GASPDB_ARG_SIGNED = 1, /* zigzag */
	GASPDB_ARG_LAST = 2,   /* difference to the last value in the block */
	GASPDB_ARG_SIZE = 4,   /* a size: limited */
	GASPDB_ARG_OTHER = 8   /* event_arg holds another value */
};

struct gaspdb_plan {
	unsigned n;	   /* at most GASPDB_ARGUMENTS_MAX */
	unsigned left_out; /* arguments beyond these */
	size_t capacity;
	struct gaspdb_plan_arg {
		uint32_t argument; /* argument.id; 0: not for event_arg */
		uint8_t role;
		uint8_t how;
		char code;
	} * arg;
};

#define GASPDB_OPERATION_TEXTS 8
#define GASPDB_MODELS_MAX      8 /* of a thread; further ones are left out */

struct gaspdb_frame;

struct gaspdb_log_operation {
	uint32_t log;  /* last log that defined it */
	uint32_t id;   /* operation.id */
	uint32_t name; /* text */
	enum gaspdb_optype type;
	uint8_t category;
	bool overlay;  /* as a user event: not on the system stack */
	bool in_tree;  /* it has call paths */
	bool function; /* user code, also inside the runtime */
	bool runtime;  /* a call of the runtime */
	bool prepares; /* makes a persistent request: starts move bytes */
	bool upc;      /* its objects are pointers-to-shared, not addresses */
	bool maps; /* begins or hands over work for an entity */
	/* Of these: an end belongs to the innermost open start with
	   the same value of this argument.  GASPDB_ROLE_none: of the operation. */
	enum gaspdb_role pairs_by;
	bool ends_all; /* UPC: end of program, before its last barrier */
	struct gaspdb_frame *innermost; /* innermost open event: of stacks.c */
	uint32_t n_open[2];	    /* open events, by nested: of stacks.c */
	uint32_t dropped;	    /* starts beyond the stack's limit */
	struct gaspdb_plan plan[2]; /* of START and ATOMIC; of END */
	uint32_t texts[GASPDB_OPERATION_TEXTS]; /* that defined it */
};

struct gaspdb_log_site {
	/* The fields that each event needs come first, for the cache. */
	uint32_t known;	 /* log in which site and operation are resolved */
	uint32_t source; /* source.id; 0: not looked up yet */
	/* of callpaths.c: the last caller's path, and the path below it; 0:
	   none */
	uint32_t path_parent, path;
	struct gaspdb_log_operation
		*operation;    /* valid with `known`, as these */
	uint32_t profile[2];   /* number of rollups.c plus 1, by nested */
	uint64_t block;	       /* block for which `last` is valid */
	uint32_t last;	       /* index into the block's last values */
	uint32_t log;	       /* last log that defined it */
	uint32_t operation_id; /* the log's */
	uint32_t of;	       /* operation.id, if defined before; else 0 */
	uint32_t file, function; /* texts */
	uint64_t line, column, address;
	uint64_t module; /* the log's id; 0: the latest at address */
	uint32_t frame;	 /* the log's id; 0: recorded without call stacks */
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
	uint64_t id;	 /* the log's id; 0: none */
	uint32_t module; /* number of symbols.c */
};

struct gaspdb_log_string {
	uint32_t text, log;
};

struct gaspdb_definitions {
	struct gaspdb_registry *registry;
	uint32_t log;			   /* running number, from 1 */
	struct gaspdb_log_string *strings; /* by id, as the next ones */
	size_t string_capacity;
	struct gaspdb_log_operation **operations;
	size_t operation_capacity;
	struct gaspdb_log_site *sites;
	size_t site_capacity;
	size_t n_defined[GASPDB_RECORD_SITE +
			 1];		/* ids ever defined, by kind */
	struct gaspdb_map sparse_index; /* kind << 32 | id */
	union gaspdb_sparse_definition {
		struct gaspdb_log_string string;
		struct gaspdb_log_operation *operation;
		struct gaspdb_log_site site;
	} * sparse;
	size_t sparse_capacity;
	struct gaspdb_map noted; /* TEAM, SEGMENT: checksum by id */
	uint32_t n_noted[3];	 /* segments, teams, entities */
	struct gaspdb_log_module *modules;
	size_t n_modules, module_capacity;
	struct gaspdb_map frame_index; /* by id: in frames */
	struct gaspdb_log_frame *frames;
	size_t frame_capacity;
	/* Last addresses in the block: of arguments.c. */
	uint64_t *last;
	size_t n_last, last_capacity;
	uint64_t block; /* running number over all logs, from 1 */
	uint32_t models[GASPDB_MODELS_MAX]; /* texts: of the log's events */
	unsigned n_models;
};

void gaspdb_definitions_init(struct gaspdb_definitions *d,
			     struct gaspdb_registry *registry);
void gaspdb_definitions_free(struct gaspdb_definitions *d);
/* Begins another log: nothing is defined. */
void gaspdb_definitions_log(struct gaspdb_definitions *d);
/* Begins a block. */
void gaspdb_definitions_block(struct gaspdb_definitions *d);

/* Adds a definition: STRING, OPERATION, SITE, SITE_PC; fields as in
   log_format.h. */
enum gaspdb_defined {
	GASPDB_DEFINED,
	GASPDB_DEFINED_AGAIN, /* same as before: gaspdb_define_noted() */
	GASPDB_CONTRADICTED,  /* differs from the id's definition */
	GASPDB_NOT_DEFINED,   /* an id in it is too large */
	GASPDB_LEFT_OUT	      /* beyond the limit of its kind */
};
enum gaspdb_defined gaspdb_define(struct gaspdb_definitions *d, unsigned kind,
				  const struct gaspdb_field *fields);
/* Takes a FRAME. */
enum gaspdb_defined gaspdb_define_frame(struct gaspdb_definitions *d,
					const struct gaspdb_field *fields);
/* Checks a definition that is stored elsewhere: TEAM, SEGMENT. A later record
   may add a team's name. */
enum gaspdb_defined gaspdb_define_noted(struct gaspdb_definitions *d,
					unsigned kind,
					const struct gaspdb_field *fields);
/* Validates a string or a site that the previous log defined alike, as most
   are. A fast path: no fields are decoded. false: not the same. */
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
/* Are all definitions known that this one refers to? One found ahead of its
   turn is skipped otherwise: a later block may repeat both. */
bool gaspdb_definable(const struct gaspdb_definitions *d, unsigned kind,
		      const struct gaspdb_field *fields);
/* Adds a module; beyond the limit the oldest are forgotten. */
void gaspdb_define_module(struct gaspdb_definitions *d,
			  const struct gaspdb_field *fields, uint32_t module);

/* Definitions by id; NULL or 0: not defined. */
struct gaspdb_log_operation *
gaspdb_definitions_operation(const struct gaspdb_definitions *d, uint64_t id);

/* Resolves a site at its first event in the log, or with a sparse id. */
struct gaspdb_log_site *gaspdb_definitions_know(struct gaspdb_definitions *d,
						uint64_t id);

/* A resolved site; NULL: not resolved in this log, or a sparse id. */
static inline struct gaspdb_log_site *
gaspdb_definitions_known(const struct gaspdb_definitions *d, uint64_t id)
{
	return id < d->site_capacity && d->sites[id].known == d->log
		       ? &d->sites[id]
		       : NULL;
}

/* A site; NULL: it or its operation is not defined. */
static inline struct gaspdb_log_site *
gaspdb_definitions_site(struct gaspdb_definitions *d, uint64_t id)
{
	struct gaspdb_log_site *site = gaspdb_definitions_known(d, id);

	return site ? site : gaspdb_definitions_know(d, id);
}

/* Prefetches a site. */
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
/* A module by its id; id 0: by address. */
const struct gaspdb_log_module *
gaspdb_definitions_module_of(const struct gaspdb_definitions *d, uint64_t id,
			     uint64_t address);

#endif
