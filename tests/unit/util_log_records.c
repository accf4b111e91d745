/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs for tests: records of requests, of arguments, and of the recording. */
#include "tests/unit/util_log_parts.h"

void log_complete(struct log *l, uint64_t request, int64_t index,
		  uint64_t flags, int64_t peer, int64_t tag, uint64_t bytes,
		  int64_t error)
{
	size_t at = log_begin_record(l, 16);

	log_put_u(l, request);
	log_put_i(l, index);
	log_put_u(l, flags);
	log_put_i(l, peer);
	log_put_i(l, tag);
	log_put_u(l, bytes);
	log_put_i(l, error);
	log_end_record(l, at);
}

void log_numbers(struct log *l, unsigned kind, size_t n, const uint64_t *values)
{
	size_t at = log_begin_record(l, kind);

	for (size_t i = 0; i < n; i++)
		log_put_u(l, values[i]);
	log_end_record(l, at);
}

void log_probed(struct log *l, uint64_t message, int64_t peer, int64_t tag,
		uint64_t bytes)
{
	size_t at = log_begin_record(l, 20);

	log_put_u(l, message);
	log_put_i(l, peer);
	log_put_i(l, tag);
	log_put_u(l, bytes);
	log_end_record(l, at);
}

void log_made(struct log *l, uint64_t request, unsigned flags, int64_t peer,
	      int64_t tag, uint64_t bytes, uint64_t team)
{
	size_t at = log_begin_record(l, 22);

	log_put_u(l, request);
	log_put_u(l, flags);
	log_put_i(l, peer);
	log_put_i(l, tag);
	log_put_u(l, bytes);
	log_put_u(l, team);
	log_end_record(l, at);
}

void log_passed(struct log *l, uint64_t team, int64_t peer, int64_t tag,
		uint64_t sends, uint64_t receives)
{
	size_t at = log_begin_record(l, 34);

	log_put_u(l, team);
	log_put_i(l, peer);
	log_put_i(l, tag);
	log_put_u(l, sends);
	log_put_u(l, receives);
	log_end_record(l, at);
}

void log_argument(struct log *l, const char *name, int64_t value)
{
	size_t at = log_begin_record(l, 21);

	log_put_s(l, name);
	log_put_i(l, value);
	log_end_record(l, at);
}

void log_clock(struct log *l, uint64_t t, uint64_t mono_ns, uint64_t real_ns,
	       uint64_t uncertain)
{
	log_numbers(
		l, 32, 4,
		(uint64_t[]){ log_ticks(l, t), mono_ns, real_ns, uncertain });
}

void log_recording(struct log *l, bool on, uint64_t t)
{
	log_numbers(l, 33, 2, (uint64_t[]){ on, log_ticks(l, t) });
}

void log_tool(struct log *l, uint64_t start, uint64_t end)
{
	log_numbers(l, 35, 2,
		    (uint64_t[]){ log_ticks(l, start), log_ticks(l, end) });
}

void log_processor(struct log *l, uint64_t t_ns, uint64_t used_ns,
		   uint64_t unserved_ns, uint64_t total_ns)
{
	log_numbers(l, 41, 4,
		    (uint64_t[]){ log_ticks(l, t_ns), used_ns, unserved_ns,
				  total_ns });
}

void log_lost(struct log *l, uint64_t count, const char *reason)
{
	size_t at = log_begin_record(l, 37);

	log_put_u(l, count);
	log_put_s(l, reason);
	log_end_record(l, at);
}
