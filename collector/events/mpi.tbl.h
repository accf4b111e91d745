/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of MPI.  Columns: events/README.md.
 */
/* clang-format off */
EVENT(MPI_INIT, 500, "MPI_Init", init, "SE", "", "",
	"Start of MPI",
	"MPI_Init_thread too.")
/* clang-format on */
#undef EVENT
