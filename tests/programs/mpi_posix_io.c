/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_posix_io FOLDER, of 2 ranks: calls on files by POSIX and stdio, all
 * kinds, also by a thread, in a child, in MPI-IO, and of what is no file.  Then
 * rank 0 writes while rank 1 waits in a barrier, ROUNDS times: `fault: barrier
 * 0 cases N seconds S`, S: what rank 1 waits there by its own clock.  What each
 * call moves is known to the script.  Compiled with -D_FORTIFY_SOURCE it calls
 * the checking variants.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

enum { ROUNDS = 5, CHARACTERS = 100 };

#define LATE 0.06 /* seconds */

static int me;
static char folder[256], path[512], buffer[1 << 16], much[1 << 20];

/* So that the compiler knows no size, and no flags. */
static volatile size_t none;
static volatile int read_only = O_RDONLY;

static void expect(int line, long got, long wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "line %d: %ld, not %ld\n", line, got, wanted);
	exit(3);
}

#define IS(call, wanted) expect(__LINE__, (long)(call), wanted)
/* A call that fails with errno why. */
#define FAILS(call, why)                                \
	(errno = 0, expect(__LINE__, (long)(call), -1), \
	 expect(__LINE__, errno, why))

static const char *name(const char *what)
{
	snprintf(path, sizeof path, "%s/%s.%d", folder, what, me);
	return path;
}

static struct iovec *parts(size_t a, size_t b)
{
	static struct iovec two[2];

	two[0] = (struct iovec){ buffer, a };
	two[1] = (struct iovec){ buffer, b };
	return two;
}

/* --- descriptors ---------------------------------------------------------- */

static void writing(int fd)
{
	IS(write(fd, buffer, none + 100), 100);
	IS(writev(fd, parts(20, 40), 2), 60);
	IS(pwrite(fd, buffer, none + 40, 1000), 40);
	IS(pwritev(fd, parts(5, 6), 2, 2000), 11);
	IS(pwritev2(fd, parts(3, 4), 2, 3000, 0), 7);
	IS(fsync(fd), 0);
	IS(fdatasync(fd), 0);
}

/* The file has 3007 bytes. */
static void reading(int fd)
{
	IS(lseek(fd, 10, SEEK_SET), 10);
	IS(read(fd, buffer, none + 64), 64);
	IS(readv(fd, parts(20, 30), 2), 50);
	IS(pread(fd, buffer, none + 100, 3000), 7); /* SHORT */
	IS(preadv(fd, parts(10, 10), 2, 2000), 20);
	IS(preadv2(fd, parts(10, 10), 2, 3007, 0), 0);
	IS(ftruncate(fd, 500), 0);
	IS(lseek(fd, 0, SEEK_END), 500);
}

static void failing(void)
{
	int fd;

	FAILS(open(name("absent"), O_RDONLY), ENOENT);
	fd = open(name("data"), read_only);
	FAILS(write(fd, buffer, none + 9), EBADF);
	FAILS(pread(fd, buffer, none + 9, -1), EINVAL);
	FAILS(ftruncate(fd, -1), EINVAL);
	IS(close(fd), 0);
	FAILS(close(fd), EBADF);
	FAILS(read(-1, buffer, none + 1), EBADF);
	IS(fopen(name("absent"), "r") == NULL, 1);
	IS(errno, ENOENT);
}

/* Each writes to one file. */
static void copies(void)
{
	int fd = open(name("copies"), O_CREAT | O_TRUNC | O_WRONLY, 0640), to;

	to = dup(fd);
	IS(write(to, buffer, none + 1), 1);
	IS(close(to), 0);
	IS(dup2(fd, 60), 60);
	IS(write(60, buffer, none + 2), 2);
	IS(close(60), 0);
	IS(dup3(fd, 61, O_CLOEXEC), 61);
	IS(write(61, buffer, none + 4), 4);
	IS(close(61), 0);
	to = fcntl(fd, F_DUPFD, 70);
	IS(write(to, buffer, none + 8), 8);
	IS(close(to), 0);
	IS(close(fd), 0);
}

static void nameless(int early)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY), fd;
	char made[512], relative[64];

	snprintf(relative, sizeof relative, "at.%d", me);
	fd = openat(at, relative, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	IS(write(fd, buffer, none + 16), 16);
	IS(close(fd), 0);
	IS(close(at), 0);
	snprintf(made, sizeof made, "%s/made.%d.XXXXXX", folder, me);
	fd = mkstemp(made);
	IS(write(fd, buffer, none + 32), 32);
	IS(close(fd), 0);
	unlink(made);
	fd = creat(name("creat"), 0600);
	IS(write(fd, buffer, none + 64), 64);
	IS(close(fd), 0);
	IS(write(early, buffer, none + 128), 128);
	IS(close(early), 0);
}

/* The descriptors of pipes are those of files before. */
static void no_files(void)
{
	char memory[64];
	int two[2];
	FILE *f;

	IS(pipe(two), 0);
	IS(write(two[1], buffer, none + 10), 10);
	IS(read(two[0], buffer, none + 10), 10);
	close(two[0]);
	close(two[1]);
	IS(socketpair(AF_UNIX, SOCK_STREAM, 0, two), 0);
	IS(write(two[1], buffer, none + 10), 10);
	IS(read(two[0], buffer, none + 10), 10);
	close(two[0]);
	close(two[1]);
	f = fmemopen(memory, sizeof memory, "w");
	IS(fwrite(buffer, 1, 10, f), 10);
	IS(fclose(f), 0);
}

/* --- streams -------------------------------------------------------------- */

static int print(FILE *f, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vfprintf(f, format, ap);
	va_end(ap);
	return n;
}

static void stream_writing(FILE *f)
{
	static const char *volatile text = "12345\n";

	IS(fwrite(buffer, none + 8, none + 10, f), 10);
	IS(fputs(text, f) >= 0, 1);
	IS(fprintf(f, "%s\n", text), 7);
	IS(print(f, "%s-\n", text), 8);
	for (int i = 0; i < CHARACTERS; i++)
		IS(putc('.', f), '.');
	IS(fflush(f), 0);
	IS(fseek(f, 80, SEEK_SET), 0);
}

/* The texts of stream_writing: a line, one and an empty one, and two more. */
static void stream_reading(FILE *f)
{
	char *line = NULL;
	size_t size = 0;

	IS(fgets(buffer, (int)none + 80, f) != NULL, 1);
	IS(getline(&line, &size, f), 6);
	IS(getdelim(&line, &size, '-', f), 8);
	for (int i = 0; i < CHARACTERS; i++)
		IS(getc(f) != EOF, 1);
	rewind(f);
	IS(fread(buffer, none + 10, none + 30, f), 20); /* SHORT */
	free(line);
}

static void streams(void)
{
	static const char *volatile text = "more";
	FILE *f = fopen(name("stream"), "w+");
	int fd;

	IS(fwrite(buffer, none + 1, none + 80, f), 80);
	rewind(f);
	stream_writing(f);
	stream_reading(f);
	IS(fclose(f), 0);
	fd = open(name("fdopen"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
	f = fdopen(fd, "w");
	IS(fputs(text, f) >= 0, 1);
	f = freopen(name("freopen"), "w", f);
	IS(fputs(text, f) >= 0, 1);
	IS(fclose(f), 0);
	fd = open(name("dprintf"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
	IS(dprintf(fd, "%s\n", text), 5);
	IS(close(fd), 0);
	printf("rank %s\n", text);
	puts(text);
	fflush(NULL);
}

/* --- threads, children, MPI-IO -------------------------------------------- */

static void *in_thread(void *unused)
{
	int fd = open(name("thread"), O_CREAT | O_TRUNC | O_WRONLY, 0600);

	for (int i = 0; i < 3; i++)
		IS(pwrite(fd, buffer, none + 256, 256 * i), 256);
	IS(close(fd), 0);
	return unused;
}

static int interrupted = -1;

/* Of the main thread, between two of its calls. */
static void handler(int signal)
{
	IS(write(interrupted, buffer, none + 3), 3);
	(void)signal;
}

static void others(void)
{
	pthread_t thread;
	MPI_File file;
	int status;

	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	interrupted = open(name("handler"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	IS(close(interrupted), 0);
	if (fork() == 0) {
		int fd = open(name("child"), O_CREAT | O_WRONLY, 0600);

		IS(write(fd, buffer, none + 512), 512);
		close(fd);
		_exit(0);
	}
	wait(&status);
	IS(status, 0);
	MPI_File_open(MPI_COMM_SELF, name("mpi"),
		      MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write(file, buffer, 1024, MPI_BYTE, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

/* --- rank 0 is late ------------------------------------------------------- */

static void write_much(int fd)
{
	IS(pwrite(fd, much, sizeof much, 0), sizeof much); /* LATE */
}

static void late(void)
{
	int fd = open(name("late"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
	double came, all[2], seconds = 0;

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		for (const double end = now() + LATE; me == 0 && now() < end;)
			write_much(fd);
		came = now();
		MPI_Barrier(MPI_COMM_WORLD); /* barrier */
		MPI_Gather(&came, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0,
			   MPI_COMM_WORLD);
		seconds += me == 0 ? all[0] - all[1] : 0;
	}
	close(fd);
	if (me == 0)
		printf("fault: barrier 0 cases %d seconds %.9f\n", ROUNDS,
		       seconds);
}

int main(int argc, char **argv)
{
	int early, fd;

	snprintf(folder, sizeof folder, "%s", argv[1]);
	snprintf(path, sizeof path, "%s/early", folder);
	early = open(path, O_CREAT | O_WRONLY, 0600);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	fd = open(name("data"), O_CREAT | O_TRUNC | O_RDWR, 0600);
	writing(fd);
	reading(fd);
	IS(close(fd), 0);
	failing();
	copies();
	nameless(early);
	no_files();
	streams();
	others();
	late();
	MPI_Finalize();
	return 0;
}
