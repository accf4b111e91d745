/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/size_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collector/base/environment.h"
#include "collector/core/context.h"
#include "collector/process/process.h"

/* A log's reserve for the profile of the rest: a part of its limit, at least a
   profile block and a records block, at most all profile blocks. */
#define RESERVE_PART  4
#define RESERVE_LEAST (GASPDB_PROFILE_BYTES + (32u << 10))
#define RESERVE_MOST \
	((uint64_t)GASPDB_PROFILE_BLOCKS_MAX * GASPDB_PROFILE_BYTES + \
	 (512u << 10))
/* Default limit of the run: these bytes, but at most 1/RUN_MOST_PART of the
   free space of its file system. */
#define RUN_MOST_BYTES (UINT64_C(16) << 30)
#define RUN_MOST_PART  2
/* 1/KEPT_FREE_PART of the free space stays free, whatever else writes there. */
#define KEPT_FREE_PART 8
/* A log checks the free space each time it has grown by this. */
#define ASK_BYTES (4u << 20)

/* Parses a size with or without a suffix K, M, G; false: it is none. */
static bool parse_size(const char *text, uint64_t *bytes)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	suffix = *end ? strchr(suffixes, *end) : NULL;
	if (errno || (*end && (!suffix || end[1])))
		return false;
	for (; suffix && suffix >= suffixes; suffix--) {
		if (*bytes > UINT64_MAX >> 10)
			return false;
		*bytes <<= 10;
	}
	return true;
}

/* Reads a size from the environment; false: not set, or wrong. */
static bool read_size(const char *variable, bool may_be_0, uint64_t *bytes)
{
	const char *text = gaspdb_getenv(variable);

	if (!text || !*text)
		return false;
	if (parse_size(text, bytes) &&
	    (*bytes >= GASPDB_LOG_LEAST_BYTES || (may_be_0 && !*bytes)))
		return true;
	*bytes = 0;
	gaspdb_complain("%s=%.100s is ignored: it is not a size of %u bytes or "
			"more",
			variable, text, GASPDB_LOG_LEAST_BYTES);
	return false;
}

/* Free bytes of the run's file system; otherwise: the result if not known. */
static uint64_t free_bytes(const struct gaspdb_process *p, uint64_t otherwise)
{
	const int saved = errno;
	struct statvfs v;
	const bool known = !statvfs(p->dir.path, &v);

	errno = saved;
	return known ? (uint64_t)v.f_bavail * v.f_frsize : otherwise;
}

static void read_limits(struct gaspdb_process *p)
{
	const uint64_t available = free_bytes(p, 0);

	read_size("GASPDB_MAX_LOG_SIZE", false, &p->max_log_bytes);
	if (!read_size("GASPDB_MAX_RUN_SIZE", true, &p->max_run_bytes)) {
		p->max_run_bytes = RUN_MOST_BYTES;
		if (available && available / RUN_MOST_PART < RUN_MOST_BYTES)
			p->max_run_bytes = available / RUN_MOST_PART;
	}
	if (p->max_run_bytes)
		p->min_free_bytes = available / KEPT_FREE_PART;
}

void gaspdb_size_limits_read(void)
{
	static bool known;

	if (!known)
		read_limits(&gaspdb_process);
	known = true;
}

/* Whether the mapped part of the file has room for another block. */
static bool has_room(const struct gaspdb_context *c)
{
	const struct gaspdb_log_file *f = &c->log.file;

	return (size_t)(c->log.at - f->window) + GASPDB_BLOCK_MAX <
	       f->window_bytes;
}

/* The process's share of the limit.  Ranks are processes, but a process can
   have several UPC threads. */
static uint64_t share_of(const struct gaspdb_process *p,
			 const struct gaspdb_context *c)
{
	const int threads = atoi(c->whose.ranks);
	const uint64_t own = p->n_contexts ? p->n_contexts : 1;

	if (p->ranks > 0)
		return p->max_run_bytes / (uint64_t)p->ranks;
	if (threads > 0 && own < (uint64_t)threads)
		return p->max_run_bytes / (uint64_t)threads * own;
	return p->max_run_bytes;
}

/* Bytes kept of a log's limit; 0: its mode needs none. */
static uint64_t reserve_of(uint64_t limit)
{
	const uint64_t part = limit / RESERVE_PART;

	if (gaspdb_mode != GASPDB_MODE_TRACE)
		return 0;
	if (part < RESERVE_LEAST)
		return RESERVE_LEAST;
	return part > RESERVE_MOST ? RESERVE_MOST : part;
}

/* What a log of the process may have of its share. */
static uint64_t even_part(const struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	return share_of(p, c) / (p->n_contexts ? p->n_contexts : 1);
}

uint64_t gaspdb_size_limit_of_log(struct gaspdb_context *c)
{
	const uint64_t limit = gaspdb_process.max_log_bytes;

	c->reserve_bytes = limit ? reserve_of(limit) : 0;
	return limit - c->reserve_bytes;
}

/* Whether a log's trace ends, or has ended. */
static bool is_rest(const struct gaspdb_context *c)
{
	return c->ending || (c->profile && c->profile->from);
}

/* Whether a log is over its share.  From half of the process's share on, no log
   may exceed an even part: small logs go on longer. */
static bool is_over(const struct gaspdb_context *c, uint64_t own, uint64_t used)
{
	const struct gaspdb_process *p = &gaspdb_process;
	const uint64_t share = share_of(p, c);

	return used > share ||
	       (used > share / 2 &&
		own > even_part(c));
}

/* Whether the file system has room for growth to next. */
static bool is_disk_free(const struct gaspdb_process *p, uint64_t own,
			 uint64_t next)
{
	return !p->min_free_bytes || own / ASK_BYTES == next / ASK_BYTES ||
	       free_bytes(p, UINT64_MAX) >= p->min_free_bytes;
}

/* Counts the log's bytes; returns those of all logs. */
static uint64_t count(struct gaspdb_context *c, uint64_t bytes)
{
	const uint64_t more = bytes - c->bytes_counted;

	c->bytes_counted = bytes;
	return atomic_fetch_add(&gaspdb_process.log_bytes, more) + more;
}

void gaspdb_size_limit_opened(struct gaspdb_context *c)
{
	count(c, c->log.file.window_bytes + reserve_of(even_part(c)));
}

void gaspdb_size_limit_closed(struct gaspdb_context *c)
{
	count(c, c->log.offset + (uint64_t)(c->log.at - c->log.block));
}

void gaspdb_size_limit_check(struct gaspdb_context *c)
{
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_log_file *f = &c->log.file;
	const uint64_t own = f->window_offset + f->window_bytes;
	const uint64_t reserve = reserve_of(even_part(c));
	const uint64_t next = own + GASPDB_WINDOW_BYTES;

	/* The profile of the rest has what was kept for it. */
	if (!p->max_run_bytes || has_room(c) || is_rest(c))
		return;
	if (!is_over(c, next + reserve, count(c, next + reserve)) &&
	    is_disk_free(p, own, next))
		return;
	count(c, own + reserve);
	if (!f->max_bytes || own < f->max_bytes) {
		if (!f->max_bytes || reserve < c->reserve_bytes)
			c->reserve_bytes = reserve;
		f->max_bytes = own;
		c->over_run_limit = true;
	}
}

static void leave_mark(void)
{
	int ignored, fd,
		folder = gaspdb_run_dir_open(&gaspdb_process.dir, &ignored);

	if (folder < 0)
		return;
	fd = openat(folder, GASPDB_LIMIT_MARK,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	close(folder);
}

/* Reports that a limit was reached; then: what follows, "" or "; ...". */
static void report(const struct gaspdb_context *c, const char *what,
		   const char *then)
{
	const struct gaspdb_process *p = &gaspdb_process;

	leave_mark();
	if (c->over_run_limit)
		gaspdb_complain("%s: log '%s' has used up its share of the "
				"run's limit of %llu bytes, or its disk is "
				"nearly full%s (GASPDB_MAX_RUN_SIZE)",
				what, c->log.file.path,
				(unsigned long long)p->max_run_bytes, then);
	else
		gaspdb_complain("%s: log '%s' has reached the limit of %llu "
				"bytes%s",
				what, c->log.file.path,
				(unsigned long long)p->max_log_bytes, then);
}

void gaspdb_size_limit_emit(const struct gaspdb_context *c)
{
	report(c, "recording stops",
	       c->over_run_limit ? "; from now on events are counted" : "");
}

void gaspdb_size_limit_rest(const struct gaspdb_context *c)
{
	report(c, "a trace ends", "; a profile goes on");
}
