/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of the program's files. */
#include "cli/html/source.h"

#include <stdlib.h>

#include "cli/html/chunk.h"

enum gaspdb_status gaspdb_source_write(struct gaspdb_report *r, FILE *out)
{
	static const char none[] = "{\"rows\":0,\"columns\":[],\"files\":[]}\n";

	return gaspdb_chunk_write(out, "source", none, sizeof none - 1,
				  &r->err);
}
