/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MPI-IO.  A file is a team of its own, named by its path; collectives on it
 * are numbered there, those of one half of a split collective too.  Offsets are
 * bytes in the file, as far as the call names one.
 */
#include "collector/models/mpi/objects.h"

static struct gaspdb_mpi_objects files;

/* The file's team becomes the call's. */
static void find_file(struct gaspdb_mpi_call *call, MPI_File file)
{
	gaspdb_mpi_objects_find(&files, call, (uintptr_t)file);
}

#define TEAM	 gaspdb_mpi_comm_id(call.comm)
#define SEQUENCE gaspdb_mpi_comm_count(call.comm)

/* --- opening and closing -------------------------------------------------- */

static uint64_t add_file(const struct gaspdb_mpi_call *call, MPI_Comm comm,
			 uint64_t ordinal, const char *name, int mode,
			 MPI_File file)
{
	struct gaspdb_mpi_comm *team = gaspdb_mpi_comm_add_object(
		call->c, comm, call->comm, ordinal, "file", name);
	const uint64_t id = gaspdb_mpi_comm_id(team);

	if (team)
		team->sequential = mode & MPI_MODE_SEQUENTIAL;
	return gaspdb_mpi_objects_add(&files, (uintptr_t)file, team) ? id : 0;
}

GASPDB_EXPORT int MPI_File_open(MPI_Comm comm, const char *name, int mode,
				MPI_Info info, MPI_File *file)
{
	GASPDB_MPI_CALL(FILE_OPEN, MPI_File_open);
	uint64_t ordinal, id = 0;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_File_open)(comm, name, mode, info,
						      file);
	call.comm = gaspdb_mpi_comm_get(call.c, comm);
	ordinal = call.comm ? atomic_fetch_add(&call.comm->created, 1) : 0;
	gaspdb_mpi_start(&call, 3,
			 (uint64_t[]){ TEAM, SEQUENCE, (uint64_t)mode });
	rc = PMPI_File_open(comm, name, mode, info, file);
	if (rc == MPI_SUCCESS)
		id = add_file(&call, comm, ordinal, name, mode, *file);
	gaspdb_mpi_finish(&call, 1, &id);
	return rc;
}

GASPDB_EXPORT int MPI_File_close(MPI_File *file)
{
	GASPDB_MPI_CALL(FILE_CLOSE, MPI_File_close);
	const MPI_File handle = file ? *file : MPI_FILE_NULL;
	struct gaspdb_mpi_object *o;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_File_close)(file);
	find_file(&call, handle);
	gaspdb_mpi_start(&call, 2, (uint64_t[]){ TEAM, SEQUENCE });
	o = gaspdb_mpi_objects_unlink(&files, (uintptr_t)handle);
	rc = PMPI_File_close(file);
	gaspdb_mpi_objects_unlinked(&files, call.c, o, rc == MPI_SUCCESS);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

/* The file of a name that no communicator has opened: a team of the process
   alone.  NULL: no memory. */
static struct gaspdb_mpi_comm *name_file(struct gaspdb_context *c,
					 const char *name)
{
	struct gaspdb_mpi_comm *self = gaspdb_mpi_comm_get(c, MPI_COMM_SELF);

	return self ? gaspdb_mpi_comm_add_object(
			      c, MPI_COMM_SELF, self,
			      atomic_fetch_add(&self->created, 1), "file", name)
		    : NULL;
}

GASPDB_EXPORT int MPI_File_delete(const char *name, MPI_Info info)
{
	GASPDB_MPI_CALL(FILE_DELETE, MPI_File_delete);
	struct gaspdb_mpi_comm *file;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_File_delete)(name, info);
	file = name_file(call.c, name);
	gaspdb_mpi_start(&call, 1, (uint64_t[]){ gaspdb_mpi_comm_id(file) });
	rc = PMPI_File_delete(name, info);
	gaspdb_mpi_finish(&call, 0, NULL);
	if (file && gaspdb_mpi_comm_remove_object(file))
		gaspdb_mpi_comm_put(file);
	return rc;
}

/* --- calls that move no data ---------------------------------------------- */

/* clang-format off */
#define LIST(...) ((const uint64_t[]){ __VA_ARGS__ })

/* own: declarations; start and finish: expressions.  finish may use rc. */
#define WRAPPER(ident, name, own, start, finish, PARAMETERS, ...)              \
GASPDB_EXPORT int MPI_##name PARAMETERS                                        \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	own                                                                    \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(__VA_ARGS__);               \
	start;                                                                 \
	rc = PMPI_##name(__VA_ARGS__);                                         \
	finish;                                                                \
	return rc;                                                             \
}
#define NONE
#define FINISH gaspdb_mpi_finish(&call, 0, NULL)

#define ON_FILE(ident, name, n, list, PARAMETERS, ...)                         \
WRAPPER(ident, name, NONE,                                                     \
	(find_file(&call, file), gaspdb_mpi_start(&call, n, list)), FINISH,    \
	PARAMETERS, __VA_ARGS__)

ON_FILE(FILE_SET_SIZE, File_set_size, 3, LIST(TEAM, SEQUENCE, (uint64_t)size),
	(MPI_File file, MPI_Offset size), file, size)
ON_FILE(FILE_SET_SIZE, File_preallocate, 3,
	LIST(TEAM, SEQUENCE, (uint64_t)size),
	(MPI_File file, MPI_Offset size), file, size)
ON_FILE(FILE_SET_VIEW, File_set_view, 3, LIST(TEAM, SEQUENCE, (uint64_t)at),
	(MPI_File file, MPI_Offset at, MPI_Datatype etype,
	 MPI_Datatype filetype, const char *representation, MPI_Info info),
	file, at, etype, filetype, representation, info)
ON_FILE(FILE_SET_ATOMICITY, File_set_atomicity, 3,
	LIST(TEAM, SEQUENCE, flag != 0), (MPI_File file, int flag), file, flag)
ON_FILE(FILE_SYNC, File_sync, 2, LIST(TEAM, SEQUENCE), (MPI_File file), file)
ON_FILE(FILE_SEEK, File_seek, 1, LIST(TEAM),
	(MPI_File file, MPI_Offset offset, int whence), file, offset, whence)
ON_FILE(FILE_SEEK_SHARED, File_seek_shared, 2, LIST(TEAM, SEQUENCE),
	(MPI_File file, MPI_Offset offset, int whence), file, offset, whence)
/* clang-format on */

/* --- reading and writing -------------------------------------------------- */

/* Offsets of calls are in units of the file's view.  -1: not known. */
static uint64_t byte_of(const struct gaspdb_mpi_comm *team, MPI_File file,
			MPI_Offset offset)
{
	MPI_Offset byte = -1;

	if (!team || team->sequential || offset < 0 ||
	    PMPI_File_get_byte_offset(file, offset, &byte) != MPI_SUCCESS)
		return (uint64_t)-1;
	return (uint64_t)byte;
}

enum who { ALONE, ALL }; /* ALL: a collective */

/* at: the call's offset; NULL: it has none.  bytes: the size of its buffer. */
static void start_access(struct gaspdb_mpi_call *call, MPI_File file,
			 enum who who, const MPI_Offset *at, uint64_t bytes)
{
	uint64_t args[4];
	unsigned n = 0;

	find_file(call, file);
	args[n++] = gaspdb_mpi_comm_id(call->comm);
	if (who == ALL)
		args[n++] = gaspdb_mpi_comm_count(call->comm);
	if (at)
		args[n++] = byte_of(call->comm, file, *at);
	args[n++] = bytes;
	gaspdb_mpi_start(call, n, args);
}

/* The bytes read: fewer than the buffer has at the file's end. */
static void finish_read(const struct gaspdb_mpi_call *call, int rc,
			const MPI_Status *status)
{
	MPI_Count bytes = 0;
	uint64_t args[1];

	if (rc == MPI_SUCCESS)
		PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	args[0] = bytes > 0 ? (uint64_t)bytes : 0;
	gaspdb_mpi_finish(call, 1, args);
}

static void finish_begin(const struct gaspdb_mpi_call *call, int rc)
{
	const uint64_t serial = rc == MPI_SUCCESS ? gaspdb_mpi_serial() : 0;

	if (call->comm)
		call->comm->begun = gaspdb_recording(call->c) ? serial : 0;
	gaspdb_mpi_finish(call, 1, &serial);
}

static void finish_split(const struct gaspdb_mpi_call *call, int rc)
{
	const uint64_t serial =
		call->comm ? atomic_exchange(&call->comm->begun, 0) : 0;

	if (serial)
		gaspdb_mpi_file_completed(call->c, serial, rc);
	gaspdb_mpi_finish(call, 0, NULL);
}

/* clang-format off */

#define BYTES gaspdb_mpi_bytes((MPI_Count)count, type)

#define READ(ident, name, who, at, PARAMETERS, ...)                            \
WRAPPER(ident, name, MPI_Status own;,                                          \
	(start_access(&call, file, who, at, BYTES),                            \
	 status = status == MPI_STATUS_IGNORE ? &own : status),                \
	finish_read(&call, rc, status), PARAMETERS, __VA_ARGS__)

#define WRITE(ident, name, who, at, PARAMETERS, ...)                           \
WRAPPER(ident, name, NONE, start_access(&call, file, who, at, BYTES), FINISH,  \
	PARAMETERS, __VA_ARGS__)

#define NONBLOCKING(ident, name, who, at, PARAMETERS, ...)                     \
WRAPPER(ident, name, struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_FILE };, \
	start_access(&call, file, who, at, BYTES),                             \
	gaspdb_mpi_posted(&call, rc, request, &r), PARAMETERS, __VA_ARGS__)

#define BEGIN(ident, name, at, PARAMETERS, ...)                                \
WRAPPER(ident, name, NONE, start_access(&call, file, ALL, at, BYTES),          \
	finish_begin(&call, rc), PARAMETERS, __VA_ARGS__)

#define END(name, BUFFER)                                                      \
WRAPPER(FILE_END, name, NONE,                                                  \
	(find_file(&call, file),                                               \
	 gaspdb_mpi_start(&call, 2, LIST(TEAM, SEQUENCE))),                    \
	finish_split(&call, rc), (MPI_File file, BUFFER, MPI_Status *status),  \
	file, buffer, status)

#define P_PLAIN(BUFFER, C) MPI_File file, BUFFER, C count, MPI_Datatype type
#define P_AT(BUFFER, C)                                                        \
	MPI_File file, MPI_Offset offset, BUFFER, C count, MPI_Datatype type
#define A_PLAIN file, buffer, count, type
#define A_AT    file, offset, buffer, count, type

/* A direction, blocking: event, name, large, buffer, type of counts. */
#define BLOCKING(DO, EVENT, Name, large, BUFFER, C)                            \
DO(FILE_##EVENT, File_##Name##large, ALONE, NULL,                              \
   (P_PLAIN(BUFFER, C), MPI_Status *status), A_PLAIN, status)                  \
DO(FILE_##EVENT, File_##Name##_shared##large, ALONE, NULL,                     \
   (P_PLAIN(BUFFER, C), MPI_Status *status), A_PLAIN, status)                  \
DO(FILE_##EVENT##_AT, File_##Name##_at##large, ALONE, &offset,                 \
   (P_AT(BUFFER, C), MPI_Status *status), A_AT, status)                        \
DO(FILE_##EVENT##_ALL, File_##Name##_all##large, ALL, NULL,                    \
   (P_PLAIN(BUFFER, C), MPI_Status *status), A_PLAIN, status)                  \
DO(FILE_##EVENT##_ALL, File_##Name##_ordered##large, ALL, NULL,                \
   (P_PLAIN(BUFFER, C), MPI_Status *status), A_PLAIN, status)                  \
DO(FILE_##EVENT##_AT_ALL, File_##Name##_at_all##large, ALL, &offset,           \
   (P_AT(BUFFER, C), MPI_Status *status), A_AT, status)                        \
BEGIN(FILE_##EVENT##_BEGIN, File_##Name##_all_begin##large, NULL,              \
   (P_PLAIN(BUFFER, C)), A_PLAIN)                                              \
BEGIN(FILE_##EVENT##_BEGIN, File_##Name##_ordered_begin##large, NULL,          \
   (P_PLAIN(BUFFER, C)), A_PLAIN)                                              \
BEGIN(FILE_##EVENT##_AT_BEGIN, File_##Name##_at_all_begin##large, &offset,     \
   (P_AT(BUFFER, C)), A_AT)

/* The same, with requests. */
#define REQUESTS(EVENT, Name, large, BUFFER, C)                                \
NONBLOCKING(FILE_##EVENT, File_##Name##large, ALONE, NULL,                     \
   (P_PLAIN(BUFFER, C), MPI_Request *request), A_PLAIN, request)               \
NONBLOCKING(FILE_##EVENT, File_##Name##_shared##large, ALONE, NULL,            \
   (P_PLAIN(BUFFER, C), MPI_Request *request), A_PLAIN, request)               \
NONBLOCKING(FILE_##EVENT##_AT, File_##Name##_at##large, ALONE, &offset,        \
   (P_AT(BUFFER, C), MPI_Request *request), A_AT, request)                     \
NONBLOCKING(FILE_##EVENT##_ALL, File_##Name##_all##large, ALL, NULL,           \
   (P_PLAIN(BUFFER, C), MPI_Request *request), A_PLAIN, request)               \
NONBLOCKING(FILE_##EVENT##_AT_ALL, File_##Name##_at_all##large, ALL, &offset,  \
   (P_AT(BUFFER, C), MPI_Request *request), A_AT, request)

#define ACCESSES(large, C)                                                     \
BLOCKING(READ, READ, read, large, void *buffer, C)                             \
BLOCKING(WRITE, WRITE, write, large, const void *buffer, C)                    \
REQUESTS(IREAD, iread, large, void *buffer, C)                                 \
REQUESTS(IWRITE, iwrite, large, const void *buffer, C)

ACCESSES(, int)
GASPDB_MPI4(ACCESSES(_c, MPI_Count))

END(File_read_all_end, void *buffer)
END(File_read_at_all_end, void *buffer)
END(File_read_ordered_end, void *buffer)
END(File_write_all_end, const void *buffer)
END(File_write_at_all_end, const void *buffer)
END(File_write_ordered_end, const void *buffer)
/* clang-format on */
