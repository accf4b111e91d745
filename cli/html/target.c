/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Target of a page: temporary name, count of bytes, removal. */
#include "cli/html/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/text.h"

/* --- removal of what is not complete ---------------------------------------
 */

/* The incomplete file; NULL: none. A signal's handler reads it. */
static char *volatile incomplete;

static void remove_incomplete(void)
{
	if (incomplete)
		unlink(incomplete);
}

static void end(int signal)
{
	remove_incomplete();
	raise(signal); /* its default action, see SA_RESETHAND */
}

/* Ignored signals stay ignored. */
static void remove_at_end(void)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP,
				       SIGXCPU, SIGUSR1, SIGUSR2 };
	static bool is_set;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old, ours = { .sa_handler = end,
					       .sa_flags = SA_RESETHAND };

		sigaction(signals[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(signals[i], &ours, NULL);
	}
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit is reported as an error */
	if (!is_set)
		atexit(remove_incomplete); /* memory has run out */
	is_set = true;
}

/* --- the stream ------------------------------------------------------------
 */

/* Writes all n bytes, or returns 0: an error. */
static ssize_t write_bytes(void *user, const char *bytes, size_t n)
{
	struct gaspdb_target *t = user;

	for (size_t left = n; left;) {
		const ssize_t done = write(t->fd, bytes + n - left, left);

		if (done <= 0) {
			t->error = t->error ? t->error : done ? errno : EIO;
			return 0;
		}
		t->bytes += done;
		left -= (size_t)done;
	}
	return (ssize_t)n;
}

static int open_at_once(struct gaspdb_target *t)
{
	return open(t->path, O_WRONLY | O_CLOEXEC | O_TRUNC);
}

/* Makes t->beside of a template.  A signal comes before there is a file, or when
   it is known. */
static int make_incomplete(struct gaspdb_target *t)
{
	sigset_t all, before;
	int fd;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	fd = mkostemp(t->beside, O_CLOEXEC);
	if (fd >= 0) {
		incomplete = t->beside;
		remove_at_end();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* A new file beside the target; of a link, beside what it leads to. */
static int open_beside(struct gaspdb_target *t)
{
	const mode_t mask = umask(0);
	char *real = realpath(t->path, NULL);
	int fd;

	umask(mask);
	t->final = real ? real : gaspdb_text_copy(t->path, strlen(t->path));
	t->beside = gaspdb_text_format("%s.XXXXXX", t->final);
	fd = make_incomplete(t);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	return fd;
}

/* Is there something at the path that must not be replaced by a file? */
static bool is_to_be_kept(const char *path)
{
	struct stat st;

	return !stat(path, &st) &&
	       (!S_ISREG(st.st_mode) || !strncmp(path, "/dev/", 5) ||
		!strncmp(path, "/proc/", 6));
}

static void forget(struct gaspdb_target *t)
{
	incomplete = NULL;
	free(t->beside);
	free(t->final);
}

enum gaspdb_status gaspdb_target_open(struct gaspdb_target *t, const char *path,
				      struct gaspdb_error *err)
{
	static const cookie_io_functions_t functions = { .write = write_bytes };

	*t = (struct gaspdb_target){ .path = path,
				     .is_regular = !is_to_be_kept(path) };
	t->fd = t->is_regular ? open_beside(t) : open_at_once(t);
	if (t->fd >= 0)
		t->out = fopencookie(t, "w", functions);
	if (t->out)
		return GASPDB_OK;
	gaspdb_fail_errno(err, "cannot write '%s'", path);
	if (t->fd >= 0)
		close(t->fd);
	if (incomplete)
		unlink(incomplete);
	forget(t);
	return GASPDB_FAILED;
}

enum gaspdb_status gaspdb_target_close(struct gaspdb_target *t,
				       struct gaspdb_error *err)
{
	fclose(t->out);
	if (close(t->fd) && !t->error)
		t->error = errno;
	if (!t->error && err->status == GASPDB_OK && t->beside &&
	    rename(t->beside, t->final))
		t->error = errno;
	if (t->error) {
		errno = t->error;
		gaspdb_fail_errno(err, "cannot write '%s'", t->path);
	}
	if (err->status != GASPDB_OK)
		remove_incomplete();
	forget(t);
	return err->status;
}
