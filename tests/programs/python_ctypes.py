# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI by ctypes: python_ctypes.py LIBRARY.  A comment "#: CALL FUNCTION" says what its line calls, and in which function."""
import ctypes
import sys

mpi = ctypes.CDLL(sys.argv[1])
try:
    world = ctypes.byref(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world"))
    byte = ctypes.byref(ctypes.c_char.in_dll(mpi, "ompi_mpi_byte"))
except ValueError:  # MPICH's handles are numbers
    world, byte = 0x44000000, 0x4C00010D


def rank():
    number = ctypes.c_int(-1)
    mpi.MPI_Comm_rank(world, ctypes.byref(number))
    return number.value


def talk(buffer):
    status = ctypes.create_string_buffer(100)
    if rank() == 0:
        mpi.MPI_Send(buffer, 16, byte, 1, 5, world)  #: MPI_Send talk
    else:
        mpi.MPI_Recv(buffer, 16, byte, 0, 5, world, status)  #: MPI_Recv talk


mpi.MPI_Init(None, None)  #: MPI_Init <module>
talk(ctypes.create_string_buffer(16))
mpi.PMPI_Barrier(world)  #: MPI_Barrier <module>
mpi.MPI_Finalize()  #: MPI_Finalize <module>
