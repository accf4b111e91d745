/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb record. */
#ifndef GASPDB_CLI_RECORD_RECORD_H
#define GASPDB_CLI_RECORD_RECORD_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#define GASPDB_PRELOAD_LIBRARY "libgaspdb-preload.so"

/* What is recorded, where. */
struct gaspdb_recording {
	char **command;	      /* as typed; ends with NULL */
	char *directory;      /* absolute; NULL: nothing is recorded */
	char *name;	      /* the directory as typed, or made up; or NULL */
	char *aside;	      /* where what it replaces is meanwhile; or NULL */
	int folder;	      /* descriptor of the directory (O_PATH); or -1 */
	char *library_folder; /* absolute; that of the preload library */
	char *link_folder;    /* to remove at the end; or NULL */
	bool nested;
	unsigned stack_depth;	   /* callers of each call; 0: none */
	const char *only, *except; /* what is recorded; NULL: all */
	int64_t max_log_bytes;	   /* of each log; 0: no limit */
	int64_t max_run_bytes;	   /* of all; 0: no limit; -1: the default */
	int64_t start_ns, end_ns;  /* CLOCK_REALTIME */
	int status;		   /* the command's, as it is reported */
	bool started;
	int unrecorded; /* errno's value for which the command was given no
			   variables of ours; 0 */
	char *reason;	/* why there is no log at all; NULL */
};

#define GASPDB_PROGRAMS_MAX 16

/* The programs that a command starts by way of launchers and wrappers. */
struct gaspdb_programs {
	int n;
	char *names[GASPDB_PROGRAMS_MAX]; /* as typed */
	bool unsure;	/* there may be others, or it is not known which */
	char *obstacle; /* words that keep the collector's variables from it;
			   NULL */
	char *folder;	/* that a launcher changes to; NULL */
};

void gaspdb_programs_find(struct gaspdb_programs *p, char **command);
/* Is there an executable file of the i-th's name here? */
bool gaspdb_programs_has_file(const struct gaspdb_programs *p, int i);
void gaspdb_programs_free(struct gaspdb_programs *p);
/* The file that the name stands for, as a shell would find it; NULL if there
 * is none.  The caller frees it. */
char *gaspdb_record_find_file(const char *name);

/*
 * Make the run directory (path NULL: a name of our own), in which only the
 * user has rights.  Returns 0; EEXIST; or another errno value, when the command
 * is to run unrecorded.
 */
int gaspdb_record_make_directory(struct gaspdb_recording *r, const char *path);
/*
 * For --force: give the run at path another name, so that a new one can have
 * it.  Returns true also if there is nothing at path; false, and complains, if
 * it is no run directory of the user's, in which case it is not touched.
 */
bool gaspdb_record_set_aside(struct gaspdb_recording *r, const char *path);
/* Delete what was set aside, if anything was. */
void gaspdb_record_discard_aside(struct gaspdb_recording *r);
/* Give what was set aside, if anything was, its name back, and say so. */
void gaspdb_record_restore_aside(struct gaspdb_recording *r, const char *path);
/* Remove the run directory; false: it has files that are not gaspdb's, and is
 * as it was. */
bool gaspdb_record_remove(const struct gaspdb_recording *r);
/* Find the preload library.  Returns false, and complains, without it. */
bool gaspdb_record_find_library(struct gaspdb_recording *r);
/* Run the command to its end: fills status, started and the times. */
void gaspdb_record_run(struct gaspdb_recording *r);
/*
 * Make a file in the run directory, for writing, in which only the user has
 * rights.  It must not exist.  Returns a descriptor, or -1 with errno set.
 */
int gaspdb_record_make_file(const struct gaspdb_recording *r, const char *name);
/* Open the run directory for reading; NULL: that failed. */
DIR *gaspdb_record_open_directory(const struct gaspdb_recording *r);
/* Does the directory's name still stand for it? */
bool gaspdb_record_has_directory(const struct gaspdb_recording *r);
/* Does the name end so, after something else? */
bool gaspdb_record_has_suffix(const char *name, const char *suffix);
/* How many logs there are in the run directory, and their size in bytes. */
int64_t gaspdb_record_count_logs(const struct gaspdb_recording *r,
				 int64_t *bytes);
/* Why there is none, with the cure.  The caller frees it. */
char *gaspdb_record_explain(const struct gaspdb_recording *r);
/* Leave what is known of the run in its directory (run_facts.h). */
void gaspdb_record_write_facts(const struct gaspdb_recording *r);

#endif
