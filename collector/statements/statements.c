/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks of marked statements, for programs that are not recorded. */
#include "collector/gasp/functions.h"

#include "collector/core/collector.h"

GASPDB_EXPORT void gaspdb_statement_start(const struct gaspdb_statement *s,
					  const void *caller)
{
	(void)s, (void)caller;
}

GASPDB_EXPORT void gaspdb_statement_end(const struct gaspdb_statement *s)
{
	(void)s;
}

GASPDB_EXPORT void gaspdb_statement_left(const struct gaspdb_statement *s)
{
	(void)s;
}
