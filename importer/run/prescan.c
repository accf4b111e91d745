/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prescan of a log: all block headers, for the clocks; records from the
 * beginning up to the rank, which a process learns when its runtime has
 * started; and the last block, which has the clocks once more.
 */
#include "importer/run/prescan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "importer/log/identity.h"
#include "importer/profile/cells.h"
#include "common/interrupt.h"

/* --- records -------------------------------------------------------------- */

struct scan {
	struct gaspdb_log_file *log;
	struct gaspdb_registry *registry;
	uint32_t host;			/* text; 0: not in the log */
	struct gaspdb_clock_pair clock; /* the last CLOCK record */
	int64_t real_ns;
	bool has_clock;
	uint64_t ticks; /* of the last event */
	bool has_event;
	bool damaged;		/* damage before the rank */
	uint64_t taken;		/* offset of the last block read */
	bool taken_clock;	/* it has a CLOCK record */
	int64_t team_rank;	/* rank by TEAM records; GASPDB_NULL */
	int64_t ranks, threads; /* META; GASPDB_NULL */
	uint64_t offset;	/* of the record */
};

static void first_moment(struct scan *s, uint64_t ticks)
{
	if (!s->log->has_first || (int64_t)(ticks - s->log->first_ticks) < 0)
		s->log->first_ticks = ticks;
	s->log->has_first = true;
}

static bool is_key(struct gaspdb_text t, const char *key)
{
	return t.n == strlen(key) && !memcmp(t.p, key, t.n);
}

#define NUMBER_MAX INT64_C(1000000000000000000) /* 18 digits */

/* A META value, if it is a number in [0, limit). Otherwise GASPDB_NULL, and the
   first such value is stored for a report. */
static int64_t number(struct scan *s, const struct gaspdb_field *f,
		      const char *key, int64_t limit)
{
	int64_t n;

	if (gaspdb_identity_number(f[1].s, &n) && n < limit)
		return n;
	if (!s->log->strange) {
		s->log->strange = key;
		s->log->strange_text = gaspdb_text_add(s->registry, f[1].s);
		s->log->strange_offset = s->offset;
		s->log->strange_limit = limit;
	}
	return GASPDB_NULL;
}

/* Stores the first value of a key; later ones are compared when the log is
   read. */
static void take_number(struct scan *s, const struct gaspdb_field *f,
			const char *key, int64_t limit, int64_t *to)
{
	if (*to == GASPDB_NULL && is_key(f[0].s, key))
		*to = number(s, f, key, limit);
}

static void take_text(struct scan *s, const struct gaspdb_field *f,
		      const char *key, uint32_t *to)
{
	if (!*to && is_key(f[0].s, key))
		*to = gaspdb_text_add(s->registry, f[1].s);
}

static bool begins(struct gaspdb_text text, const char *with)
{
	return text.n >= strlen(with) && !memcmp(text.p, with, strlen(with));
}

static void take_meta(struct scan *s, const struct gaspdb_field *f)
{
	static const char spawned[] = "this process was started by "
				      "MPI_Comm_spawn";
	struct gaspdb_log_file *log = s->log;

	take_text(s, f, "host", &s->host);
	take_text(s, f, "job", &log->job);
	take_text(s, f, "model", &log->model);
	take_text(s, f, "program", &log->program_text);
	take_number(s, f, "rank", GASPDB_RANKS_MAX, &log->rank);
	take_number(s, f, "launcher_rank", GASPDB_RANKS_MAX,
		    &log->launcher_rank);
	take_number(s, f, "process_start", NUMBER_MAX, &log->process_start);
	take_number(s, f, "program_number", NUMBER_MAX, &log->program);
	take_number(s, f, "thread", GASPDB_RANKS_MAX, &log->number);
	take_number(s, f, "ranks", GASPDB_RANKS_MAX + 1, &s->ranks);
	take_number(s, f, "threads", GASPDB_RANKS_MAX + 1, &s->threads);
	log->forked |= is_key(f[0].s, "forked_from");
	log->spawned |= is_key(f[0].s, "spawned") ||
			(is_key(f[0].s, "not_seen") && begins(f[1].s, spawned));
}

/*
 * id parent ordinal rank size kind name first. A log without its beginning
 * still has the rank in the world team, or in a team of which it is the first
 * member.
 */
static void take_team(struct scan *s, const struct gaspdb_field *f)
{
	int64_t rank = GASPDB_NULL;

	if (is_key(f[5].s, "world")) /* a spawned one does not begin with 0 */
		rank = f[3].i + (f[7].i > 0 ? f[7].i : 0);
	else if (is_key(f[5].s, "self") ||
		 (f[3].i == 0 && !is_key(f[5].s, "inter")))
		rank = f[7].i;
	if (rank >= 0 && rank < GASPDB_RANKS_MAX)
		s->team_rank = rank;
}

static void take_clock(struct scan *s, const struct gaspdb_field *f)
{
	s->clock = (struct gaspdb_clock_pair){ f[0].u, (int64_t)f[1].u,
					       f[3].u > UINT32_MAX
						       ? UINT32_MAX
						       : (uint32_t)f[3].u };
	s->real_ns = (int64_t)f[2].u;
	s->has_clock = s->taken_clock = true;
}

static void take_other(struct scan *s, unsigned kind,
		       const struct gaspdb_field *f)
{
	switch (kind) {
	case GASPDB_RECORD_META:
		take_meta(s, f);
		break;
	case GASPDB_RECORD_TEAM:
		take_team(s, f);
		break;
	case GASPDB_RECORD_CLOCK:
		take_clock(s, f);
		/* fall through */
	case GASPDB_RECORD_TOOL:
		if (!s->has_event)
			first_moment(s, f[0].u);
		break;
	case GASPDB_RECORD_RECORDING:
		if (!s->has_event)
			first_moment(s, f[1].u);
	}
}

/* Kinds of records that the prescan reads; most others are definitions. */
#define KIND(ident) ((uint64_t)1 << GASPDB_RECORD_##ident)
#define WANTED \
	(KIND(META) | KIND(TEAM) | KIND(CLOCK) | KIND(TOOL) | KIND(RECORDING))

static bool is_wanted(unsigned kind)
{
	return WANTED >> kind & 1;
}

static void take_record(struct scan *s, const struct gaspdb_record *rec)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];

	if (rec->phase != GASPDB_PHASE_OTHER) {
		s->ticks += rec->ticks;
		if (!s->has_event)
			first_moment(s, s->ticks);
		s->has_event = true;
	} else if (is_wanted(rec->kind) && gaspdb_record_fields(rec, f)) {
		s->offset = rec->offset;
		take_other(s, rec->kind, f);
	}
}

/* Reads the records of the current block. */
static void take_block(struct scan *s, struct gaspdb_reader *rd)
{
	struct gaspdb_record rec;
	struct gaspdb_error ignored;

	uint64_t first, last;

	if (rd->block.type == GASPDB_BLOCK_PROFILE) {
		if (!s->has_event && gaspdb_cells_moments(rd, &first, &last))
			first_moment(s, first);
		return;
	}
	if (!s->log->has_block)
		s->log->first_block = rd->block;
	s->log->has_block = true;
	s->taken = rd->block.offset;
	s->taken_clock = false;
	s->ticks = rd->block.ticks;
	for (;;) {
		gaspdb_reader_skip(rd, ~WANTED, s->has_event);
		if (gaspdb_reader_record(rd, &rec, &ignored))
			break;
		take_record(s, &rec);
	}
}

/* --- the host's clocks ---------------------------------------------------- */

/* Parses "-NUMBER" that ends at *end, and moves *end to the dash; false: there
   is none, or nothing before it. */
static bool number_before(const char *name, const char **end, uint32_t *number)
{
	const char *digits = *end;

	while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == *end || digits - name < 2 || digits[-1] != '-')
		return false;
	*number = (uint32_t)strtoul(digits, NULL, 10);
	*end = digits - 1;
	return true;
}

/*
 * Parses a log's name, HOST-PID-N.gasplog or HOST-PID-N-P.gasplog. A host's
 * name may end in -NUMBER; the header's numbers, of which damage may have
 * changed one, decide. Returns the length of HOST; 0: another name.
 */
static size_t parse_name(const char *name, const struct gaspdb_log_header *h,
			 uint32_t *pid, uint32_t *ordinal)
{
	const char *end = strcasestr(name, GASPDB_LOG_SUFFIX), *ends[3];
	uint32_t number[3];
	int n = 0, last = 0;

	while (end && n < 3 && number_before(name, &end, &number[n]))
		ends[n++] = end;
	if (n < 2)
		return 0;
	if (n == 3 && number[0] > 0 &&
	    (number[1] == h->ordinal) + (number[2] == h->pid) >
		    (number[0] == h->ordinal) + (number[1] == h->pid))
		last = 1;
	*ordinal = number[last];
	*pid = number[last + 1];
	return (size_t)(ends[last + 1] - name);
}

static uint32_t host_of_name(struct gaspdb_registry *r,
			     const struct gaspdb_log_file *log)
{
	uint32_t ignored;
	size_t n = parse_name(log->name, &log->header, &ignored, &ignored);

	return n ? gaspdb_text_add(r, (struct gaspdb_text){ log->name, n })
		 : gaspdb_text_of(r, "unknown");
}

/* Does the log count ticks? A damaged header may name the wrong clock. */
static bool counts_ticks(const struct gaspdb_log_header *h)
{
	return h->clock != GASPDB_CLOCK_MONOTONIC && gaspdb_header_known(h);
}

static void note_clock(struct scan *s, struct gaspdb_host *host)
{
	if (!s->has_clock)
		return;
	if (counts_ticks(&s->log->header))
		gaspdb_host_pair(host, s->clock);
	gaspdb_host_real(host, s->clock.ns, s->real_ns, s->clock.uncertain_ns);
	s->has_clock = false;
}

/* The next good block; false: no more. */
static bool next_block(struct gaspdb_reader *rd, bool *damaged)
{
	struct gaspdb_error ignored;
	enum gaspdb_status status;

	while ((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_DAMAGED)
		*damaged = true;
	return status == GASPDB_OK && !gaspdb_interrupted;
}

/* The last block of a log, and the start of the previous one. */
struct last_block {
	uint64_t offset; /* 0: none */
	uint64_t number;
	uint64_t before_ticks;
};

static struct last_block take_headers(struct gaspdb_reader *rd,
				      struct gaspdb_host *host)
{
	struct last_block last = { 0 };
	uint64_t ticks = 0;
	bool ignored;

	gaspdb_reader_rewind(rd);
	rd->headers_only = true;
	while (next_block(rd, &ignored)) {
		struct gaspdb_clock_pair pair = { rd->block.ticks,
						  rd->block.monotonic_ns,
						  rd->block.uncertain_ns };

		if (counts_ticks(&rd->header))
			gaspdb_host_pair(host, pair);
		if (!last.offset &&
		    !host->has_real) /* rough; a CLOCK record is better */
			gaspdb_host_real(host, rd->block.monotonic_ns,
					 rd->header.start_real_ns,
					 GASPDB_REAL_ROUGH);
		last.offset = rd->block.offset;
		last.number = rd->block.number;
		last.before_ticks = ticks;
		ticks = rd->block.ticks;
	}
	rd->headers_only = false;
	return last;
}

/*
 * Reads the last block. Its start, or that of the previous block if earlier, is
 * the time that the log reached: headers of other blocks are not checked, and
 * records in the last block may be much later than the last event.
 */
static void take_last(struct scan *s, struct gaspdb_reader *rd,
		      const struct last_block *last)
{
	const uint64_t *before = &last->before_ticks;

	if (!last->offset)
		return;
	s->has_event = true;
	if (last->offset == s->taken) {
		s->has_clock = s->taken_clock;
		return;
	}
	gaspdb_reader_seek(rd, last->offset, last->number);
	if (!next_block(rd, &s->damaged))
		return;
	take_block(s, rd);
	s->log->reached_ticks =
		*before < rd->block.ticks ? *before : rd->block.ticks;
}

static void take_header(struct gaspdb_log_file *log,
			const struct gaspdb_reader *rd)
{
	log->header = rd->header;
	log->size = rd->size;
	if (!gaspdb_header_known(&rd->header)) /* the name is more reliable */
		parse_name(log->name, &rd->header, &log->header.pid,
			   &log->header.ordinal);
}

/* Is it a log of this run? A damaged or incomplete header may be of any run. */
static bool is_of_run(struct gaspdb_scanner *scanner,
		      const struct gaspdb_log_header *h)
{
	if (!gaspdb_header_known(h))
		return true;
	if (!scanner->has_run)
		scanner->run = h->run;
	scanner->has_run = true;
	return h->run == scanner->run;
}

static void take_log(struct gaspdb_log_file *log, struct gaspdb_reader *rd,
		     struct gaspdb_registry *registry,
		     struct gaspdb_hosts *hosts)
{
	struct scan s = { .log = log,
			  .registry = registry,
			  .team_rank = GASPDB_NULL,
			  .ranks = GASPDB_NULL,
			  .threads = GASPDB_NULL };
	struct gaspdb_host *host;
	struct last_block last;

	log->program = GASPDB_NULL;
	if (log->header.unmade) {
		log->host = host_of_name(registry, log);
		log->number = log->header.ordinal;
		log->program = 0;
		return;
	}
	rd->profiles = true;
	while ((log->rank == GASPDB_NULL || !log->has_first) &&
	       next_block(rd, &s.damaged))
		take_block(&s, rd);
	rd->profiles = false;
	log->lost = s.damaged;
	log->team_rank = s.damaged ? s.team_rank : GASPDB_NULL;
	log->host_known = s.host;
	log->host = s.host ? s.host : host_of_name(registry, log);
	if (log->number == GASPDB_NULL)
		log->number = log->header.ordinal;
	host = gaspdb_hosts_get(hosts, log->host);
	note_clock(&s, host);
	last = take_headers(rd, host);
	take_last(&s, rd, &last);
	note_clock(&s, host);
	log->ranks = s.ranks > s.threads ? s.ranks : s.threads;
	if (log->program == GASPDB_NULL)
		log->program = 0;
}

/* Accepts a log without contents only by its name. */
static enum gaspdb_status see_name(const struct gaspdb_log_file *log,
				   struct gaspdb_reader *rd,
				   struct gaspdb_error *err)
{
	const bool empty = rd->size == 0;
	uint32_t ignored;

	if (parse_name(log->name, &rd->header, &ignored, &ignored))
		return GASPDB_OK;
	gaspdb_reader_close(rd);
	return gaspdb_fail(err, GASPDB_FAILED,
			   empty ? "the file is empty" : "not a gaspdb log");
}

enum gaspdb_status gaspdb_prescan(struct gaspdb_log_file *log,
				  struct gaspdb_scanner *scanner,
				  struct gaspdb_hosts *hosts,
				  struct gaspdb_error *err)
{
	struct gaspdb_reader *rd = &scanner->reader;
	enum gaspdb_status status = gaspdb_input_read(scanner->input, log->file,
						      rd, scanner->cache, err);

	if (!status && rd->header.unmade)
		status = see_name(log, rd, err);
	if (status)
		return status;
	take_header(log, rd);
	if (is_of_run(scanner, &rd->header))
		take_log(log, rd, scanner->registry, hosts);
	gaspdb_reader_close(rd);
	return GASPDB_OK;
}
