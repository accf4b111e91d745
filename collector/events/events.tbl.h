/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every event of every model, in order.  The includer defines
 *   MODEL_BEGIN(MODEL, name)   before a model's rows
 *   EVENT(...)                 for each row; must survive re-definition: it
 *                              is named GASPDB_EVENT_ROW by the includer
 */
#ifndef MODEL_BEGIN
#define MODEL_BEGIN(model, name)
#endif
#define EVENT GASPDB_EVENT_ROW
MODEL_BEGIN(C, "C")
#include "c.tbl.h"
#define EVENT GASPDB_EVENT_ROW
MODEL_BEGIN(UPC, "UPC")
#include "upc.tbl.h"
#define EVENT GASPDB_EVENT_ROW
MODEL_BEGIN(SHMEM, "OpenSHMEM")
#include "shmem.tbl.h"
#define EVENT GASPDB_EVENT_ROW
MODEL_BEGIN(MPI, "MPI")
#include "mpi.tbl.h"
#undef MODEL_BEGIN
#undef GASPDB_EVENT_ROW
