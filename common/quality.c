/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/quality.h"

#include <string.h>

const struct gaspdb_quality_words gaspdb_quality[GASPDB_N_QUALITY] = {
#define QUALITY(ident, kind, severity, summary, advice) \
	{ kind, #severity, summary, advice },
#include "common/quality.tbl.h"
};

bool gaspdb_quality_is_loss(enum gaspdb_quality_kind kind)
{
	return !strcmp(gaspdb_quality[kind].severity, "loss");
}

bool gaspdb_quality_is_note(enum gaspdb_quality_kind kind)
{
	return !strcmp(gaspdb_quality[kind].severity, "note");
}

enum gaspdb_quality_kind gaspdb_quality_find(const char *name)
{
	int i = 0;

	while (i < GASPDB_N_QUALITY && strcmp(gaspdb_quality[i].kind, name))
		i++;
	return (enum gaspdb_quality_kind)i;
}
