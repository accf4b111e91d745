/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of OpenSHMEM.  Columns: events/README.md.  One row a family of
 * calls; the adapter passes each function's own name.
 */
/* clang-format off */
EVENT(SHMEM_INIT, 300, "shmem_init", init, "SE", "", "",
	"Start of OpenSHMEM",
	"start_pes and shmem_init_thread too.")
/* clang-format on */
#undef EVENT
