/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of spawned worlds.  It only grows, by a line at a time, so that each
 * reader computes the same numbers from the lines before its own:
 *
 *     spawn JOB KEY FROM N ROOT PARENTS
 *     root JOB KEY RANK HOST     (if it compares its clock with the children's)
 *     started JOB KEY N
 */
#include "collector/process/worlds.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/environment.h"
#include "collector/core/collector.h"
#include "collector/process/process.h"

#define ROOT_BYTES 64

/* --- the launcher's names ------------------------------------------------- */

GASPDB_EXPORT bool gaspdb_world_is_spawned(void)
{
	return gaspdb_getenv("OMPI_PARENT_PORT") ||
	       gaspdb_getenv("PMI_SPAWNED");
}

/* The calling process as Open MPI names it in the port of its children:
   JOB.RANK;
   "-": another MPI. */
static void own_name(char name[ROOT_BYTES])
{
	const char *job = gaspdb_getenv("OMPI_MCA_ess_base_jobid");
	const char *rank = gaspdb_getenv("OMPI_COMM_WORLD_RANK");

	if (job && rank)
		snprintf(name, ROOT_BYTES, "%.20s.%.20s", job, rank);
	else
		strcpy(name, "-");
}

/* Whether a root can have spawned this process.  Open MPI's children have its
   name in their parents' port, JOB.RANK:NUMBER. */
static bool can_be_parent(const char *root)
{
	const char *port = gaspdb_getenv("OMPI_PARENT_PORT");
	const size_t n = strlen(root);

	return !port || (!strncmp(port, root, n) && port[n] == ':');
}

/* --- writing -------------------------------------------------------------- */

static void append(const char *line, size_t n)
{
	const struct gaspdb_run_dir *dir = &gaspdb_process.dir;
	int error, file, fd = gaspdb_run_dir_open(dir, &error);

	if (fd < 0)
		return;
	file = openat(fd, GASPDB_WORLDS,
		      O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	close(fd);
	if (file < 0)
		return;
	/* Readers skip what is cut short. */
	if (write(file, line, n) < 0)
		gaspdb_complain("%s: %s", GASPDB_WORLDS, strerror(errno));
	close(file);
}

/* Writes ranks as FIRST-LAST,...; returns the number of bytes. */
static size_t print_ranks(char *to, const int *ranks, int n)
{
	char *at = to;
	int i = 0, next;

	for (; i < n; i = next) {
		for (next = i + 1;
		     next < n && ranks[next] == ranks[next - 1] + 1; next++)
			;
		at += sprintf(at, "%s%d-%d", i ? "," : "", ranks[i],
			      ranks[next - 1]);
	}
	return (size_t)(at - to);
}

static size_t print_root(char *to, uint64_t key, int rank)
{
	char host[GASPDB_HOST_BYTES];

	gaspdb_clock_mark_host(host);
	return (size_t)sprintf(to,
			       "root %016" PRIx64 " %016" PRIx64 " %d %s\n",
			       gaspdb_process.dir.job, key, rank, host);
}

GASPDB_EXPORT void gaspdb_world_announce(uint64_t key, int from, int n,
					 const int *parents, int n_parents,
					 int root)
{
	const int error = errno;
	char *line = malloc(1024 + 24 * (size_t)n_parents), name[ROOT_BYTES];
	size_t bytes;

	own_name(name);
	if (line) {
		bytes = (size_t)sprintf(
			line, "spawn %016" PRIx64 " %016" PRIx64 " %d %d %s ",
			gaspdb_process.dir.job, key, from, n, name);
		bytes += print_ranks(line + bytes, parents, n_parents);
		line[bytes++] = '\n';
		if (root >= 0)
			bytes += print_root(line + bytes, key, root);
		append(line, bytes);
	}
	free(line);
	errno = error;
}

GASPDB_EXPORT void gaspdb_world_started(uint64_t key, int n)
{
	const int error = errno;
	char line[128];

	append(line, (size_t)sprintf(
			     line, "started %016" PRIx64 " %016" PRIx64 " %d\n",
			     gaspdb_process.dir.job, key, n));
	errno = error;
}

/* --- reading -------------------------------------------------------------- */

/* A spawn line. */
struct spawn {
	struct gaspdb_world world; /* parents: none yet */
	uint64_t job;
	char root[ROOT_BYTES];
	const char *parents; /* in the text, to the line's end */
	bool started;
};

/* The file, read so far. */
struct worlds {
	char *text; /* NULL: there is none */
	struct spawn *spawn;
	size_t n;
};

/* The whole file, with a NUL; NULL: it cannot be read. */
static char *read_file(void)
{
	const struct gaspdb_run_dir *dir = &gaspdb_process.dir;
	int error, file, fd = gaspdb_run_dir_open(dir, &error);
	struct stat st;
	char *text;
	ssize_t n;

	if (fd < 0)
		return NULL;
	file = openat(fd, GASPDB_WORLDS, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	close(fd);
	if (file < 0)
		return NULL;
	text = fstat(file, &st) ? NULL : malloc((size_t)st.st_size + 1);
	n = text ? read(file, text, (size_t)st.st_size) : 0;
	close(file);
	if (text)
		text[n > 0 ? n : 0] = 0;
	return text;
}

/* Numbers a spawn by those of its job before it. */
static void take_spawn(struct worlds *w, struct spawn s)
{
	struct spawn *grown = realloc(w->spawn, (w->n + 1) * sizeof *w->spawn);

	if (!grown)
		return;
	w->spawn = grown;
	s.world.number = 1;
	for (size_t i = 0; i < w->n; i++) {
		const struct gaspdb_world *before = &w->spawn[i].world;

		if (w->spawn[i].job != s.job)
			continue;
		s.world.number++;
		if (s.world.first < before->first + before->n)
			s.world.first = before->first + before->n;
	}
	w->spawn[w->n++] = s;
}

static void take_started(struct worlds *w, uint64_t job, uint64_t key, int n)
{
	for (size_t i = 0; i < w->n; i++) {
		struct spawn *s = &w->spawn[i];

		if (s->job != job || s->world.key != key)
			continue;
		s->started = true;
		if (n < s->world.n)
			s->world.n = n;
	}
}

static void take_root(struct worlds *w, const struct spawn *root)
{
	for (size_t i = 0; i < w->n; i++) {
		struct spawn *s = &w->spawn[i];

		if (s->job != root->job || s->world.key != root->world.key)
			continue;
		s->world.root = root->world.root;
		memcpy(s->world.root_host, root->world.root_host,
		       GASPDB_HOST_BYTES);
	}
}

static void take_line(struct worlds *w, const char *line)
{
	struct spawn s = { 0 };
	int n, at = 0;

	if (sscanf(line, "spawn %" SCNx64 " %" SCNx64 " %d %d %63s %n", &s.job,
		   &s.world.key, &s.world.first, &s.world.n, s.root,
		   &at) == 5 &&
	    at > 0 && s.world.first >= 0 && s.world.n >= 0) {
		s.parents = line + at;
		take_spawn(w, s);
	} else if (sscanf(line, "started %" SCNx64 " %" SCNx64 " %d", &s.job,
			  &s.world.key, &n) == 3) {
		take_started(w, s.job, s.world.key, n);
	} else if (sscanf(line, "root %" SCNx64 " %" SCNx64 " %d %255s", &s.job,
			  &s.world.key, &s.world.root,
			  s.world.root_host) == 4) {
		take_root(w, &s);
	}
}

static struct worlds read_worlds(void)
{
	struct worlds w = { .text = read_file() };
	char *line = w.text, *end;

	for (; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		take_line(&w, line);
	}
	return w;
}

static void free_worlds(struct worlds *w)
{
	free(w->text);
	free(w->spawn);
}

/* Appends the ranks first to last; false: no memory, or no such ranks. */
static bool add_ranks(struct gaspdb_world *w, int first, int last)
{
	int *grown;

	if (first < 0 || last < first)
		return false;
	grown = realloc(w->parents,
			((size_t)w->n_parents + (size_t)(last - first) + 1) *
				sizeof *grown);
	if (!grown)
		return false;
	w->parents = grown;
	for (int i = first; i <= last; i++)
		grown[w->n_parents++] = i;
	return true;
}

/* Copies a world, with its parents. */
static bool copy(const struct spawn *s, struct gaspdb_world *w)
{
	const char *at = s->parents;
	int first, last, bytes;

	*w = s->world;
	while (sscanf(at, "%d-%d%n", &first, &last, &bytes) == 2) {
		if (!add_ranks(w, first, last))
			return false;
		at += bytes + (at[bytes] == ',');
	}
	return *at == 0 && w->n_parents > 0;
}

GASPDB_EXPORT bool gaspdb_world_of_spawn(uint64_t key, struct gaspdb_world *w)
{
	const int error = errno;
	struct worlds all = read_worlds();
	bool found = false;

	*w = (struct gaspdb_world){ 0 };
	for (size_t i = 0; !found && i < all.n; i++)
		found = all.spawn[i].job == gaspdb_process.dir.job &&
			all.spawn[i].world.key == key && copy(&all.spawn[i], w);
	free_worlds(&all);
	errno = error;
	return found;
}

GASPDB_EXPORT bool gaspdb_world_of_child(struct gaspdb_world *w)
{
	const int error = errno;
	struct worlds all = read_worlds();
	const struct spawn *own = NULL;
	size_t n = 0;
	bool found;

	*w = (struct gaspdb_world){ 0 };
	for (size_t i = 0; i < all.n; i++)
		if (!all.spawn[i].started && can_be_parent(all.spawn[i].root)) {
			own = &all.spawn[i];
			n++;
		}
	found = n == 1 && copy(own, w);
	if (found)
		gaspdb_process.dir.job = own->job;
	free_worlds(&all);
	errno = error;
	return found;
}
