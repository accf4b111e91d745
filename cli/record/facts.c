/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts after the command: its logs, and run.txt. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/log/log_format.h"
#include "cli/record/record.h"
#include "cli/run_facts.h"
#include "cli/output/text.h"

bool gaspdb_record_has_suffix(const char *name, const char *suffix)
{
	const size_t n = strlen(name), n_suffix = strlen(suffix);

	return n > n_suffix && !strcmp(name + n - n_suffix, suffix);
}

int64_t gaspdb_record_count_logs(const struct gaspdb_recording *r,
				 int64_t *bytes)
{
	DIR *dir = gaspdb_record_open_directory(r);
	const struct dirent *entry;
	int64_t n = 0;

	*bytes = 0;
	while (dir && (entry = readdir(dir))) {
		struct stat st;

		if (!gaspdb_record_has_suffix(entry->d_name, GASPDB_LOG_SUFFIX))
			continue;
		n++;
		if (fstatat(dirfd(dir), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) == 0)
			*bytes += st.st_size;
	}
	if (dir)
		closedir(dir);
	return n;
}

static void write_fact(FILE *f, const char *key, const char *value)
{
	char *safe = gaspdb_text_safe(value, strlen(value));

	fprintf(f, "%s: %s\n", key, safe);
	free(safe);
}

static void write_time(FILE *f, const char *key, int64_t real_ns)
{
	time_t seconds = (time_t)(real_ns / 1000000000);
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(f, "%s: %s.%09dZ\n", key, text, (int)(real_ns % 1000000000));
}

void gaspdb_record_write_facts(const struct gaspdb_recording *r)
{
	int fd = gaspdb_record_make_file(r, GASPDB_RUN_FACTS);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	char *directory = realpath(".", NULL);
	char host[256] = "";

	if (fd >= 0 && !f)
		close(fd);
	if (f) {
		gethostname(host, sizeof host - 1);
		fprintf(f, "%s: ", GASPDB_RUN_COMMAND);
		gaspdb_run_quote(f, r->command);
		putc('\n', f);
		write_fact(f, GASPDB_RUN_DIRECTORY, directory ? directory : "");
		write_time(f, GASPDB_RUN_START, r->start_ns);
		write_time(f, GASPDB_RUN_END, r->end_ns);
		fprintf(f, "%s: %d\n", GASPDB_RUN_STATUS, r->status);
		write_fact(f, GASPDB_RUN_HOST, host);
		write_fact(f, GASPDB_RUN_VERSION, GASPDB_VERSION);
		if (r->reason)
			write_fact(f, GASPDB_RUN_NOTHING, r->reason);
		fclose(f);
	}
	free(directory);
}
