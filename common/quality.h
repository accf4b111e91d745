/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of defects, for tables quality_kind and quality. */
#ifndef GASPDB_COMMON_QUALITY_H
#define GASPDB_COMMON_QUALITY_H

#include <stdbool.h>

enum gaspdb_quality_kind {
#define QUALITY(ident, kind, severity, summary, advice) GASPDB_QUALITY_##ident,
#include "common/quality.tbl.h"
	GASPDB_N_QUALITY
};

struct gaspdb_quality_words {
	const char *kind, *severity, *summary, *advice;
};

extern const struct gaspdb_quality_words gaspdb_quality[GASPDB_N_QUALITY];

bool gaspdb_quality_is_loss(enum gaspdb_quality_kind kind);
/* Is it without consequence? */
bool gaspdb_quality_is_note(enum gaspdb_quality_kind kind);
/* A kind by name; GASPDB_N_QUALITY: none. */
enum gaspdb_quality_kind gaspdb_quality_find(const char *name);

#endif
