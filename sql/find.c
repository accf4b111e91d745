/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up of an analysis by its name in the generated table. */
#include <string.h>

#include "sql/sql.h"

const struct gaspdb_analysis *gaspdb_analysis_find(const char *name)
{
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}
