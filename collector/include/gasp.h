/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GASP, the Global Address Space Performance interface, version 1.5: the
 * model-independent part (section 3 of the specification).  For runtimes that
 * ship no header of their own.
 */
#ifndef _GASP_H
#define _GASP_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GASP_VERSION 20060914

typedef enum {
	GASP_MODEL_UPC,
	GASP_MODEL_TITANIUM,
	GASP_MODEL_CAF,
	GASP_MODEL_MPI,
	GASP_MODEL_SHMEM
} gasp_model_t;

typedef enum {
	GASP_START,
	GASP_END,
	GASP_ATOMIC
} gasp_evttype_t;

/* Names of GASP 1.3. */
#define gasp_lang_t	   gasp_model_t
#define GASP_LANG_UPC	   GASP_MODEL_UPC
#define GASP_LANG_TITANIUM GASP_MODEL_TITANIUM
#define GASP_LANG_CAF	   GASP_MODEL_CAF
#define GASP_LANG_MPI	   GASP_MODEL_MPI
#define GASP_LANG_SHMEM	   GASP_MODEL_SHMEM

struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/*
 * Called once by each thread and model before the user's code runs.  Returns
 * the thread's context, which all further calls for this thread and model
 * take; the tool owns it.
 */
gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);

/*
 * An event.  filename stays valid for the rest of the program; NULL, 0, 0
 * where the position is not known.  The arguments are those of evttag and
 * evttype in the model's tables.
 */
void gasp_event_notify(gasp_context_t context, unsigned int evttag,
		       gasp_evttype_t evttype, const char *filename,
		       int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag,
			 gasp_evttype_t evttype, const char *filename,
			 int linenum, int colnum, va_list varargs);

/*
 * Measure the calling thread's events (on != 0) or not.  Returns the value
 * given to the call before, nonzero if there was none.
 */
int gasp_control(gasp_context_t context, int on);

/*
 * A new user event of the calling thread; desc is a printf format of its
 * arguments, or NULL.  Neither string need outlive the call.  Returns its tag,
 * unique in the thread.  Ends the program when the tags are exhausted.
 */
unsigned int gasp_create_event(gasp_context_t context, const char *name,
			       const char *desc);

#ifdef __cplusplus
}
#endif

#endif
