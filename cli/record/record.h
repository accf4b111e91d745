/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb record. */
#ifndef GASPDB_CLI_RECORD_RECORD_H
#define GASPDB_CLI_RECORD_RECORD_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/record/filter.h"

#define GASPDB_PRELOAD_LIBRARY "libgaspdb-preload.so"
#define GASPDB_IO_LIBRARY	"libgaspdb-io.so"
#define GASPDB_MEMORY_LIBRARY	"libgaspdb-memory.so"

/* State of a recording. */
struct gaspdb_recording {
	char **command;	      /* as typed; ends with NULL */
	char *directory;      /* absolute; NULL: nothing is recorded */
	char *name;	      /* the directory as typed or generated; or NULL */
	char *aside;	      /* temporary name of the replaced run; or NULL */
	int folder;	      /* descriptor of the directory (O_PATH); or -1 */
	char *library_folder; /* of the preload library; absolute */
	char *link_folder;    /* to remove at the end; or NULL */
	bool nested;
	bool io;		   /* record calls on files */
	bool memory;		   /* record private memory */
	unsigned stack_depth;	   /* callers of each call; 0: none */
	const char *only, *except; /* what is recorded; NULL: all */
	const char *throttle;	   /* limit; NULL: the default */
	const char *mode;	   /* NULL: a trace */
	bool sync_collectives;	   /* a barrier before each */
	const char *clock_sampling; /* time between samples; NULL: default */
	const char *filter_path;   /* of a Score-P filter; NULL: none */
	struct gaspdb_filter filter;
	bool has_selection;	   /* selection.txt is written */
	const char *start, *phase; /* when it is recorded; NULL: always */
	const char *page;	   /* the report to write; NULL: none */
	bool replaces;		   /* --force: also its database */
	int64_t max_log_bytes;	   /* of each log; 0: no limit */
	int64_t max_run_bytes;	   /* of all; 0: no limit; -1: the default */
	int64_t start_ns, end_ns;  /* CLOCK_REALTIME */
	int status;		   /* exit status of the command */
	bool started;
	int unrecorded; /* errno for which it runs without the collector's
			   variables; 0: recorded */
	char *reason;	/* why there is no log; or NULL */
};

#define GASPDB_PROGRAMS_MAX 16

/* Programs that a command starts through launchers and wrappers. */
struct gaspdb_programs {
	int n;
	char *names[GASPDB_PROGRAMS_MAX]; /* as typed */
	bool unsure;	/* others are possible, or none is certain */
	char *obstacle; /* words that remove the collector's variables; or NULL
			 */
	char *folder;	/* folder that a launcher changes to; or NULL */
};

void gaspdb_programs_find(struct gaspdb_programs *p, char **command);
/* Does the i-th program exist as an executable file? */
bool gaspdb_programs_has_file(const struct gaspdb_programs *p, int i);
void gaspdb_programs_free(struct gaspdb_programs *p);
/* The file of a program's name, by PATH; NULL: none. The caller frees it. */
char *gaspdb_record_find_file(const char *name);

/*
 * Creates the run directory (path NULL: a generated name), accessible to the
 * user only. Returns 0, EEXIST, or another errno, after which the command runs
 * unrecorded.
 */
int gaspdb_record_make_directory(struct gaspdb_recording *r, const char *path);
/*
 * Renames the run at path, for --force, so that a new one can have the name.
 * Returns true also if there is nothing at path; false, reported, if it is not
 * a run directory of the user, which is then not touched.
 */
bool gaspdb_record_set_aside(struct gaspdb_recording *r, const char *path);
/* Deletes the run set aside, if any. */
void gaspdb_record_discard_aside(struct gaspdb_recording *r);
/* Renames the run set aside back, if any, and reports it. */
void gaspdb_record_restore_aside(struct gaspdb_recording *r, const char *path);
/* Removes the run directory; false: it has other files, and is unchanged. */
bool gaspdb_record_remove(const struct gaspdb_recording *r);
/* Finds the preload library; false: not found, reported. */
bool gaspdb_record_find_library(struct gaspdb_recording *r);
/* Writes the selection file, if functions are selected. */
void gaspdb_record_select(struct gaspdb_recording *r);
/* Runs the command to its end; fills status, started and the times. */
void gaspdb_record_run(struct gaspdb_recording *r);
/* Creates a file in the run directory, for writing by the user only. It must
   not exist. Returns a descriptor, or -1 with errno set. */
int gaspdb_record_make_file(const struct gaspdb_recording *r, const char *name);
/* Opens the run directory for reading; NULL: failed. */
DIR *gaspdb_record_open_directory(const struct gaspdb_recording *r);
/* Does the directory's name still refer to it? */
bool gaspdb_record_has_directory(const struct gaspdb_recording *r);
/* Does the name end with the suffix, after at least one character? */
bool gaspdb_record_has_suffix(const char *name, const char *suffix);
/* Number of logs in the run directory; *bytes: their total size. */
int64_t gaspdb_record_count_logs(const struct gaspdb_recording *r,
				 int64_t *bytes);
/* Explanation why there is no log, with a remedy. The caller frees it. */
char *gaspdb_record_explain(const struct gaspdb_recording *r);
/* Writes run.txt to the run directory (run_facts.h). */
void gaspdb_record_write_facts(const struct gaspdb_recording *r);

#endif
