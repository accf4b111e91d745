/* SPDX-License-Identifier: BSD-2-Clause */
/* Search for the run directory. */
#include "collector/process/run_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/environment.h"
#include "collector/log/failure.h"
#include "collector/process/worlds.h"

/*
 * Variables that a launcher sets alike for all processes of a job, and
 * differently for each job; a pair counts together (a step of an allocation).
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

/* Of launchers within another (mpirun in an allocation of srun) the inner one
   comes first, as its processes inherit the outer one's. */
const char *gaspdb_run_dir_world_rank(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", "PMI_RANK",	  "PMIX_RANK",
		"PALS_RANKID",		"FLUX_TASK_RANK", "SLURM_PROCID"
	};
	const char *rank = NULL;

	for (size_t i = 0; !rank && i < sizeof names / sizeof *names; i++)
		rank = gaspdb_getenv(names[i]);
	return rank;
}

const char *gaspdb_run_dir_launcher_rank(void)
{
	return gaspdb_world_is_spawned() ? NULL : gaspdb_run_dir_world_rank();
}

/* Start time of a process in clock ticks since boot; 0: not known.  Without
   stdio, because the program may be inside its allocator. */
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

unsigned long long gaspdb_run_dir_start_time(pid_t pid)
{
	static unsigned long long start;
	static pid_t known; /* a forked child is another process */

	if (known != pid) {
		start = start_time(pid);
		known = pid;
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
 * Open MPI 4 makes a job of its own of spawned processes; the upper 16 bits of
 * its number are the program's.  They count to the program's first job.
 */
static void first_job(char *name, size_t size, const char *job)
{
	char *end;
	unsigned long n = strtoul(job, &end, 10);

	if (*job && !*end && gaspdb_getenv("OMPI_PARENT_PORT"))
		snprintf(name, size, "%lu", (n & ~0xfffful) | 1);
	else
		snprintf(name, size, "%s", job);
}

/* Key of the run.  MPICH's launcher sets no variable that differs between jobs,
   but its proxy, the processes' parent, differs (on one host). */
static void run_key(char *key, size_t size)
{
	const char *job, *step;
	char first[512];

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		job = gaspdb_getenv(launchers[i].job);
		if (!job)
			continue;
		step = launchers[i].step ? gaspdb_getenv(launchers[i].step)
					 : NULL;
		first_job(first, sizeof first, job);
		snprintf(key, size, "%s/%s", first, step ? step : "");
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

/* Gives the owner rights, whatever the umask.  Not by name, which may be
   another directory's by now. */
static void allow_owner(int fd, mode_t mode)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if ((mode & 0700) != 0700)
		chmod(path, (mode & 07777) | 0700);
}

/* Opens the directory itself, never a link's target, without the right to read
   it; *st is its state. -1: *error is why. */
static int open_directory(const char *path, struct stat *st, int *error)
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
 * Makes the directory, or accepts an existing one.  In a shared parent (/tmp)
 * another user may take the name before or after: the directory found there is
 * checked, not the one made.
 */
static int make_directory(struct gaspdb_run_dir *dir)
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
	fd = open_directory(dir->path, &st, &error);
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
	int fd = open_directory(dir->path, &st, error);

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
		return make_directory(dir);
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
	return make_directory(dir);
}
