/* SPDX-License-Identifier: BSD-2-Clause */
/* The gasp.h and gasp_upc.h in use, which may be an implementation's own, with
   GASP 1.5's names where they have older ones. */
#ifndef GASPDB_COLLECTOR_GASP_DIALECT_H
#define GASPDB_COLLECTOR_GASP_DIALECT_H

#include <stdarg.h> /* needed by some gasp.h */
#include <stdbool.h>

#include <gasp.h>
#include <gasp_upc.h>

#include "collector/core/events.h"

/* GASP 1.3.  The build defines GASPDB_GASP_1_3, because a preprocessor cannot
   test for a type. */
#ifdef GASPDB_GASP_1_3
typedef gasp_lang_t gasp_model_t;
#endif
#if !defined GASP_UPC_COLLECTIVE_EXIT && defined GASP_COLLECTIVE_EXIT
#define GASP_UPC_COLLECTIVE_EXIT GASP_COLLECTIVE_EXIT
#endif
#if !defined GASP_UPC_NONCOLLECTIVE_EXIT && defined GASP_NONCOLLECTIVE_EXIT
#define GASP_UPC_NONCOLLECTIVE_EXIT GASP_NONCOLLECTIVE_EXIT
#endif
#if !defined GASP_UPC_USEREVT_START && defined GASP_USEREVT_START
#define GASP_UPC_USEREVT_START GASP_USEREVT_START
#define GASP_UPC_USEREVT_END   GASP_USEREVT_END
#endif
#if !defined GASP_UPC_USEREVT_START || !defined GASP_UPC_USEREVT_END
#error gasp_upc.h does not define GASP_UPC_USEREVT_START and _END
#endif

/* Handle of an operation that is already complete; 0 in the log. */
#if defined GASP_NB_TRIVIAL
#define GASPDB_NB_TRIVIAL GASP_NB_TRIVIAL
#elif defined GASP_UPC_NB_TRIVIAL
#define GASPDB_NB_TRIVIAL GASP_UPC_NB_TRIVIAL
#else
#define GASPDB_NB_TRIVIAL 0
#endif

struct gaspdb_layouts {
	const char *start, *end;
};

/* An event's arguments as the implementation passes them. */
struct gaspdb_layouts gaspdb_dialect_layouts(const struct gaspdb_event_info *e);

/* The headers in use: "GASP 20060914, gasp_upc.h 40302". */
extern const char gaspdb_dialect_name[];

/* Events that the implementation lacks or reports wrongly; NULL: none known.
   has_collectives: the program records its collectives itself. */
const char *gaspdb_dialect_limits(bool has_collectives);

#endif
