/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to definitions: operations. f: fields of an OPERATION record. */
#ifndef GASPDB_IMPORTER_LOG_DEFINITIONS_PARTS_H
#define GASPDB_IMPORTER_LOG_DEFINITIONS_PARTS_H

#include "importer/log/definitions.h"

/* Makes an operation with its plans; the caller frees it. */
struct gaspdb_log_operation *
gaspdb_log_operation_make(struct gaspdb_definitions *d,
			  const struct gaspdb_field *f);
/* Frees an operation; NULL: does nothing. */
void gaspdb_log_operation_free(struct gaspdb_log_operation *o);
/* Does it have exactly these texts? */
bool gaspdb_log_operation_has(const struct gaspdb_definitions *d,
			      const struct gaspdb_log_operation *o,
			      const struct gaspdb_field *f);
/* The same, after the registry has repaired or cut the texts. */
bool gaspdb_log_operation_means(struct gaspdb_definitions *d,
				const struct gaspdb_log_operation *o,
				const struct gaspdb_field *f);

#endif
