/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For gaspdb_upcalls.upc compiled as C: everything is in stub.h. */
