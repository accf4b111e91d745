/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gasp.h that knows the names of GASP 1.3 alone, and has no version. */
#ifndef TEST_OLD_GASP_H
#define TEST_OLD_GASP_H

#include <stdarg.h>

typedef enum {
	GASP_LANG_UPC,
	GASP_LANG_TITANIUM,
	GASP_LANG_CAF,
	GASP_LANG_MPI,
	GASP_LANG_SHMEM
} gasp_lang_t;

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

gasp_context_t gasp_init(gasp_lang_t srclanguage, int *argc, char ***argv);
void gasp_event_notify(gasp_context_t context, unsigned int evttag,
		       gasp_evttype_t evttype, const char *filename,
		       int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag,
			 gasp_evttype_t evttype, const char *filename,
			 int linenum, int colnum, va_list varargs);
int gasp_control(gasp_context_t context, int on);
unsigned int gasp_create_event(gasp_context_t context, const char *name,
			       const char *desc);

#define GASP_USEREVT_START 2000
#define GASP_USEREVT_END   2099

#endif
