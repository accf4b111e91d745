/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/log/size_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collector/process/environment.h"
#include "collector/process/process.h"

/* The run's limit by default: so much, but at most this part of what is free
   on its file system. */
#define RUN_MOST_BYTES (UINT64_C(16) << 30)
#define RUN_MOST_PART  2
/* And this part of it stays free, whoever else writes there. */
#define KEPT_FREE_PART 8
/* A log asks how much is free whenever it has grown by so much. */
#define ASK_BYTES (4u << 20)

/* A size with a suffix K, M or G, or none.  false: it is none. */
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

/* false: it is not set, or wrong. */
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

/* otherwise: where it is not known. */
static uint64_t free_bytes(const struct gaspdb_process *p, uint64_t otherwise)
{
	const int saved = errno;
	struct statvfs v;
	const bool known = !statvfs(p->dir.path, &v);

	errno = saved;
	return known ? (uint64_t)v.f_bavail * v.f_frsize : otherwise;
}

void gaspdb_size_limits_read(struct gaspdb_process *p)
{
	const uint64_t available = free_bytes(p, 0);

	read_size("GASPDB_MAX_LOG_SIZE", false, &p->max_log_bytes);
	if (!read_size("GASPDB_MAX_RUN_SIZE", true, &p->max_run_bytes)) {
		p->max_run_bytes = RUN_MOST_BYTES;
		if (available && available / RUN_MOST_PART < RUN_MOST_BYTES)
			p->max_run_bytes = available / RUN_MOST_PART;
	}
	if (p->max_run_bytes)
		p->kept_free_bytes = available / KEPT_FREE_PART;
}

/* Is there room in the part of the file that it has, for another block? */
static bool has_room(const struct gaspdb_context *c)
{
	const struct gaspdb_log_file *f = &c->log.file;

	return (size_t)(c->log.at - f->window) + GASPDB_BLOCK_MAX <
	       f->window_bytes;
}

/* The process's share.  Ranks are processes, but UPC's threads may be several
   of one. */
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

/*
 * Logs that are small go on longer than large ones: from half of the process's
 * share on, none may have more than an even part of it.
 */
static bool is_over(const struct gaspdb_context *c, uint64_t own, uint64_t used)
{
	const struct gaspdb_process *p = &gaspdb_process;
	const uint64_t share = share_of(p, c);

	return used > share ||
	       (used > share / 2 &&
		own > share / (p->n_contexts ? p->n_contexts : 1));
}

/* May it grow to next without filling the disk? */
static bool is_disk_free(const struct gaspdb_process *p, uint64_t own,
			 uint64_t next)
{
	return !p->kept_free_bytes || own / ASK_BYTES == next / ASK_BYTES ||
	       free_bytes(p, UINT64_MAX) >= p->kept_free_bytes;
}

/* The log has so many bytes now.  Returns what all have. */
static uint64_t count(struct gaspdb_context *c, uint64_t bytes)
{
	const uint64_t more = bytes - c->bytes_counted;

	c->bytes_counted = bytes;
	return atomic_fetch_add(&gaspdb_process.log_bytes, more) + more;
}

void gaspdb_size_limit_opened(struct gaspdb_context *c)
{
	count(c, c->log.file.window_bytes);
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
	const uint64_t next = own + GASPDB_WINDOW_BYTES;

	if (!p->max_run_bytes || has_room(c))
		return;
	if (!is_over(c, next, count(c, next)) && is_disk_free(p, own, next))
		return;
	count(c, own);
	if (!f->max_bytes || own < f->max_bytes) {
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

void gaspdb_size_limit_emit(const struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	leave_mark();
	if (c->over_run_limit)
		gaspdb_complain("recording stops: log '%s' has used up its "
				"share of the run's limit of %llu bytes, or "
				"its disk is nearly full; from now on events "
				"are counted (GASPDB_MAX_RUN_SIZE)",
				c->log.file.path,
				(unsigned long long)p->max_run_bytes);
	else
		gaspdb_complain("recording stops: log '%s' has reached the "
				"limit of %llu bytes",
				c->log.file.path,
				(unsigned long long)p->max_log_bytes);
}
