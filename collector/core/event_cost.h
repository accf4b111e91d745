/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured cost of recording one event. */
#ifndef GASPDB_COLLECTOR_CORE_EVENT_COST_H
#define GASPDB_COLLECTOR_CORE_EVENT_COST_H

enum gaspdb_path {
	GASPDB_PATH_ADAPTER, /* gaspdb_start, gaspdb_end */
	GASPDB_PATH_NOTIFY,  /* gasp_event_notify */
	GASPDB_PATH_LIST,    /* gasp_event_notifyVA */
	GASPDB_N_PATHS
};

/* Ticks per event of a path; 0: not known.  Measured at the process's first
   call for the path, in some 50 us. */
double gaspdb_event_cost(enum gaspdb_path path);

#endif
