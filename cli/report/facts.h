/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: facts of the run in a few words each. The caller frees them; "":
   unknown. */
#ifndef GASPDB_CLI_REPORT_FACTS_H
#define GASPDB_CLI_REPORT_FACTS_H

struct gaspdb_report;

/* "heat2d"; of several programs their names */
char *gaspdb_facts_program(struct gaspdb_report *r);
/* "4 ranks, MPI (Open MPI 4.1.4), 1 host with 2 processors" */
char *gaspdb_facts_size(struct gaspdb_report *r);
/* "MPI"; "Open MPI 4.1.4" */
char *gaspdb_facts_model(struct gaspdb_report *r);
char *gaspdb_facts_library(struct gaspdb_report *r);
/* "23.1 s", "at least 23.1 s" */
char *gaspdb_facts_time(struct gaspdb_report *r);
/* "1 host with 2 processors" */
char *gaspdb_facts_hosts(struct gaspdb_report *r);
/* "parallel efficiency 41 %" */
char *gaspdb_facts_efficiency(struct gaspdb_report *r);
/* "Time without a processor (4 ranks on 2 processors): ... Not recorded:
 * calls of Fortran. Data complete." */
char *gaspdb_facts_limits(struct gaspdb_report *r);
/* "for 71.2 % of the ranks' time (--phase=step:10..20); 93 raw events came
 * then"; "": no event came while recording was off */
char *gaspdb_facts_off(struct gaspdb_report *r);
/* "4 ranks on 2 processors; ..." */
char *gaspdb_facts_processors(struct gaspdb_report *r);

#endif
