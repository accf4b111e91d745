/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MPI programs in Fortran.  The preload library sees all calls that Fortran's
 * libraries make to the functions of C.  An adapter linked with the program
 * does not: Open MPI's Fortran library calls the PMPI_ functions.  MPICH's
 * calls the MPI_ functions, but in the mpi_f08 module only for calls with a
 * buffer, so that requests would never complete.  Such programs are recognised
 * by their start, which is recorded, as is their end; the log names the gap and
 * the cure.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "collector/models/mpi/adapter.h"
#include "collector/models/mpi/fortran.h"

static bool started_by_fortran;

#define CURE                                                                   \
	"leave gaspdb's libraries out of the link, and run the program with "  \
	"`gaspdb record`"

#ifdef OPEN_MPI
bool gaspdb_mpi_emit_fortran(void)
{
	if (gaspdb_is_preloaded())
		return true;
	if (started_by_fortran)
		gaspdb_meta("not_seen",
			    "this program's MPI calls are Fortran's and were "
			    "not seen: Open MPI's Fortran library bypasses the "
			    "functions of C; to record them, " CURE);
	else if (dlsym(RTLD_DEFAULT, "mpi_send_"))
		gaspdb_meta("not_seen",
			    "MPI calls of the program's Fortran parts, if any, "
			    "were not seen: to record them, " CURE);
	return true;
}
#else
bool gaspdb_mpi_emit_fortran(void)
{
	if (started_by_fortran)
		gaspdb_meta(
			"not_seen",
			"this program's MPI calls are Fortran's, through "
			"the mpi_f08 module, and were not seen: many of "
			"them bypass the functions of C; to record them, " CURE);
	return !started_by_fortran;
}
#endif

gaspdb_mpi_fortran_fn *gaspdb_mpi_fortran_next(gaspdb_mpi_fortran_fn **slot,
					       const char *name)
{
	gaspdb_mpi_fortran_fn *next = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (next)
		return next;
	next = (gaspdb_mpi_fortran_fn *)(size_t)dlsym(RTLD_NEXT, name);
	if (!next)
		gaspdb_complain("cannot find '%s' in the MPI library", name);
	__atomic_store_n(slot, next, __ATOMIC_RELAXED);
	return next;
}

/* --- the start and the end ------------------------------------------------ */

/* error may be NULL in calls through mpi_f08. */
static bool succeeded(const MPI_Fint *error)
{
	return !error || *error == MPI_SUCCESS;
}

/* A call of the start or the end. seen: its C function is recorded. */
struct fortran_call {
	gaspdb_mpi_fortran_fn *next;
	bool seen;
	struct gaspdb_place outer;
	struct gaspdb_mpi_call call;
};

static void open_call(struct fortran_call *f, gaspdb_mpi_fortran_fn **slot,
		      const char *name, bool seen,
		      const struct gaspdb_operation *op, const void *pc)
{
	f->next = gaspdb_mpi_fortran_next(slot, name);
	f->seen = seen || gaspdb_is_preloaded();
	f->call = (struct gaspdb_mpi_call){ .op = op, .entry.pc = pc };
	gaspdb_place_note(f->seen ? pc : NULL, &f->outer);
	if (!f->seen)
		f->call.c = gaspdb_enter(op, &f->call.entry);
}

static void start(struct fortran_call *f, MPI_Fint *required,
		  MPI_Fint *provided, MPI_Fint *error)
{
	if (!f->seen)
		gaspdb_mpi_starting(&f->call);
	started_by_fortran = started_by_fortran || !f->seen;
	if (f->next && required)
		f->next(required, provided, error, NULL, NULL, NULL, NULL, NULL,
			NULL, NULL, NULL, NULL, NULL, NULL);
	else if (f->next)
		f->next(error, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			NULL, NULL, NULL, NULL, NULL);
	if (!f->seen)
		gaspdb_mpi_started(&f->call, f->next && succeeded(error));
	gaspdb_place_restore(&f->outer);
}

static void end(struct fortran_call *f, MPI_Fint *error)
{
	if (!f->seen)
		gaspdb_mpi_ending(&f->call);
	if (f->next)
		f->next(error, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			NULL, NULL, NULL, NULL, NULL);
	if (!f->seen)
		gaspdb_mpi_ended(&f->call);
	gaspdb_place_restore(&f->outer);
}

/* clang-format off */

#define OPEN(ident, c_name, name, seen)                                        \
	extern gaspdb_mpi_fortran_fn *gaspdb_next_##name GASPDB_HIDDEN;        \
	static const struct gaspdb_operation op = { GASPDB_EVENT_MPI_##ident,  \
						    c_name };                  \
	struct fortran_call f;                                                 \
                                                                               \
	open_call(&f, &gaspdb_next_##name, #name, seen, &op, GASPDB_CALLER)

#define INIT(name, seen)                                                       \
void name(MPI_Fint *error);                                                    \
GASPDB_EXPORT void name(MPI_Fint *error)                                       \
{                                                                              \
	OPEN(INIT, "MPI_Init", name, seen);                                    \
	start(&f, NULL, NULL, error);                                          \
}

#define INIT_THREAD(name, seen)                                                \
void name(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);            \
GASPDB_EXPORT void name(MPI_Fint *required, MPI_Fint *provided,                \
			MPI_Fint *error)                                       \
{                                                                              \
	OPEN(INIT, "MPI_Init_thread", name, seen);                             \
	start(&f, required, provided, error);                                  \
}

#define FINALIZE(name, seen)                                                   \
void name(MPI_Fint *error);                                                    \
GASPDB_EXPORT void name(MPI_Fint *error)                                       \
{                                                                              \
	OPEN(FINALIZE, "MPI_Finalize", name, seen);                            \
	end(&f, error);                                                        \
}

INIT(mpi_init_f08_, false)
INIT_THREAD(mpi_init_thread_f08_, false)
FINALIZE(mpi_finalize_f08_, false)

#ifdef OPEN_MPI
#define SEEN false
#else
#define SEEN true
#endif

/* Names as Fortran compilers spell them. */
INIT(MPI_INIT, SEEN)
INIT(mpi_init, SEEN)
INIT(mpi_init_, SEEN)
INIT(mpi_init__, SEEN)
INIT_THREAD(MPI_INIT_THREAD, SEEN)
INIT_THREAD(mpi_init_thread, SEEN)
INIT_THREAD(mpi_init_thread_, SEEN)
INIT_THREAD(mpi_init_thread__, SEEN)
FINALIZE(MPI_FINALIZE, SEEN)
FINALIZE(mpi_finalize, SEEN)
FINALIZE(mpi_finalize_, SEEN)
FINALIZE(mpi_finalize__, SEEN)
/* clang-format on */
