/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of quality about damaged logs. */
#include "importer/log/damage.h"

#include <inttypes.h>
#include <stdio.h>

void gaspdb_damage_block(struct gaspdb_defects *q,
			 const struct gaspdb_log_file *log,
			 const struct gaspdb_error *err)
{
	gaspdb_defect_add(q, GASPDB_QUALITY_BLOCK_DAMAGED,
			  &(struct gaspdb_defect){ .file = log->name,
						   .offset = err->offset,
						   .detail = err->msg });
}

static void report_number(struct gaspdb_defects *q,
			  const struct gaspdb_registry *r,
			  const struct gaspdb_log_file *log)
{
	const char *text = gaspdb_text_get(r, log->strange_text);
	char detail[160];

	snprintf(detail, sizeof detail, "%s '%.60s' is none of 0 to %" PRId64,
		 log->strange, text ? text : "", log->strange_limit - 1);
	gaspdb_defect_add(
		q, GASPDB_QUALITY_STRANGE_NUMBER,
		&(struct gaspdb_defect){ .file = log->name,
					 .offset = log->strange_offset,
					 .detail = detail });
}

void gaspdb_damage_header(struct gaspdb_defects *q,
			  const struct gaspdb_registry *r,
			  const struct gaspdb_log_file *log)
{
	if (log->strange)
		report_number(q, r, log);
	if (log->header.damaged)
		gaspdb_defect_add(q, GASPDB_QUALITY_BLOCK_DAMAGED,
				  &(struct gaspdb_defect){
					  .file = log->name,
					  .offset = GASPDB_LH_CRC,
					  .detail = "its header has a wrong "
						    "checksum" });
}

void gaspdb_damage_record(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec)
{
	gaspdb_defect_add(
		q, GASPDB_QUALITY_BLOCK_DAMAGED,
		&(struct gaspdb_defect){ .file = log->name,
					 .offset = rec->offset,
					 .detail = "malformed record" });
}

static void report_record(struct gaspdb_defects *q,
			  enum gaspdb_quality_kind kind,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec, const char *detail)
{
	gaspdb_defect_add(q, kind,
			  &(struct gaspdb_defect){ .file = log->name,
						   .offset = rec->offset,
						   .detail = detail });
}

void gaspdb_damage_number(struct gaspdb_defects *q,
			  const struct gaspdb_log_file *log,
			  const struct gaspdb_record *rec, const char *detail)
{
	report_record(q, GASPDB_QUALITY_STRANGE_NUMBER, log, rec, detail);
}

void gaspdb_damage_identity(struct gaspdb_defects *q,
			    const struct gaspdb_log_file *log,
			    const struct gaspdb_record *rec, const char *detail)
{
	report_record(q, GASPDB_QUALITY_CONTRADICTION, log, rec, detail);
}

void gaspdb_damage_profile(struct gaspdb_defects *q,
			   const struct gaspdb_log_file *log, uint64_t offset,
			   const char *detail)
{
	gaspdb_defect_add(q, GASPDB_QUALITY_PROFILE_DAMAGED,
			  &(struct gaspdb_defect){ .file = log->name,
						   .offset = offset,
						   .detail = detail });
}

bool gaspdb_damage_unfinished(struct gaspdb_defects *q,
			      const struct gaspdb_log_file *log,
			      const struct gaspdb_reader *rd)
{
	const char *detail = rd->cut ? "the file ends within a block"
			     : log->header.unmade
				     ? "its process was killed while the log "
				       "was being made"
				     : NULL;

	if (log->header.flags & GASPDB_LOG_BUFFERED)
		detail = "it was written through a buffer: up to 64 KiB more "
			 "may be missing";
	if (!detail && log->replaced) {
		gaspdb_defect_add(
			q, GASPDB_QUALITY_REPLACED,
			&(struct gaspdb_defect){ .file = log->name,
						 .offset = rd->next });
		return false;
	}
	gaspdb_defect_add(q, GASPDB_QUALITY_LOG_UNFINISHED,
			  &(struct gaspdb_defect){ .file = log->name,
						   .offset = rd->next < rd->size
								     ? rd->next
								     : rd->size,
						   .detail = detail });
	return true;
}

const char *gaspdb_damage_no_site(bool damaged)
{
	return damaged ? NULL
		       : "nothing before them defines where they are, though "
			 "no block is damaged";
}

void gaspdb_damage_lost(struct gaspdb_defects *q,
			const struct gaspdb_log_file *log,
			const struct gaspdb_reader *rd, uint64_t count,
			const char *reason)
{
	gaspdb_defect_add(q, GASPDB_QUALITY_EVENTS_LOST,
			  &(struct gaspdb_defect){ .count = count,
						   .file = log->name,
						   .offset = rd->block.offset,
						   .detail = reason });
}
