/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gasp.h with the peculiarities of Berkeley UPC's: see ../README.md. */
#ifndef TEST_BERKELEY_GASP_H
#define TEST_BERKELEY_GASP_H

/* No <stdarg.h>: who includes this has done so before. */

#ifdef __cplusplus
extern "C" {
#endif

#define GASP_VERSION 20060914L

typedef enum {
	GASP_MODEL_UPC,
	GASP_MODEL_TITANIUM,
	GASP_MODEL_CAF,
	GASP_MODEL_MPI,
	GASP_MODEL_SHMEM
} gasp_model_t;

#define gasp_lang_t	   gasp_model_t
#define GASP_LANG_UPC	   GASP_MODEL_UPC
#define GASP_LANG_TITANIUM GASP_MODEL_TITANIUM
#define GASP_LANG_CAF	   GASP_MODEL_CAF
#define GASP_LANG_MPI	   GASP_MODEL_MPI
#define GASP_LANG_SHMEM	   GASP_MODEL_SHMEM

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

extern gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);
extern void gasp_event_notify(gasp_context_t context, unsigned int evttag,
			      gasp_evttype_t evttype, const char *filename,
			      int linenum, int colnum, ...);
extern void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag,
				gasp_evttype_t evttype, const char *filename,
				int linenum, int colnum, va_list varargs);
extern int gasp_control(gasp_context_t context, int on);
extern unsigned int gasp_create_event(gasp_context_t context, const char *name,
				      const char *desc);

#ifdef __cplusplus
}
#endif

#endif
