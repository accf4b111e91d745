/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a UPC library has for programs without a tool: weak, and idle. */
#include <stdarg.h>

#include <gasp.h>
#include <gasp_upc.h>

#define WEAK __attribute__((weak))
#ifndef TEST_MODEL_T
#define TEST_MODEL_T gasp_model_t
#endif

WEAK gasp_context_t gasp_init(TEST_MODEL_T model, int *argc, char ***argv)
{
	(void)model;
	(void)argc;
	(void)argv;
	return 0;
}

WEAK void gasp_event_notify(gasp_context_t context, unsigned int evttag,
			    gasp_evttype_t evttype, const char *filename,
			    int linenum, int colnum, ...)
{
	(void)context;
	(void)evttag;
	(void)evttype;
	(void)filename;
	(void)linenum;
	(void)colnum;
}

WEAK void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag,
			      gasp_evttype_t evttype, const char *filename,
			      int linenum, int colnum, va_list varargs)
{
	(void)context;
	(void)evttag;
	(void)evttype;
	(void)filename;
	(void)linenum;
	(void)colnum;
	(void)varargs;
}

WEAK int gasp_control(gasp_context_t context, int on)
{
	(void)context;
	return on;
}

WEAK unsigned int gasp_create_event(gasp_context_t context, const char *name,
				    const char *desc)
{
	(void)context;
	(void)name;
	(void)desc;
	return 0;
}
