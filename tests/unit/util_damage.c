/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/util_damage.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/util_log.h"

struct log *damage_rich_log(int rank)
{
	struct log *l = log_rank(rank, 3);
	unsigned f = log_site(
		l, log_op(l, "f", "function", "computation", "signature:s", ""),
		"a.c", 1);
	unsigned isend =
		log_site(l,
			 log_op(l, "Isend", "send_nb", "communication",
				"peer:i tag:i bytes:z team:u", "request:u"),
			 "a.c", 2);
	unsigned irecv =
		log_site(l,
			 log_op(l, "Irecv", "receive_nb", "communication",
				"posted_peer:i posted_tag:i limit:z "
				"team:u",
				"request:u"),
			 "a.c", 3);
	unsigned wait = log_plain(l, "Wait", "wait", "communication", 4);
	unsigned lock = log_site(l,
				 log_op(l, "lock", "lock", "synchronization",
					"object:p x:d", "success:i"),
				 "a.c", 5);
	unsigned mark = log_plain(l, "mark", "user", "none", 6);
	unsigned pc =
		log_site_pc(l,
			    log_op(l, "init", "send_init", "communication",
				   "peer:i tag:i bytes:z team:u", "request:u"),
			    0x5000);
	unsigned start = log_plain(l, "Start", "start", "communication", 8);
	unsigned probe =
		log_site(l,
			 log_op(l, "Mprobe", "probe", "communication",
				"posted_peer:i posted_tag:i team:u", ""),
			 "a.c", 9);
	unsigned entity = log_site(
		l, log_op(l, "begin", "entity", "none", "entity:u", "entity:u"),
		"a.c", 10);
	unsigned work = log_site(l,
				 log_op(l, "run", "work", "none",
					"entity:u work:u", "entity:u work:u"),
				 "a.c", 11);
	unsigned put = log_site(
		l, log_op(l, "put", "work_put", "none", "entity:u work:u", ""),
		"a.c", 12);
	int64_t name = log_string(l, "void f(void)");

	log_module(l, 0x4000, 0x6000, 0x4000, "\1\2\3\4", 4, "/nonexistent");
	log_segment(l, 1, 0x7000, 0x1000, "heap", "heap");
	log_team(l, 1, 0, 0, rank, 3, "world", "WORLD", 0);
	log_members(l, 1, 0, 0, 1, 3);
	log_entity(l, 1, "kind", "above", 0);
	log_entity(l, 2, "kind", "below", 1);
	log_mix(l, 3, 2, (uint64_t[]){ 1, 2 }, (uint64_t[]){ 1, 3 });
	log_attribute(l, 2, "key", 's', "text");
	log_attribute(l, 1, "key", 'd', "1.5");
	log_clock(l, 0, LOG_BASE, LOG_REAL, 40);
	log_start(l, 1, f, ARGS(name));
	log_start(l, 2, pc, ARGS(1, 2, 3, 1));
	log_end(l, 3, pc, ARGS(90));
	for (uint64_t i = 0; i < 6; i++) {
		uint64_t t = 100 * i + 10;

		log_atomic(l, t - 6, put, ARGS(2, (int64_t)i + 1));
		log_start(l, t - 5, entity, ARGS(1 + (int64_t)i % 3));
		log_start(l, t - 4, work, ARGS(2, (int64_t)i + 1));
		log_end(l, t - 3, entity, ARGS(1 + (int64_t)i % 3));
		log_end(l, t - 2, work, ARGS(2, (int64_t)i + 1));
		log_start(l, t, isend, ARGS((rank + 1) % 3, 5, 100, 1));
		log_end(l, t + 1, isend, ARGS(2 * (int64_t)i + 1));
		log_start(l, t + 2, irecv, ARGS(-1, -1, 200, 1));
		log_end(l, t + 3, irecv, ARGS(2 * (int64_t)i + 2));
		log_start(l, t + 10, wait, NONE);
		log_complete(l, 2 * i + 1, 0, 0, 0, 0, 0, 0);
		log_complete(l, 2 * i + 2, 1, 1, (rank + 2) % 3, 5, 100, 0);
		log_end(l, t + 20, wait, NONE);
		log_start(l, t + 21, start, NONE);
		log_numbers(l, 17, 2, (uint64_t[]){ 90, i + 1 });
		log_end(l, t + 22, start, NONE);
		log_numbers(l, 18, 1, (uint64_t[]){ 90 });
		log_atomic(l, t + 23, mark, NONE);
		log_start(l, t + 30, lock, ARGS(0x7010, 5));
		log_end(l, t + 31, lock, ARGS(1));
		log_start(l, t + 32, probe, ARGS(-1, -1, 1));
		log_probed(l, i + 1, 0, 1, 2);
		log_argument(l, "more", -1);
		log_end(l, t + 33, probe, NONE);
		log_recording(l, false, t + 40);
		log_recording(l, true, t + 45);
		log_passed(l, 1, 1, 5, 1, 1);
		log_tool(l, t + 46, t + 50);
		if (i % 2) {
			log_block(l, t + 60);
			log_repeat(l, i == 3);
		}
	}
	log_lost(l, 2, "why");
	log_numbers(l, 36, 2, (uint64_t[]){ 1, 3 });
	log_end(l, 700, f, NONE);
	log_close(l);
	return l;
}

static bool is_big(const unsigned char *block)
{
	return !memcmp(block, "KLBG", 4);
}

static size_t length_of(const unsigned char *block)
{
	const unsigned char *n = block + 8;

	return is_big(block) ? n[3] | (size_t)n[2] << 8 | (size_t)n[1] << 16
			     : n[0] | (size_t)n[1] << 8 | (size_t)n[2] << 16;
}

static void seal(unsigned char *block, size_t n)
{
	uint32_t crc = ~0u;

	memset(block + 12, 0, 4);
	for (size_t i = 0; i < n; i++) {
		crc ^= block[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	for (int i = 0; i < 4; i++)
		block[is_big(block) ? 15 - i : 12 + i] =
			(unsigned char)(~crc >> 8 * i);
}

void damage_reseal(unsigned char *b, size_t n)
{
	for (size_t at = 64; at + 48 <= n;) {
		const size_t length = length_of(b + at);

		if ((memcmp(b + at, "GBLK", 4) && !is_big(b + at)) ||
		    at + 48 + length > n)
			return;
		seal(b + at, 48 + length);
		at = (at + 48 + length + 7) / 8 * 8;
	}
}
