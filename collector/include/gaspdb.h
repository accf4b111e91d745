/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gaspdb's functions for programs: the run directory, and the mapping of time
 * to what the program works on.  Phases, marks and measurement control: pupc.h.
 *
 * Every symbol is weak.  A program that is not linked with libgaspdb runs with
 * and without `gaspdb record` (not position-independent code, -fno-pie, finds
 * the functions only if it is linked); without it gaspdb_entity_create() returns 0, and
 * each call with a handle of 0 returns at once, inline.  GASPDB_NO_PUPC, which
 * `gaspcc` without --inst defines, leaves no symbol of the mapping.
 */
#ifndef GASPDB_H
#define GASPDB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Absolute path of the run directory; NULL: this process is not recorded. */
const char *gaspdb_run_directory(void) __attribute__((weak));

/*
 * --- mapping ----------------------------------------------------------------
 *
 * Entities are what the program works on: faces of a cube, statements, tasks.
 * Between gaspdb_entity_begin() and gaspdb_entity_end() a thread's time is the
 * entity's; of several that are open the one begun last gets it.
 * docs/mapping.md is the introduction.
 *
 * All functions may be called by any thread at any time, in signal handlers
 * too. They keep errno.  Texts are copied; the caller owns what it passes.
 * Errors: 0, or no effect.  Nothing has to be freed: entities live as long as
 * the process, and a forked child has its parent's.
 */

/* Handle of an entity or a mix; 0: none.  The same in all threads of the
   process, and in no other process.  The embedded association is a member of
   this type in the object. */
typedef uint32_t gaspdb_entity_t;

/* Piece of work that was handed over; 0: none. */
typedef uint64_t gaspdb_work_t;

#define GASPDB_MIX_MAX		64	/* entities of a mix */
#define GASPDB_ENTITY_DEPTH_MAX 64	/* of the tree of entities */
#define GASPDB_ENTITY_MAX	1048575 /* entities and mixes of a process */
#define GASPDB_ENTITY_KIND_MAX	127	/* bytes; longer texts are cut */
#define GASPDB_ENTITY_NAME_MAX	1023

#if (defined(GASPDB_NO_PUPC) && !defined(__UPC_PUPC__)) || \
	defined(GASPDB_NO_MAPPING)

#define GASPDB_NO_MAPPING_INLINE static inline __attribute__((always_inline))

GASPDB_NO_MAPPING_INLINE gaspdb_entity_t
gaspdb_entity_create(const char *kind, const char *name, gaspdb_entity_t parent)
{
	(void)kind, (void)name, (void)parent;
	return 0;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_entity_int(gaspdb_entity_t entity,
						const char *key, int64_t value)
{
	(void)entity, (void)key, (void)value;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_entity_real(gaspdb_entity_t entity,
						 const char *key, double value)
{
	(void)entity, (void)key, (void)value;
}

GASPDB_NO_MAPPING_INLINE void
gaspdb_entity_text(gaspdb_entity_t entity, const char *key, const char *value)
{
	(void)entity, (void)key, (void)value;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_associate(const void *space, uint64_t key,
					       gaspdb_entity_t entity)
{
	(void)space, (void)key, (void)entity;
}

GASPDB_NO_MAPPING_INLINE gaspdb_entity_t gaspdb_associated(const void *space,
							   uint64_t key)
{
	(void)space, (void)key;
	return 0;
}

GASPDB_NO_MAPPING_INLINE gaspdb_entity_t gaspdb_entity_mix(
	size_t n, const gaspdb_entity_t *entities, const double *weights)
{
	(void)n, (void)entities, (void)weights;
	return 0;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_entity_begin(gaspdb_entity_t entity)
{
	(void)entity;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_entity_end(gaspdb_entity_t entity)
{
	(void)entity;
}

GASPDB_NO_MAPPING_INLINE gaspdb_work_t gaspdb_work_put(gaspdb_entity_t entity)
{
	(void)entity;
	return 0;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_work_begin(gaspdb_work_t work)
{
	(void)work;
}

GASPDB_NO_MAPPING_INLINE void gaspdb_work_end(gaspdb_work_t work)
{
	(void)work;
}

#else

#define GASPDB_MAPPING_WEAK __attribute__((weak))

/*
 * The entity of this kind, name and parent (0: outermost), made at the first
 * call: the same triple has the same handle.  Processes have the same entity
 * where kind, name and the parent's are the same.  kind groups entities of a
 * sort ("face"); NULL is "".  0: the process is not recorded; the parent is no
 * entity, or GASPDB_ENTITY_DEPTH_MAX deep; there are GASPDB_ENTITY_MAX; there
 * is no memory.
 */
gaspdb_entity_t
gaspdb_entity_create(const char *kind, const char *name,
		     gaspdb_entity_t parent) GASPDB_MAPPING_WEAK;

/* Sets an attribute of an entity, by which analyses group and select.  Set
   again, the process's last value holds. */
void gaspdb_entity_int(gaspdb_entity_t entity, const char *key,
		       int64_t value) GASPDB_MAPPING_WEAK;
void gaspdb_entity_real(gaspdb_entity_t entity, const char *key,
			double value) GASPDB_MAPPING_WEAK;
void gaspdb_entity_text(gaspdb_entity_t entity, const char *key,
			const char *value) GASPDB_MAPPING_WEAK;

/*
 * The external association: notes the entity of an object that cannot hold the
 * handle.  space: any address that names the set of keys, as of a static
 * variable; NULL for objects by their address.  key: the object's address, or
 * number.  A later call replaces the entity; entity 0 removes it, which an
 * object that is freed needs.
 */
void gaspdb_associate(const void *space, uint64_t key,
		      gaspdb_entity_t entity) GASPDB_MAPPING_WEAK;
/* The entity of a key; 0: none.  Takes no lock. */
gaspdb_entity_t gaspdb_associated(const void *space,
				  uint64_t key) GASPDB_MAPPING_WEAK;

/*
 * A mix of n entities, 1 to GASPDB_MIX_MAX, no mixes: one-to-many.  It begins
 * and ends as an entity does, and each of them gets its share of the cost, by
 * weights (not negative, some positive; NULL: equal shares), to 32 bits.  The
 * same mix has the same handle.  0: as in gaspdb_entity_create(), or a wrong
 * argument.
 */
gaspdb_entity_t gaspdb_entity_mix(size_t n, const gaspdb_entity_t entities[],
				  const double weights[]) GASPDB_MAPPING_WEAK;

/*
 * The calling thread begins and ends to work for an entity or a mix.  Begins
 * nest, and may cross: an end belongs to the thread's last open begin of the
 * same handle.  What is open at the thread's end ends there.
 */
void gaspdb_entity_begin(gaspdb_entity_t entity) GASPDB_MAPPING_WEAK;
void gaspdb_entity_end(gaspdb_entity_t entity) GASPDB_MAPPING_WEAK;

/*
 * The hand-over of work: put where it is made, begin and end where it runs, on
 * any thread of the process.  Between begin and end the time is that of the
 * entity or mix of put; what passes from put to the first begin is the time
 * queued.  Work may begin several times, on several threads.
 */
gaspdb_work_t gaspdb_work_put(gaspdb_entity_t entity) GASPDB_MAPPING_WEAK;
void gaspdb_work_begin(gaspdb_work_t work) GASPDB_MAPPING_WEAK;
void gaspdb_work_end(gaspdb_work_t work) GASPDB_MAPPING_WEAK;

#ifndef GASPDB_MAPPING_NOT_INLINE

/* Without recording there may be no function behind a name. */
#define GASPDB_MAPPING_INLINE static inline __attribute__((always_inline))

GASPDB_MAPPING_INLINE gaspdb_entity_t gaspdb_entity_create_(
	const char *kind, const char *name, gaspdb_entity_t parent)
{
	return gaspdb_entity_create ? gaspdb_entity_create(kind, name, parent)
				    : 0;
}

GASPDB_MAPPING_INLINE void gaspdb_entity_int_(gaspdb_entity_t entity,
					      const char *key, int64_t value)
{
	if (entity)
		gaspdb_entity_int(entity, key, value);
}

GASPDB_MAPPING_INLINE void gaspdb_entity_real_(gaspdb_entity_t entity,
					       const char *key, double value)
{
	if (entity)
		gaspdb_entity_real(entity, key, value);
}

GASPDB_MAPPING_INLINE void
gaspdb_entity_text_(gaspdb_entity_t entity, const char *key, const char *value)
{
	if (entity)
		gaspdb_entity_text(entity, key, value);
}

GASPDB_MAPPING_INLINE void gaspdb_associate_(const void *space, uint64_t key,
					     gaspdb_entity_t entity)
{
	if (gaspdb_associate)
		gaspdb_associate(space, key, entity);
}

GASPDB_MAPPING_INLINE gaspdb_entity_t gaspdb_associated_(const void *space,
							 uint64_t key)
{
	return gaspdb_associated ? gaspdb_associated(space, key) : 0;
}

GASPDB_MAPPING_INLINE gaspdb_entity_t gaspdb_entity_mix_(
	size_t n, const gaspdb_entity_t entities[], const double weights[])
{
	return gaspdb_entity_mix ? gaspdb_entity_mix(n, entities, weights) : 0;
}

/* Macros, so that an event's place is the line of the caller. */
#define GASPDB_MAPPING_IF(type, function, ...)              \
	__extension__({                                     \
		const type gaspdb_mapping_ = (__VA_ARGS__); \
		if (gaspdb_mapping_)                        \
			function(gaspdb_mapping_);          \
	})

#define gaspdb_entity_create gaspdb_entity_create_
#define gaspdb_entity_int    gaspdb_entity_int_
#define gaspdb_entity_real   gaspdb_entity_real_
#define gaspdb_entity_text   gaspdb_entity_text_
#define gaspdb_associate     gaspdb_associate_
#define gaspdb_associated    gaspdb_associated_
#define gaspdb_entity_mix    gaspdb_entity_mix_
#define gaspdb_entity_begin(...) \
	GASPDB_MAPPING_IF(gaspdb_entity_t, gaspdb_entity_begin, __VA_ARGS__)
#define gaspdb_entity_end(...) \
	GASPDB_MAPPING_IF(gaspdb_entity_t, gaspdb_entity_end, __VA_ARGS__)
#define gaspdb_work_put(...)                                           \
	__extension__({                                                \
		const gaspdb_entity_t gaspdb_mapping_ = (__VA_ARGS__); \
		gaspdb_mapping_ ? gaspdb_work_put(gaspdb_mapping_)     \
				: (gaspdb_work_t)0;                    \
	})
#define gaspdb_work_begin(...) \
	GASPDB_MAPPING_IF(gaspdb_work_t, gaspdb_work_begin, __VA_ARGS__)
#define gaspdb_work_end(...) \
	GASPDB_MAPPING_IF(gaspdb_work_t, gaspdb_work_end, __VA_ARGS__)

#endif

#endif

#ifdef __cplusplus
}
#endif

#endif
