/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/util_damage.h"

#include <stdbool.h>
#include <string.h>

#include "tests/unit/util_log.h"

struct sites {
	unsigned f, isend, irecv, wait, lock, mark, pc, start, probe, entity,
		work, put;
};

static struct sites define_sites(struct log *l)
{
	struct sites s;

	s.f = log_site(
		l, log_op(l, "f", "function", "computation", "signature:s", ""),
		"a.c", 1);
	s.isend = log_site(l,
			   log_op(l, "Isend", "send_nb", "communication",
				  "peer:i tag:i bytes:z team:u", "request:u"),
			   "a.c", 2);
	s.irecv = log_site(l,
			   log_op(l, "Irecv", "receive_nb", "communication",
				  "posted_peer:i posted_tag:i limit:z "
				  "team:u",
				  "request:u"),
			   "a.c", 3);
	s.wait = log_plain(l, "Wait", "wait", "communication", 4);
	s.lock = log_site(l,
			  log_op(l, "lock", "lock", "synchronization",
				 "object:p x:d", "success:i"),
			  "a.c", 5);
	s.mark = log_plain(l, "mark", "user", "none", 6);
	s.pc = log_site_pc(l,
			   log_op(l, "init", "send_init", "communication",
				  "peer:i tag:i bytes:z team:u", "request:u"),
			   0x5000);
	s.start = log_plain(l, "Start", "start", "communication", 8);
	s.probe = log_site(l,
			   log_op(l, "Mprobe", "probe", "communication",
				  "posted_peer:i posted_tag:i team:u", ""),
			   "a.c", 9);
	s.entity = log_site(
		l, log_op(l, "begin", "entity", "none", "entity:u", "entity:u"),
		"a.c", 10);
	s.work = log_site(l,
			  log_op(l, "run", "work", "none", "entity:u work:u",
				 "entity:u work:u"),
			  "a.c", 11);
	s.put = log_site(
		l, log_op(l, "put", "work_put", "none", "entity:u work:u", ""),
		"a.c", 12);
	return s;
}

static void define_rest(struct log *l, int rank)
{
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
}

/* One of everything, from 100 * i on. */
static void add_step(struct log *l, const struct sites *s, int rank, uint64_t i)
{
	uint64_t t = 100 * i + 10;

	log_atomic(l, t - 6, s->put, ARGS(2, (int64_t)i + 1));
	log_start(l, t - 5, s->entity, ARGS(1 + (int64_t)i % 3));
	log_start(l, t - 4, s->work, ARGS(2, (int64_t)i + 1));
	log_end(l, t - 3, s->entity, ARGS(1 + (int64_t)i % 3));
	log_end(l, t - 2, s->work, ARGS(2, (int64_t)i + 1));
	log_start(l, t, s->isend, ARGS((rank + 1) % 3, 5, 100, 1));
	log_end(l, t + 1, s->isend, ARGS(2 * (int64_t)i + 1));
	log_start(l, t + 2, s->irecv, ARGS(-1, -1, 200, 1));
	log_end(l, t + 3, s->irecv, ARGS(2 * (int64_t)i + 2));
	log_start(l, t + 10, s->wait, NONE);
	log_complete(l, 2 * i + 1, 0, 0, 0, 0, 0, 0);
	log_complete(l, 2 * i + 2, 1, 1, (rank + 2) % 3, 5, 100, 0);
	log_end(l, t + 20, s->wait, NONE);
	log_start(l, t + 21, s->start, NONE);
	log_numbers(l, 17, 2, (uint64_t[]){ 90, i + 1 });
	log_end(l, t + 22, s->start, NONE);
	log_numbers(l, 18, 1, (uint64_t[]){ 90 });
	log_atomic(l, t + 23, s->mark, NONE);
	log_start(l, t + 30, s->lock, ARGS(0x7010, 5));
	log_end(l, t + 31, s->lock, ARGS(1));
	log_start(l, t + 32, s->probe, ARGS(-1, -1, 1));
	log_probed(l, i + 1, 0, 1, 2);
	log_argument(l, "more", -1);
	log_end(l, t + 33, s->probe, NONE);
	log_recording(l, false, t + 40);
	log_recording(l, true, t + 45);
	log_passed(l, 1, 1, 5, 1, 1);
	log_tool(l, t + 46, t + 50);
	if (i % 2) {
		log_block(l, t + 60);
		log_repeat(l, i == 3);
	}
}

struct log *damage_rich_log(int rank)
{
	struct log *l = log_rank(rank, 3);
	const struct sites s = define_sites(l);
	const int64_t name = log_string(l, "void f(void)");

	define_rest(l, rank);
	log_start(l, 1, s.f, ARGS(name));
	log_start(l, 2, s.pc, ARGS(1, 2, 3, 1));
	log_end(l, 3, s.pc, ARGS(90));
	for (uint64_t i = 0; i < 6; i++)
		add_step(l, &s, rank, i);
	log_lost(l, 2, "why");
	log_numbers(l, 36, 2, (uint64_t[]){ 1, 3 });
	log_end(l, 700, s.f, NONE);
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
