/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the run directory. */
#include "collector/process/run_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/process/environment.h"
#include "collector/log/failure.h"
#include "collector/process/process.h"

/*
 * What a launcher sets alike for all processes of a job, and differently for
 * each job; of a pair both together (a step of an allocation).
 */
static const struct {
	const char *job, *step;
} launchers[] = {
	{ "PMIX_NAMESPACE", "PMIX_SERVER_TMPDIR" }, /* OpenMPI, PRRTE */
	{ "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri" },
	{ "FLUX_JOB_ID", NULL },
	{ "SLURM_JOB_ID", "SLURM_STEP_ID" },
	{ "PALS_APID", NULL },
	{ "ALPS_APP_ID", NULL },
	{ "LSB_JOBID", "LS_JOBPID" },
};

static unsigned long long initial_pid, initial_start;
static long initial_parent;

/*
 * Start time of a process in clock ticks since boot; 0 if not to be had.
 * Without stdio: the program may be within its allocator.
 */
static unsigned long long start_time(long pid)
{
	char path[64], text[1024], *p;
	unsigned long long start = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	p = strrchr(text, ')'); /* the name may hold anything */
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		start = strtoull(p + 1, NULL, 10);
	return start;
}

void gaspdb_run_dir_note_process(void)
{
	initial_pid = (unsigned long long)getpid();
	initial_start = start_time(getpid());
	initial_parent = getppid();
}

unsigned long long gaspdb_run_dir_start_time(void)
{
	/* Of this process: a forked child has another. */
	static unsigned long long start;
	static pid_t of;

	if (of != gaspdb_process.pid) {
		start = start_time(getpid());
		of = gaspdb_process.pid;
	}
	return start;
}

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

/*
 * MPICH's launcher sets nothing that differs between jobs; but its proxy, the
 * processes' parent, does (on one host).
 */
static void run_key(char *key, size_t size)
{
	const char *job, *step;

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		job = gaspdb_getenv(launchers[i].job);
		if (!job)
			continue;
		step = launchers[i].step ? gaspdb_getenv(launchers[i].step)
					 : NULL;
		snprintf(key, size, "%s/%s", job, step ? step : "");
		return;
	}
	if (gaspdb_getenv("PMI_RANK"))
		snprintf(key, size, "parent %ld/%llu", initial_parent,
			 start_time(initial_parent));
	else
		snprintf(key, size, "process %llu/%llu", initial_pid,
			 initial_start);
}

static void program_name(char *name, size_t size)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	const char *base;

	path[n > 0 ? n : 0] = 0;
	base = strrchr(path, '/');
	snprintf(name, size, "%.200s", base ? base + 1 : "program");
}

/* Whatever the umask, logs must be made in it.  Not by name, which may have
   come to mean another directory. */
static void allow_owner(int fd, mode_t mode)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if ((mode & 0700) != 0700)
		chmod(path, (mode & 07777) | 0700);
}

/* A descriptor of the directory itself, never of what a link leads to, for
   which no right to read it is needed; *st is its.  -1: failed, *error is why.
 */
static int look(const char *path, struct stat *st, int *error)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	*error = 0;
	if (fd < 0)
		*error = errno == ENOTDIR || errno == ELOOP
				 ? GASPDB_DIR_REPLACED
				 : errno;
	else if (fstat(fd, st))
		*error = errno;
	else if (st->st_uid != geteuid())
		*error = GASPDB_DIR_FOREIGN;
	if (fd >= 0 && *error) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * Where others may write in the directory above (/tmp), the name may have been
 * taken before us, or may be later: what is there counts, not what was made.
 */
static int make(struct gaspdb_run_dir *dir)
{
	size_t n = strlen(dir->path);
	struct stat st;
	int error, fd;
	bool made;

	while (n > 1 && dir->path[n - 1] == '/') /* "link/" is followed */
		dir->path[--n] = 0;
	made = !mkdir(dir->path, 0700);
	if (!made && errno != EEXIST)
		return errno;
	fd = look(dir->path, &st, &error);
	if (fd < 0)
		return error;
	if (made)
		allow_owner(fd, st.st_mode);
	close(fd);
	dir->device = st.st_dev;
	dir->inode = st.st_ino;
	return 0;
}

int gaspdb_run_dir_open(const struct gaspdb_run_dir *dir, int *error)
{
	struct stat st;
	int fd = look(dir->path, &st, error);

	if (fd < 0 || (st.st_dev == dir->device && st.st_ino == dir->inode))
		return fd;
	close(fd);
	*error = GASPDB_DIR_REPLACED;
	return -1;
}

int gaspdb_run_dir_find(struct gaspdb_run_dir *dir)
{
	const char *set = gaspdb_getenv("GASPDB_DIR"),
		   *id = gaspdb_getenv("GASPDB_RUN_ID");
	char key[1024], name[256], cwd[2048];

	run_key(key, sizeof key);
	dir->job = hash(key);
	dir->run = id && *id ? strtoull(id, NULL, 16) : dir->job;
	if (set && *set == '/') {
		if (snprintf(dir->path, sizeof dir->path, "%s", set) >=
		    (int)sizeof dir->path)
			return ENAMETOOLONG;
		return make(dir);
	}
	if (!getcwd(cwd, sizeof cwd)) {
		snprintf(dir->path, sizeof dir->path, ".");
		return errno;
	}
	program_name(name, sizeof name);
	if (set && *set)
		snprintf(dir->path, sizeof dir->path, "%s/%.700s", cwd, set);
	else
		snprintf(dir->path, sizeof dir->path, "%s/gaspdb-%s-%016llx",
			 cwd, name, (unsigned long long)dir->run);
	return make(dir);
}
