/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discovery of logs: in directories, archives, single files and streams. */
#include "importer/input/input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "common/file_at.h"
#include "importer/log/utf8.h"

/* --- names ---------------------------------------------------------------- */

/* The last three cannot be decoded; they are recognised to be reported. */
static const char *const packed[] = { ".gz",   ".xz", ".zst", ".bz2", ".lz4",
				      ".lzma", ".lz", ".Z",   ".lzo", ".lrz" };
static const char *const archives[] = { ".tar",	 ".tgz", ".txz", ".tzst",
					".tbz2", ".tbz", ".tlz", ".zip",
					".7z",	 ".cpio" };
static const char *const others[] = { "lines.tsv", "run.txt" };
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Length of name without suffix, in any case of letters (old file systems and
   tools may change it); 0: no such suffix, or nothing before it. */
static size_t without(const char *name, size_t n, const char *suffix)
{
	size_t s = strlen(suffix);

	return n > s && !strncasecmp(name + n - s, suffix, s) ? n - s : 0;
}

static size_t without_any(const char *name, size_t n,
			  const char *const *suffixes, size_t n_suffixes)
{
	size_t less;

	for (size_t i = 0; i < n_suffixes; i++) {
		less = without(name, n, suffixes[i]);
		if (less)
			return less;
	}
	return 0;
}

enum gaspdb_input_kind gaspdb_input_kind(const char *name)
{
	size_t n = strlen(name), less;

	if (!strncmp(name, "._", 2)) /* macOS metadata */
		return GASPDB_INPUT_NOTHING;
	if (without(name, n, GASPDB_LOG_SUFFIX))
		return GASPDB_INPUT_LOG;
	less = without_any(name, n, packed, COUNT(packed));
	if (less && without(name, less, GASPDB_LOG_SUFFIX))
		return GASPDB_INPUT_PACKED_LOG;
	for (size_t i = 0; i < COUNT(others); i++)
		if (!strcasecmp(name, others[i]))
			return GASPDB_INPUT_OTHER;
	if (without(name, n, GASPDB_FAILED_SUFFIX))
		return GASPDB_INPUT_OTHER;
	if (without_any(name, less ? less : n, archives, COUNT(archives)))
		return GASPDB_INPUT_ARCHIVE;
	return GASPDB_INPUT_NOTHING;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static char *copy_n(const char *s, size_t n)
{
	char *copy = gaspdb_mem_alloc(n + 1);

	memcpy(copy, s, n);
	return copy;
}

static char *copy(const char *s)
{
	return copy_n(s, strlen(s));
}

/* "FIRST/SECOND"; the caller frees it. */
static char *join(const char *first, const char *second)
{
	size_t size = strlen(first) + strlen(second) + 2;
	char *path = gaspdb_mem_alloc(size);

	snprintf(path, size, "%s/%s", first, second);
	return path;
}

char *gaspdb_input_stem(const char *path)
{
	size_t n = strlen(path), less;

	less = without_any(path, n, packed, COUNT(packed));
	n = less ? less : n;
	less = without_any(path, n, archives, COUNT(archives));
	if (!less)
		less = without(path, n, GASPDB_LOG_SUFFIX);
	return copy_n(path, less ? less : n);
}

/* --- files ---------------------------------------------------------------- */

static struct gaspdb_input_files *files_of(struct gaspdb_input *in,
					   enum gaspdb_input_kind kind)
{
	return kind == GASPDB_INPUT_OTHER ? &in->others : &in->logs;
}

struct gaspdb_input_file *gaspdb_input_add(struct gaspdb_input *in,
					   enum gaspdb_input_kind kind,
					   uint32_t folder, const char *name)
{
	struct gaspdb_input_files *files = files_of(in, kind);
	struct gaspdb_input_file *file;
	size_t n = strlen(name);

	if (files->n == GASPDB_LOGS_MAX)
		return NULL;
	if (kind == GASPDB_INPUT_PACKED_LOG)
		n = without_any(name, n, packed, COUNT(packed));
	files->file = gaspdb_mem_grow(files->file, &files->capacity,
				      files->n + 1, sizeof *files->file);
	file = &files->file[files->n++];
	memset(file, 0, sizeof *file);
	file->folder = folder;
	file->name = copy_n(name, n);
	gaspdb_utf8_repair(file->name, n);
	return file;
}

void gaspdb_input_add_bad(struct gaspdb_input *in, uint32_t folder,
			  const char *name, const char *why)
{
	struct gaspdb_input_file *file =
		gaspdb_input_add(in, GASPDB_INPUT_LOG, folder, name);

	if (file)
		file->why = copy(why);
}

static void free_file(struct gaspdb_input_file *file)
{
	free(file->name);
	free(file->path);
	free(file->why);
}

void gaspdb_input_take_back(struct gaspdb_input *in,
			    enum gaspdb_input_kind kind)
{
	struct gaspdb_input_files *files = files_of(in, kind);

	free_file(&files->file[--files->n]);
}

static int by_place(const void *a, const void *b)
{
	const struct gaspdb_input_file *x = a, *y = b;

	if (x->folder != y->folder)
		return x->folder < y->folder ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void free_files(struct gaspdb_input_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free_file(&files->file[i]);
	free(files->file);
	memset(files, 0, sizeof *files);
}

void gaspdb_input_forget(struct gaspdb_input *in)
{
	free_files(&in->logs);
	free_files(&in->others);
	gaspdb_names_free(&in->folders);
	in->spooled = in->packed = in->unpacked = 0;
}

void gaspdb_input_close(struct gaspdb_input *in)
{
	gaspdb_input_forget(in);
	free(in->label);
	free(in->within);
	free(in->name);
	free(in->where);
	if (in->spool >= 0)
		close(in->spool);
	memset(in, 0, sizeof *in);
	in->spool = -1;
}

/* --- directories ---------------------------------------------------------- */

struct walk {
	struct gaspdb_input *in;
	const struct gaspdb_input_options *options;
	struct gaspdb_defects *quality;
	struct gaspdb_error *err;
	const char *path; /* of the top folder */
	unsigned folders, depth;
};

static enum gaspdb_status unpack_file(struct walk *w, uint32_t folder,
				      const char *path, const char *name)
{
	int fd = gaspdb_input_regular(path, w->err);
	enum gaspdb_status status;

	if (fd < 0) {
		gaspdb_input_add_bad(w->in, folder, name, w->err->msg);
		return GASPDB_OK;
	}
	status = gaspdb_input_unpack(w->in, fd, name, &folder, w->options,
				     w->quality, w->err);
	close(fd);
	return status;
}

/* One file of a folder. Takes ownership of path. */
static enum gaspdb_status add_found(struct walk *w, uint32_t folder, char *path,
				    const char *name)
{
	enum gaspdb_input_kind kind = gaspdb_input_kind(name);
	enum gaspdb_status status = GASPDB_OK;
	struct gaspdb_input_file *file;

	if (kind == GASPDB_INPUT_ARCHIVE && !w->in->within) {
		w->in->within = copy(name);
		gaspdb_utf8_repair(w->in->within, strlen(name));
	}
	if (kind == GASPDB_INPUT_PACKED_LOG && w->options->spool) {
		status = unpack_file(w, folder, path, name);
	} else if (kind == GASPDB_INPUT_LOG || kind == GASPDB_INPUT_OTHER) {
		file = gaspdb_input_add(w->in, kind, folder, name);
		if (file) {
			file->path = path;
			return GASPDB_OK;
		}
	}
	free(path);
	return status;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode);
}

/* Reports a folder that cannot be read, with errno's reason: logs may be
   missing. */
static void report_folder(struct walk *w, const char *label, const char *what)
{
	gaspdb_fail_errno(w->err, "a folder that cannot be %s", what);
	gaspdb_defect_add(w->quality, GASPDB_QUALITY_LOG_UNREADABLE,
			  &(struct gaspdb_defect){ .file = *label ? label : ".",
						   .detail = w->err->msg });
}

/* The next entry of a folder; NULL: no more, or an error that was reported. */
static struct dirent *next_in(struct walk *w, DIR *dir, const char *label)
{
	struct dirent *entry;

	errno = 0;
	entry = readdir(dir);
	if (!entry && errno)
		report_folder(w, label, "read to its end");
	return entry;
}

static enum gaspdb_status walk_folder(struct walk *w, const char *label);

/* Searches the subfolders of a folder without logs. */
static enum gaspdb_status walk_below(struct walk *w, DIR *dir,
				     const char *label)
{
	enum gaspdb_status status = GASPDB_OK;
	struct dirent *entry;

	rewinddir(dir);
	while (!status && (entry = next_in(w, dir, label))) {
		char *below = *label ? join(label, entry->d_name)
				     : copy(entry->d_name);
		char *path = join(w->path, below);

		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    is_folder(path))
			status = walk_folder(w, below);
		free(path);
		free(below);
	}
	return status;
}

static enum gaspdb_status walk_folder(struct walk *w, const char *label)
{
	char *path = *label ? join(w->path, label) : copy(w->path);
	const bool beyond =
		w->depth > GASPDB_DEPTH_MAX || w->folders == GASPDB_FOLDERS_MAX;
	const size_t n_logs = w->in->logs.n;
	enum gaspdb_status status = GASPDB_OK;
	struct dirent *entry;
	uint32_t folder;
	DIR *dir;

	w->in->beyond |= beyond;
	dir = beyond || gaspdb_interrupted ? NULL : opendir(path);
	if (!dir) {
		if (!beyond && !gaspdb_interrupted)
			report_folder(w, label, "opened");
		free(path);
		return GASPDB_OK;
	}
	w->folders++;
	folder = gaspdb_names_add(&w->in->folders, label, strlen(label), NULL);
	while (!status && (entry = next_in(w, dir, label)))
		status = add_found(w, folder, join(path, entry->d_name),
				   entry->d_name);
	w->depth++;
	if (!status && w->in->logs.n == n_logs)
		status = walk_below(w, dir, label);
	w->depth--;
	closedir(dir);
	free(path);
	return status;
}

static enum gaspdb_status
open_folder(struct gaspdb_input *in, const struct gaspdb_input_options *options,
	    struct gaspdb_defects *quality, struct gaspdb_error *err)
{
	struct walk w = { .in = in,
			  .options = options,
			  .quality = quality,
			  .err = err,
			  .path = options->path };

	if (access(options->path, R_OK | X_OK))
		return gaspdb_fail_errno(err, "cannot open '%s'",
					 options->path);
	return walk_folder(&w, "");
}

/* --- a file --------------------------------------------------------------- */

static bool begins_like_log(int fd)
{
	char head[8];

	return gaspdb_read_at(fd, head, sizeof head, 0) &&
	       !memcmp(head, GASPDB_LOG_MAGIC, sizeof head);
}

/* A single log, and the other files of its folder. */
static void add_log(struct gaspdb_input *in, const char *path)
{
	const char *name = last_part(path);
	char *folder = name == path ? copy(".")
				    : copy_n(path, (size_t)(name - path - 1));
	uint32_t top = gaspdb_names_add(&in->folders, "", 0, NULL);
	struct gaspdb_input_file *file =
		gaspdb_input_add(in, GASPDB_INPUT_LOG, top, name);

	file->path = copy(path);
	for (size_t i = 0; i < COUNT(others); i++) {
		file = gaspdb_input_add(in, GASPDB_INPUT_OTHER, top, others[i]);
		file->path = join(*folder ? folder : "/", others[i]);
	}
	free(folder);
}

static enum gaspdb_status
open_stream(struct gaspdb_input *in, int fd, bool regular,
	    const struct gaspdb_input_options *options,
	    struct gaspdb_defects *quality, struct gaspdb_error *err)
{
	if (regular && begins_like_log(fd)) {
		add_log(in, options->path);
		return GASPDB_OK;
	}
	in->foreign = true;
	return gaspdb_input_unpack(in, fd, options->path, NULL, options,
				   quality, err);
}

/* Waits up to 5 s for a pipe's writer, then makes reads blocking. */
static bool has_writer(int fd)
{
	enum { TRIES = 50, STEP_NS = 100000000 };
	const struct timespec step = { 0, STEP_NS };
	ssize_t n = 0;
	int copy[2];

	if (pipe2(copy, O_CLOEXEC))
		return false;
	/* tee() consumes nothing; 0: neither bytes nor a writer. */
	for (int i = 0; i < TRIES && !gaspdb_interrupted; i++) {
		n = tee(fd, copy[1], 1, SPLICE_F_NONBLOCK);
		if (n)
			break;
		nanosleep(&step, NULL);
	}
	close(copy[0]);
	close(copy[1]);
	return n && !fcntl(fd, F_SETFL, O_RDONLY);
}

static enum gaspdb_status open_any(struct gaspdb_input *in,
				   const struct gaspdb_input_options *options,
				   struct gaspdb_defects *quality,
				   struct gaspdb_error *err)
{
	enum gaspdb_status status;
	struct stat st;
	int fd;

	if (!strcmp(options->path, "-"))
		return open_stream(in, STDIN_FILENO, false, options, quality,
				   err);
	/* Non-blocking: the other end of a pipe may never be opened. */
	fd = open(options->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st)) {
		status = gaspdb_fail_errno(err, "cannot open '%s'",
					   options->path);
	} else if (S_ISCHR(st.st_mode)) {
		status = gaspdb_fail(err, GASPDB_FAILED, "'%s' is a device",
				     options->path);
	} else if (S_ISFIFO(st.st_mode) && !has_writer(fd)) {
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "'%s' is a pipe that nobody writes to",
				     options->path);
	} else if (S_ISDIR(st.st_mode)) {
		status = open_folder(in, options, quality, err);
	} else {
		status = open_stream(in, fd, S_ISREG(st.st_mode), options,
				     quality, err);
	}
	if (fd >= 0)
		close(fd);
	return status;
}

/* --- which run ------------------------------------------------------------ */

const char *gaspdb_input_folder(const struct gaspdb_input *in, uint32_t folder)
{
	const char *name = in->folders.names[folder].bytes;

	return *name ? name : ".";
}

void gaspdb_input_choose(struct gaspdb_input *in, uint32_t folder)
{
	in->folder = folder;
	in->first = 0;
	while (in->first < in->logs.n &&
	       in->logs.file[in->first].folder != folder)
		in->first++;
	in->n = 0;
	while (in->first + in->n < in->logs.n &&
	       in->logs.file[in->first + in->n].folder == folder)
		in->n++;
}

bool gaspdb_input_is_called(const struct gaspdb_input *in, uint32_t number,
			    const char *name)
{
	const char *folder = gaspdb_input_folder(in, number);
	size_t n = strlen(name), n_folder = strlen(folder);

	while (n > 1 && name[n - 1] == '/')
		n--;
	return n <= n_folder && !memcmp(folder + n_folder - n, name, n) &&
	       (n == n_folder || folder[n_folder - n - 1] == '/');
}

static void name_run(struct gaspdb_input *in, const char *path)
{
	const char *folder = in->folders.names[in->folder].bytes;
	char *real = realpath(path, NULL);
	char *stem = gaspdb_input_stem(real ? real : in->label);

	in->name = copy(last_part(*folder ? folder : stem));
	in->where = *folder ? join(real ? real : in->label, folder)
			    : copy(real ? real : in->label);
	gaspdb_utf8_repair(in->name, strlen(in->name));
	gaspdb_utf8_repair(in->where, strlen(in->where));
	free(stem);
	free(real);
}

/*
 * Chooses a run: the only folder with logs, or the one that options->run names.
 */
static enum gaspdb_status choose(struct gaspdb_input *in,
				 const struct gaspdb_input_options *options,
				 struct gaspdb_error *err)
{
	const struct gaspdb_input_file *files = in->logs.file;
	uint32_t found = 0;
	unsigned runs = 0, n = 0;

	for (size_t i = 0; i < in->logs.n; i++) {
		if (i && files[i].folder == files[i - 1].folder)
			continue;
		runs++;
		if (options->run &&
		    !gaspdb_input_is_called(in, files[i].folder, options->run))
			continue;
		n++;
		found = files[i].folder;
	}
	if (n == 1) {
		gaspdb_input_choose(in, found);
		name_run(in, options->path);
		return GASPDB_OK;
	}
	in->several = true;
	if (n == 0 && options->run)
		return gaspdb_fail(err, GASPDB_FAILED, "'%s' holds no run '%s'",
				   in->label, options->run);
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' holds %u runs: choose one by --run=NAME",
			   in->label, options->run ? n : runs);
}

static enum gaspdb_status no_logs(const struct gaspdb_input *in,
				  const struct gaspdb_input_options *options,
				  struct gaspdb_error *err)
{
	char more[200] = "";

	if (in->within)
		snprintf(more, sizeof more,
			 "; '%.100s' in it is an archive: give that itself",
			 in->within);
	else if (in->beyond)
		snprintf(more, sizeof more,
			 "; deeper folders were not looked into");
	return gaspdb_fail(err, GASPDB_FAILED, "'%s' holds no logs (*%s)%s",
			   options->path, GASPDB_LOG_SUFFIX, more);
}

enum gaspdb_status gaspdb_input_open(struct gaspdb_input *in,
				     const struct gaspdb_input_options *options,
				     struct gaspdb_defects *quality,
				     struct gaspdb_error *err)
{
	enum gaspdb_status status;

	memset(in, 0, sizeof *in);
	in->spool = -1;
	in->label = copy(strcmp(options->path, "-") ? last_part(options->path)
						    : "standard input");
	gaspdb_utf8_repair(in->label, strlen(in->label));
	status = open_any(in, options, quality, err);
	if (gaspdb_interrupted)
		return gaspdb_fail(err, GASPDB_FAILED, "interrupted");
	if (status)
		return status;
	if (in->logs.n == 0)
		return no_logs(in, options, err);
	qsort(in->logs.file, in->logs.n, sizeof *in->logs.file, by_place);
	if (in->others.n)
		qsort(in->others.file, in->others.n, sizeof *in->others.file,
		      by_place);
	return choose(in, options, err);
}
