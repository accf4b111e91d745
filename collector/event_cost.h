/* SPDX-License-Identifier: BSD-2-Clause */
/* What recording one raw event costs here, measured. */
#ifndef GASPDB_EVENT_COST_H
#define GASPDB_EVENT_COST_H

enum gaspdb_path {
	GASPDB_PATH_ADAPTER, /* gaspdb_start, gaspdb_end */
	GASPDB_PATH_GASP     /* gasp_event_notify */
};

/* Ticks; 0: not known.  Measured at the process's first call, some 100 us. */
double gaspdb_event_cost(enum gaspdb_path path);

#endif
