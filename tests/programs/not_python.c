/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What looks like Python, and is none that is known.  -DMODULE: an extension
 * module, caller.so, with functions of an interpreter of -DVERSION whose frames
 * are nonsense.  Else the program that uses it.  A comment "#: CALL FUNCTION"
 * says what its line calls, and in which function.
 */
#include <mpi.h>
#include <stdint.h>

void call(void);

#ifdef MODULE

const char *Py_GetVersion(void);
int Py_IsInitialized(void);
void *PyGILState_GetThisThreadState(void);
int PyCode_Addr2Line(void *code, int offset);
void *PyInit_caller(void);
extern const char PyCode_Type[64], PyUnicode_Type[64];
const char PyCode_Type[64], PyUnicode_Type[64];

const char *Py_GetVersion(void)
{
	return VERSION;
}

int Py_IsInitialized(void)
{
	return 1;
}

/* As if all were pointers to itself, but code and the like, to nowhere. */
void *PyGILState_GetThisThreadState(void)
{
	static uintptr_t words[32];

	for (int i = 0; i < 32; i++)
		words[i] = (uintptr_t)words;
	words[0] = words[4] = 16;
	return words;
}

int PyCode_Addr2Line(void *code, int offset)
{
	return *(volatile int *)code + offset;
}

void *PyInit_caller(void)
{
	return 0;
}

void call(void)
{
	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD); /*#: MPI_Barrier call */
}

#else

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv); /*#: MPI_Init main */
	call();
	MPI_Finalize(); /*#: MPI_Finalize main */
	return 0;
}

#endif
