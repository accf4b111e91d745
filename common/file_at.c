/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pread() and pwrite(), repeated until complete. */
#include "common/file_at.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

bool gaspdb_read_at(int fd, void *to, size_t bytes, off_t at)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = pread(fd, (uint8_t *)to + done, bytes - done,
					at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

bool gaspdb_write_at(int fd, const void *from, size_t bytes, off_t at)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = pwrite(fd, (const uint8_t *)from + done,
					 bytes - done, at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = ENOSPC;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}
