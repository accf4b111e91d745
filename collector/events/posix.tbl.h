/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls on files by POSIX and C's stdio (record --io).  Columns:
 * events/README.md.
 */
/* clang-format off */
EVENT(POSIX_OPEN, 900, "open", file, "SE", "team:u flags:i", "errno:i",
	"Opening of a file, as a descriptor",
	"open, openat, creat.  team is the file, which is named as the program "
	"names it; also after an error.")
EVENT(POSIX_FOPEN, 901, "fopen", file, "SE", "team:u", "errno:i",
	"Opening of a file, as a stream",
	"fopen, fdopen, freopen.")
EVENT(POSIX_CLOSE, 902, "close", file, "SE", "team:u", "errno:i",
	"Closing of a descriptor or a stream",
	"close, fclose.  fclose writes what is left in the stream's buffer.")
EVENT(POSIX_SEEK, 903, "lseek", file, "SE", "team:u", "offset:i errno:i",
	"Move of the file's pointer",
	"lseek, fseek, fseeko, rewind.  offset is the byte of the file where "
	"the pointer is then, of lseek alone; -1 unknown.")
EVENT(POSIX_TRUNCATE, 904, "ftruncate", file, "SE", "team:u size:i", "errno:i",
	"Change of a file's size",
	"ftruncate.")
EVENT(POSIX_SYNC, 905, "fsync", file_sync, "SE", "team:u", "errno:i",
	"Transfer of written data to the storage",
	"fsync, fdatasync.")
EVENT(POSIX_FLUSH, 906, "fflush", file_sync, "SE", "team:u", "errno:i",
	"Transfer of a stream's buffer to the system",
	"fflush.  Of all streams at once it has no file.")
EVENT(POSIX_READ, 910, "read", file_read, "SE",
	"team:u limit:z", "bytes:z errno:i",
	"Read from a file at its pointer",
	"read, readv, fread, fgets, getline, getdelim.  bytes is what was read, "
	"0 after an error.  Of a stream they may come from its buffer.")
EVENT(POSIX_READ_AT, 911, "pread", file_read, "SE",
	"team:u offset:i limit:z", "bytes:z errno:i",
	"Read from a file at an offset",
	"pread, preadv, preadv2.")
EVENT(POSIX_WRITE, 912, "write", file_write, "SE",
	"team:u", "bytes:z errno:i",
	"Write to a file at its pointer",
	"write, writev, fwrite, fputs, puts, printf and its kin.  bytes is what "
	"was written, 0 after an error.  Of a stream they may be in its buffer.")
EVENT(POSIX_WRITE_AT, 913, "pwrite", file_write, "SE",
	"team:u offset:i", "bytes:z errno:i",
	"Write to a file at an offset",
	"pwrite, pwritev, pwritev2.")
/* clang-format on */
#undef EVENT
