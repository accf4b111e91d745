/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gasp.h with the peculiarities of GNU's and Clang's UPC: see ../README.md. */
#ifndef TEST_GNU_GASP_H
#define TEST_GNU_GASP_H

#include <stdarg.h>

#define GASP_VERSION 20060914

typedef enum {
	GASP_MODEL_UPC,
	GASP_MODEL_TITANIUM,
	GASP_MODEL_CAF,
	GASP_MODEL_MPI,
	GASP_MODEL_SHMEM
} gasp_model_t;

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

extern gasp_context_t gasp_init(gasp_model_t, int *, char ***);
extern void gasp_event_notify(gasp_context_t, unsigned int, gasp_evttype_t,
			      const char *, int, int, ...);
extern void gasp_event_notifyVA(gasp_context_t, unsigned int, gasp_evttype_t,
				const char *, int, int, va_list);
extern int gasp_control(gasp_context_t, int);
extern unsigned int gasp_create_event(gasp_context_t, const char *,
				      const char *);

#endif
