/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Archives: one sequential pass by libarchive. At most one compression is
 * undone, the one named by the first bytes, so that the ratio of output to
 * input is bounded; the output is limited as well. Entries that are not regular
 * files, or do not have the name of a log, are skipped.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "importer/input/unpack.h"
#include "common/interrupt.h"
#include "common/memory.h"

#define WARNS_MAX  16	/* warnings of one entry */
#define FAILED_MAX 1000 /* unreadable headers at one offset */

/* --- an entry's data ------------------------------------------------------ */

/* Does this result of a call for data end the entry? */
static bool is_end(int r, unsigned *warns)
{
	return (r != ARCHIVE_OK && r != ARCHIVE_WARN) ||
	       (r == ARCHIVE_WARN && ++*warns == WARNS_MAX);
}

/*
 * Skips an entry's data. libarchive's own function would not check the limits.
 */
static enum gaspdb_status skip_data(struct gaspdb_unpack *u)
{
	unsigned warns = 0;
	const void *block;
	size_t n;
	la_int64_t at;
	int r;

	if (u->seekable && !u->packed && !u->solid) {
		archive_read_data_skip(u->a);
		return gaspdb_unpack_check(u);
	}
	while ((r = archive_read_data_block(u->a, &block, &n, &at)) !=
	       ARCHIVE_EOF) {
		if (is_end(r, &warns))
			break;
		u->given += r ? 0 : n;
		if (gaspdb_unpack_check(u))
			return GASPDB_FAILED;
	}
	return GASPDB_OK; /* the next header reports the error */
}

/* Writes one block of an entry to the spool, at offset `at` of its file; bytes
   beyond max are dropped. */
static enum gaspdb_status take_block(struct gaspdb_unpack *u,
				     struct gaspdb_input_file *file,
				     const uint8_t *block, size_t n,
				     uint64_t at, uint64_t max)
{
	uint64_t hole = at > file->size ? at - file->size : 0;

	u->given += n + hole;
	u->zeros += hole;
	if (gaspdb_unpack_check(u))
		return GASPDB_FAILED;
	if (at >= max)
		return GASPDB_OK;
	if (n > max - at)
		n = (size_t)(max - at);
	if (at + n > file->size)
		file->size = at + n;
	/* An empty block marks the end of a hole at the file's end. */
	return n ? gaspdb_unpack_keep(u, block, n, file->offset + at)
		 : GASPDB_OK;
}

static bool is_log(const uint8_t *block, size_t n)
{
	return n >= 8 && !memcmp(block, GASPDB_LOG_MAGIC, 8);
}

/* Reading position in an entry. */
struct data {
	const void *block;
	size_t n;
	la_int64_t at;
	unsigned warns;
	bool damaged; /* an error or a warning was reported */
};

/* The next block of an entry; false: no more. A warning may come with the block
   that it concerns, or be about the whole, as a checksum is. */
static bool next_data(struct gaspdb_unpack *u, struct data *d)
{
	int r;

	d->block = NULL;
	d->n = 0;
	d->at = 0;
	r = archive_read_data_block(u->a, &d->block, &d->n, &d->at);
	if (r == ARCHIVE_EOF)
		return false;
	if (r)
		gaspdb_unpack_damage(u, r);
	d->damaged |= r != ARCHIVE_OK;
	return !is_end(r, &d->warns);
}

/* Copies an entry to the spool, whole or up to damage. A file that is not a log
   is cut to GASPDB_HEAD_MAX bytes. */
static enum gaspdb_status take_data(struct gaspdb_unpack *u,
				    struct gaspdb_input_file *file,
				    uint64_t max, bool must_be_log)
{
	struct data d = { 0 };
	bool first = true;

	file->offset = u->in->spooled;
	while (next_data(u, &d)) {
		if (first && d.n && !is_log(d.block, d.n)) {
			if (must_be_log)
				return gaspdb_unpack_nothing(u);
			max = max < GASPDB_HEAD_MAX ? max : GASPDB_HEAD_MAX;
		}
		first = false;
		if (d.at < 0 ||
		    take_block(u, file, d.block, d.n, (uint64_t)d.at, max))
			break;
	}
	u->in->spooled += file->size;
	u->unread = d.damaged && !file->size;
	return u->stopped ? GASPDB_FAILED : GASPDB_OK;
}

/* --- entries -------------------------------------------------------------- */

/* The normalised name: a//./b is a/b, /a is a. The caller frees it. */
static char *clean_name(const char *name)
{
	char *clean = gaspdb_mem_alloc(strlen(name) + 1), *to = clean;

	while (*name) {
		size_t n = strcspn(name, "/");

		if (n && !(n == 1 && *name == '.')) {
			if (to > clean)
				*to++ = '/';
			memcpy(to, name, n);
			to += n;
		}
		name += n + (name[n] == '/');
	}
	*to = 0;
	return clean;
}

/* Why an entry cannot be read as a file; NULL: it can. */
static const char *objection(struct archive_entry *e)
{
	if (archive_entry_is_encrypted(e))
		return "it is encrypted";
	if (archive_entry_filetype(e) == AE_IFLNK)
		return "it is a symbolic link";
	if (archive_entry_filetype(e) != AE_IFREG && !archive_entry_hardlink(e))
		return "it is not a regular file";
	return NULL;
}

/* Number of an entry's bytes to keep. A run that is not chosen is only listed,
   and for that the beginnings of its logs suffice. */
static uint64_t bytes_wanted(struct gaspdb_unpack *u,
			     enum gaspdb_input_kind kind, uint32_t folder)
{
	if (kind == GASPDB_INPUT_OTHER)
		return UINT64_MAX;
	if (u->n_runs == 0 || folder != u->last_folder)
		u->n_runs++;
	u->last_folder = folder;
	if (u->options->run
		    ? gaspdb_input_is_called(u->in, folder, u->options->run)
		    : u->n_runs == 1)
		return UINT64_MAX;
	return u->keep_all ? UINT64_MAX : GASPDB_HEAD_MAX;
}

/* Registers a file under its path, as a target of hard links. */
static void remember(struct gaspdb_unpack *u, const char *path,
		     const struct gaspdb_input_file *file)
{
	uint32_t i = gaspdb_names_add(&u->paths, path, strlen(path), NULL);

	u->seen = gaspdb_mem_grow(u->seen, &u->seen_capacity, i + 1,
				  sizeof *u->seen);
	u->seen[i] = *file;
}

/* Adds a file to the input; NULL: too many, reported as skipped. */
static struct gaspdb_input_file *add_file(struct gaspdb_unpack *u,
					  const char *name,
					  enum gaspdb_input_kind kind,
					  uint32_t folder)
{
	struct gaspdb_input_file *file =
		gaspdb_input_add(u->in, kind, folder, name);

	if (!file)
		gaspdb_unpack_skipped(u, "there are too many logs");
	return file;
}

/* A hard link: a second name of an earlier entry. */
static void take_link(struct gaspdb_unpack *u, const char *target,
		      const char *name, enum gaspdb_input_kind kind,
		      uint32_t folder)
{
	char *path = clean_name(target);
	uint32_t i = gaspdb_names_find(&u->paths, path, strlen(path));
	struct gaspdb_input_file *file;

	free(path);
	if (i == GASPDB_ABSENT) {
		gaspdb_unpack_skipped(
			u, "it is a link to what the archive does not hold");
		return;
	}
	file = add_file(u, name, kind, folder);
	if (!file)
		return;
	/* The chosen run needs the whole log, of which only the beginning was
	   kept. */
	if (bytes_wanted(u, kind, folder) > u->seen[i].size &&
	    u->seen[i].size == GASPDB_HEAD_MAX)
		u->needs_all = true;
	file->offset = u->seen[i].offset;
	file->size = u->seen[i].size;
	remember(u, u->entry, file);
}

static enum gaspdb_status take_packed(struct gaspdb_unpack *u, const char *name,
				      uint32_t folder);

static enum gaspdb_status take_file(struct gaspdb_unpack *u,
				    struct archive_entry *e, const char *name,
				    enum gaspdb_input_kind kind,
				    uint32_t folder)
{
	struct gaspdb_input_file *file;
	const char *target = archive_entry_hardlink(e);
	enum gaspdb_status status;
	uint64_t max;

	if (target && !archive_entry_size(e)) {
		take_link(u, target, name, kind, folder);
		return GASPDB_OK;
	}
	max = bytes_wanted(u, kind, folder);
	if (kind == GASPDB_INPUT_PACKED_LOG)
		return take_packed(u, name, folder);
	file = add_file(u, name, kind, folder);
	if (!file)
		return skip_data(u);
	status = take_data(u, file, max, false);
	if (u->unread) /* unreadable and reported, not empty */
		gaspdb_input_take_back(u->in, kind);
	else
		remember(u, u->entry, file);
	return status;
}

/* One entry; path: its normalised name with folders. */
static enum gaspdb_status take_entry(struct gaspdb_unpack *u,
				     struct archive_entry *e, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	enum gaspdb_input_kind kind = gaspdb_input_kind(name);
	const char *why = objection(e);
	uint32_t folder;

	if (strlen(path) > GASPDB_NAME_MAX)
		why = "its name is too long";
	if (kind == GASPDB_INPUT_ARCHIVE && !*u->why)
		snprintf(u->why, sizeof u->why,
			 "'%.80s' is an archive within it, which is not looked "
			 "into",
			 path);
	if (kind == GASPDB_INPUT_NOTHING || kind == GASPDB_INPUT_ARCHIVE ||
	    archive_entry_filetype(e) == AE_IFDIR ||
	    (why && kind == GASPDB_INPUT_OTHER))
		return skip_data(u);
	if (why) {
		gaspdb_unpack_skipped(u, why);
		return archive_entry_is_encrypted(e) ? GASPDB_OK : skip_data(u);
	}
	folder = gaspdb_names_add(&u->in->folders, path,
				  slash ? (size_t)(slash - path) : 0, NULL);
	return take_file(u, e, name, kind, folder);
}

static enum gaspdb_status take_next(struct gaspdb_unpack *u,
				    struct archive_entry *e)
{
	const char *name = archive_entry_pathname(e);
	enum gaspdb_status status;
	char *path;

	u->n_entries++;
	if (!name) /* not representable in the locale */
		name = archive_entry_pathname_utf8(e);
	if (!name) {
		u->entry = NULL;
		gaspdb_unpack_skipped(u, "an entry whose name cannot be read");
		return skip_data(u);
	}
	u->entry = path = clean_name(name);
	status = take_entry(u, e, path);
	u->entry = NULL;
	free(path);
	return status;
}

/* --- archives ------------------------------------------------------------- */

/* An archive without entries: one compressed log. */
static enum gaspdb_status take_single(struct gaspdb_unpack *u, const char *name,
				      uint32_t folder, bool must_be_log)
{
	enum gaspdb_input_kind kind = gaspdb_input_kind(name);
	struct gaspdb_input_file *file = gaspdb_input_add(
		u->in,
		kind == GASPDB_INPUT_PACKED_LOG ? kind : GASPDB_INPUT_LOG,
		folder, name);

	return file ? take_data(u, file, UINT64_MAX, must_be_log) : GASPDB_OK;
}

/* Handles a bad header: reports it once, then lets libarchive search for the
   next good one. Returns whether to go on. */
static bool pass_over(struct gaspdb_unpack *u, int r)
{
	const la_int64_t at = archive_filter_bytes(u->a, 0);

	if (u->n_failed == 0)
		gaspdb_unpack_damage(u, r);
	if (at != u->failed_at)
		u->n_failed = 0;
	u->failed_at = at;
	return r != ARCHIVE_FATAL && ++u->n_failed < FAILED_MAX;
}

static enum gaspdb_status take_entries(struct gaspdb_unpack *u)
{
	const char *slash = strrchr(u->label, '/');
	struct archive_entry *e;
	int r;

	while ((r = archive_read_next_header(u->a, &e)) != ARCHIVE_EOF) {
		if (gaspdb_unpack_check(u))
			return GASPDB_FAILED;
		if (r != ARCHIVE_OK && r != ARCHIVE_WARN) {
			const bool can_go_on = pass_over(u, r);

			if (gaspdb_behind_look(u) || !can_go_on)
				break;
			continue;
		}
		u->n_failed = 0;
		if (r == ARCHIVE_WARN)
			gaspdb_unpack_resync(u);
		gaspdb_behind_header(u, e);
		if (archive_format(u->a) == ARCHIVE_FORMAT_RAW)
			return take_single(
				u, slash ? slash + 1 : u->label,
				gaspdb_names_add(&u->in->folders, "", 0, NULL),
				true);
		if (take_next(u, e))
			return GASPDB_FAILED;
	}
	if (r == ARCHIVE_EOF)
		gaspdb_unpack_end(u);
	return u->stopped ? GASPDB_FAILED : GASPDB_OK;
}

static enum gaspdb_status open_packed_log(struct gaspdb_unpack *u)
{
	enum gaspdb_status status = gaspdb_unpack_head(u);
	const size_t n = u->n_head;
	struct archive_entry *e;

	if (!status && n == 0)
		return gaspdb_fail(u->err, GASPDB_DAMAGED, "the file is empty");
	if (!status)
		status = gaspdb_unpack_open(u, true);
	if (!status && !u->packed && n < 8)
		return gaspdb_fail(u->err, GASPDB_DAMAGED,
				   "the file is cut: it has only %zu bytes", n);
	if (!status && archive_read_next_header(u->a, &e) < ARCHIVE_WARN)
		status = gaspdb_fail(u->err, GASPDB_DAMAGED, "%s",
				     gaspdb_unpack_why(u));
	return status;
}

/* One compressed log, a file or an entry of an archive. One that cannot be read
   is marked as bad; reading goes on with the others. */
static enum gaspdb_status take_packed_log(struct gaspdb_unpack *u,
					  const char *name, uint32_t folder)
{
	enum gaspdb_status status = open_packed_log(u);

	u->entry = name;
	if (u->stopped)
		return GASPDB_FAILED;
	if (!status)
		return take_single(u, name, folder, false);
	gaspdb_input_add_bad(u->in, folder, name, u->err->msg);
	return GASPDB_OK;
}

static enum gaspdb_status take_packed(struct gaspdb_unpack *outer,
				      const char *name, uint32_t folder)
{
	struct gaspdb_unpack u = { .in = outer->in,
				   .options = outer->options,
				   .quality = outer->quality,
				   .err = outer->err,
				   .label = outer->label,
				   .outer = outer,
				   .fd = -1 };
	enum gaspdb_status status = take_packed_log(&u, name, folder);

	gaspdb_unpack_close(&u);
	return outer->stopped ? GASPDB_FAILED : status;
}

/* An uncompressed log from a pipe. */
static enum gaspdb_status take_stream(struct gaspdb_unpack *u)
{
	struct gaspdb_input_file *file = gaspdb_input_add(
		u->in, GASPDB_INPUT_LOG,
		gaspdb_names_add(&u->in->folders, "", 0, NULL), u->label);
	la_ssize_t n = (la_ssize_t)u->n_head;

	while (n > 0) {
		if (gaspdb_interrupted ||
		    gaspdb_unpack_keep(u, u->chunk, (size_t)n, file->size))
			return GASPDB_FAILED;
		file->size += (uint64_t)n;
		n = gaspdb_unpack_chunk(u);
	}
	u->in->spooled = file->size;
	if (n < 0) {
		gaspdb_fail_errno(u->err, "cannot read '%s'", u->label);
		return gaspdb_unpack_stop(u);
	}
	return GASPDB_OK;
}

static enum gaspdb_status take_all(struct gaspdb_unpack *u)
{
	enum gaspdb_status status = gaspdb_unpack_head(u);

	if (!status && !u->seekable &&
	    (gaspdb_zip_begins(u) || gaspdb_seven_begins(u)))
		status = gaspdb_unpack_settle(u);
	u->keep_all |= u->options->run &&
		       !u->seekable; /* a pipe cannot be read twice */
	if (!status && u->n_head == 0)
		status = gaspdb_fail(u->err, GASPDB_DAMAGED, "'%s' is empty",
				     u->options->path);
	if (!status && is_log(u->chunk, u->n_head))
		return take_stream(u);
	if (!status)
		status = gaspdb_unpack_open(u, false);
	return status ? gaspdb_unpack_stop(u) : take_entries(u);
}

/* Second pass, from offset begin: 0 starts over, else its files are added.
   Bytes read twice count once as input. */
static enum gaspdb_status take_again(struct gaspdb_unpack *u, uint64_t begin,
				     struct gaspdb_defects *quality,
				     bool keep_all)
{
	struct gaspdb_input *in = u->in;
	struct gaspdb_unpack again = { .in = in,
				       .options = u->options,
				       .quality = quality,
				       .err = u->err,
				       .label = u->label,
				       .keep_all = keep_all,
				       .begin = begin,
				       .counted_in = begin ? UINT64_MAX : 0,
				       .n_runs = begin ? u->n_runs : 0,
				       .last_folder = u->last_folder,
				       .fd = u->fd };
	enum gaspdb_status status;

	if (begin)
		gaspdb_unpack_hand_over(&again, u);
	else
		gaspdb_input_forget(in);
	if (lseek(u->fd, (off_t)begin, SEEK_SET) < 0 ||
	    (!begin && in->spool >= 0 && ftruncate(in->spool, 0)))
		status = gaspdb_fail_errno(u->err, "cannot read '%s' again",
					   u->label);
	else
		status = take_all(&again);
	u->needs_all |= again.needs_all;
	u->n_runs = again.n_runs;
	u->last_folder = again.last_folder;
	u->lost = again.lost;
	gaspdb_unpack_hand_over(u, &again);
	if (*again.why)
		memcpy(u->why, again.why, sizeof u->why);
	gaspdb_unpack_close(&again);
	return status;
}

/* Repeats the pass after each header that libarchive skipped. */
static enum gaspdb_status take_rest(struct gaspdb_unpack *u,
				    struct gaspdb_defects *quality,
				    bool keep_all)
{
	enum gaspdb_status status = GASPDB_OK;

	while (!status && u->lost)
		status = take_again(u, u->lost, quality, keep_all);
	return status;
}

/* Pass over the whole archive that keeps all logs whole: a log of the chosen
   run links to one of another run. Defects were reported by the first pass. */
static enum gaspdb_status take_whole(struct gaspdb_unpack *u)
{
	struct gaspdb_defects unreported;
	enum gaspdb_status status;

	gaspdb_defects_init(&unreported, NULL);
	status = take_again(u, 0, &unreported, true);
	return status ? status : take_rest(u, &unreported, true);
}

enum gaspdb_status
gaspdb_input_unpack(struct gaspdb_input *in, int fd, const char *name,
		    const uint32_t *in_folder,
		    const struct gaspdb_input_options *options,
		    struct gaspdb_defects *quality, struct gaspdb_error *err)
{
	struct gaspdb_unpack u = { .in = in,
				   .options = options,
				   .quality = quality,
				   .err = err,
				   .label = in_folder ? name : in->label,
				   .fd = fd };
	enum gaspdb_status status =
		in_folder ? take_packed_log(&u, name, *in_folder)
			  : take_all(&u);

	if (!status)
		status = take_rest(&u, quality, u.keep_all);
	if (!status && u.needs_all && u.seekable)
		status = take_whole(&u);
	/* Zeros at a log's end were not written either: extend the file. */
	if (!status && in->spool >= 0 &&
	    ftruncate(in->spool, (off_t)in->spooled))
		status = gaspdb_fail_errno(err,
					   "cannot write a temporary file "
					   "in '%s'",
					   options->spool);
	if (!status && !in_folder && in->logs.n == 0 && *u.why)
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "'%s' holds no logs that can be read: %s",
				     options->path, u.why);
	gaspdb_unpack_close(&u);
	return status;
}
