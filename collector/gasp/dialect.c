/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences of implementations from the event tables, and known defects. */
#include "collector/gasp/dialect.h"

#include <stddef.h>

#include "collector/gasp/note.h"

/* Marks a program that is linked with the collector, for `gaspdb record`. */
#ifdef GASPDB_UPC_OBJECT
static const struct gaspdb_note note
	__attribute__((section(".note.gaspdb"), used, aligned(4))) = {
		sizeof GASPDB_NOTE_OWNER, 0, 1, GASPDB_NOTE_OWNER
	};
#endif

/* Layouts that differ.  Reading an argument that was not passed gives garbage,
   and a crash for a string. */
static const struct {
	enum gaspdb_event event;
	struct gaspdb_layouts layouts;
} others[] = {
/* clang-format off */
#ifdef GASPDB_GASP_1_3
	{ GASPDB_EVENT_C_REALLOC,
	  { "old_address:p bytes:z", "old_address:p bytes:z" } },
	{ GASPDB_EVENT_UPC_COLLECTIVE_EXIT, { "", "status:i" } },
	{ GASPDB_EVENT_UPC_ALLOC,
	  { "blocks:z block_bytes:z", "blocks:z block_bytes:z address:P" } },
	{ GASPDB_EVENT_UPC_NB_GET_INIT, /* atomic, then */
	  { "relaxed:i local:p source:P bytes:z handle:h", "" } },
	{ GASPDB_EVENT_UPC_NB_PUT_INIT,
	  { "relaxed:i target:P local:p bytes:z handle:h", "" } },
	{ GASPDB_EVENT_UPC_CACHE_MISS, { "bytes:z", "" } },
#endif
#if defined GASP_BUPC_STATIC_SHARED && GASP_UPC_VERSION < 0x020311
	{ GASPDB_EVENT_BUPC_STATIC_SHARED,
	  { "blocks:z bytes:z address:P proxy:p", "" } },
#endif
/* Recorded by gaspdb_collectives.upc, which knows how many bytes there are. */
#define REDUCTION                                                         \
	"target:P source:P op:i elements:z block_elements:z function:p " \
	"flags:i element_type:i bytes:z"
#ifndef GASP_UPC_ALL_REDUCE
	{ GASPDB_EVENT_UPC_ALL_REDUCE, { REDUCTION, REDUCTION } },
#endif
#ifndef GASP_UPC_ALL_PREFIX_REDUCE
	{ GASPDB_EVENT_UPC_ALL_PREFIX_REDUCE, { REDUCTION, REDUCTION } },
#endif
	{ GASPDB_N_EVENTS, { NULL, NULL } },
	/* clang-format on */
};

struct gaspdb_layouts gaspdb_dialect_layouts(const struct gaspdb_event_info *e)
{
	const enum gaspdb_event event = (enum gaspdb_event)(e - gaspdb_events);

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].event == event)
			return others[i].layouts;
	return (struct gaspdb_layouts){ e->start, e->end };
}

#define TEXT_(x) #x
#define TEXT(x)	 TEXT_(x)
#ifdef GASP_VERSION
#define GASP_TEXT "GASP " TEXT(GASP_VERSION)
#else
#define GASP_TEXT "GASP of no version"
#endif
#ifdef GASP_UPC_VERSION
#define UPC_TEXT ", gasp_upc.h " TEXT(GASP_UPC_VERSION)
#else
#define UPC_TEXT ""
#endif
const char gaspdb_dialect_name[] = GASP_TEXT UPC_TEXT;

/* Found in Berkeley's sources, and with GNU's and Clang's at work.  The latter
   are known by their unique tag numbers. */
#ifdef GASP_BUPC_STATIC_SHARED
#define IS_BERKELEY (GASP_UPC_USEREVT_START + 0 < 1000)
#else
#define IS_BERKELEY 0
#endif
#if defined GASP_C_FUNC && defined GASP_UPC_COLLECTIVE_EXIT
#define IS_LIBUPC (GASP_C_FUNC + 0 == 1 && GASP_UPC_COLLECTIVE_EXIT + 0 == 5)
#else
#define IS_LIBUPC 0
#endif

#if IS_BERKELEY
#define LIMITS(collectives)                                               \
	"Berkeley UPC: upc_fence and upc_forall are not told; lines may " \
	"be those of an earlier call"
#elif IS_LIBUPC
#define LIMITS(collectives)                                              \
	"GNU or Clang UPC: upc_fence" collectives                        \
	" and non-blocking transfers are not told; 'relaxed' of shared " \
	"reads and writes and 'local' of upc_memget mean nothing"
#else
#define LIMITS(collectives) NULL
#endif

const char *gaspdb_dialect_limits(bool has_collectives)
{
	return has_collectives ? LIMITS("")
			       : LIMITS(", collectives (upc_all_*)");
}
