/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The gasp.h and gasp_upc.h at hand, which may be an implementation's own, with
 * what they call otherwise than GASP 1.5 does under its name of there.
 */
#ifndef GASPDB_COLLECTOR_GASP_DIALECT_H
#define GASPDB_COLLECTOR_GASP_DIALECT_H

#include <stdarg.h> /* some gasp.h need it */

#include <gasp.h>
#include <gasp_upc.h>

#include "collector/core/events.h"

/*
 * Headers of GASP 1.3: GASPDB_GASP_1_3 comes from the build, for no
 * preprocessor sees a type.
 */
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

/* The handle of an operation that is complete already; 0 in the log. */
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

/* An event's arguments as the implementation at hand passes them. */
struct gaspdb_layouts gaspdb_dialect_layouts(const struct gaspdb_event_info *e);

/* "GASP 20060914, gasp_upc.h 40302": what this was compiled against. */
extern const char gaspdb_dialect_name[];

/* What the implementation does not tell, or wrongly; NULL: nothing known. */
extern const char *const gaspdb_dialect_limits;

#endif
