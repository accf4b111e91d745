/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_PERSISTENT_REQUEST_SQL_H
#define GASPDB_ANALYSIS_COLLECTIVES_PERSISTENT_REQUEST_SQL_H

/* SQL: an argument of the call that made the request r of collective_request,
   if that is persistent and its making was recorded. */
#define GASPDB_OF_MAKING(name)                         \
	"(SELECT x.value FROM event_arg x "            \
	"JOIN argument a ON a.id = x.argument_id "     \
	"WHERE x.id BETWEEN r.made_event_id * 64 AND " \
	"r.made_event_id * 64 + 63 AND a.name = '" name "')"

#endif
