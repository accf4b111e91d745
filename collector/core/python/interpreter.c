/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPython of this process, found by its version among the global symbols.
 */
#include "collector/core/python/interpreter.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "collector/core/collector.h"
#include "collector/core/lock.h"

struct gaspdb_python gaspdb_python;
_Atomic enum gaspdb_python_status gaspdb_python_status;

#if UINTPTR_MAX > UINT32_MAX && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
	!defined GASPDB_UPC_OBJECT

static struct gaspdb_lock lock; /* of the look-up */

/* clang-format off */

static const struct gaspdb_python_layout layouts[] = {
	{ .from = 8, .to = 9, .state_frame = 24,
	  .frame_bytes = 108, .frame_code = 32, .frame_back = 24,
	  .frame_at = 104, .unit = 1,
	  .code_bytes = 128, .code_line = 40, .code_file = 104,
	  .code_name = 112, .code_table = 120,
	  .text_ascii = 48, .text_wide = 72 },
	{ .from = 10, .to = 10, .state_frame = 24,
	  .frame_bytes = 100, .frame_code = 32, .frame_back = 24,
	  .frame_at = 96, .unit = 2,
	  .code_bytes = 128, .code_line = 40, .code_file = 104,
	  .code_name = 112, .code_table = 120,
	  .text_ascii = 48, .text_wide = 72 },
	{ .from = 11, .to = 11, .state_frame = 56, .has_holder = true,
	  .holder_frame = 8,
	  .frame_bytes = 72, .frame_code = 32, .frame_back = 48,
	  .frame_owner = 69, .frame_at = 56,
	  .code_bytes = 144, .code_line = 72, .code_file = 112,
	  .code_name = 128, .code_table = 136, .code_first = 184,
	  .text_ascii = 48, .text_wide = 72 },
	{ .from = 12, .to = 12, .state_frame = 56, .has_holder = true,
	  .frame_bytes = 72, .frame_code = 0, .frame_back = 8,
	  .frame_owner = 70, .frame_at = 56,
	  .code_bytes = 144, .code_line = 68, .code_file = 112,
	  .code_name = 128, .code_table = 136, .code_first = 192,
	  .text_ascii = 40, .text_wide = 56 },
	{ .from = 13, .to = 13, .state_frame = 72,
	  .frame_bytes = 72, .frame_code = 0, .frame_back = 8,
	  .frame_owner = 70, .frame_at = 56,
	  .code_bytes = 144, .code_line = 68, .code_file = 112,
	  .code_name = 128, .code_table = 136, .code_first = 200,
	  .text_ascii = 40, .text_wide = 56 },
};

/* clang-format on */

static const struct gaspdb_python_layout *layout_of(const char *version)
{
	int major = 0, minor = 0;

	if (sscanf(version, "%d.%d", &major, &minor) != 2 || major != 3 ||
	    strstr(version, "free-threading"))
		return NULL;
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (minor >= layouts[i].from && minor <= layouts[i].to)
			return &layouts[i];
	return NULL;
}

static const char *version_of(void)
{
	const char *(*version)(void) = (const char *(*)(void))(size_t)dlsym(
		RTLD_DEFAULT, "Py_GetVersion");

	return version ? version() : NULL;
}

GASPDB_COLD void gaspdb_python_unusable(void)
{
	const char *version = version_of();

	gaspdb_python_status = GASPDB_PYTHON_ABSENT;
	gaspdb_metaf("limits",
		     "lines of Python %.*s are not known: calls have the place "
		     "in the C code that makes them for Python",
		     (int)strcspn(version, " "), version);
}

/* Finds the interpreter among the global symbols. */
static void look_up(void)
{
	const char *version = version_of();

	if (!version) {
		gaspdb_python_status = GASPDB_PYTHON_ABSENT;
		return;
	}
	gaspdb_python.layout = layout_of(version);
	*(void **)&gaspdb_python.state =
		dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
	*(void **)&gaspdb_python.is_initialized =
		dlsym(RTLD_DEFAULT, "Py_IsInitialized");
	*(void **)&gaspdb_python.line_at =
		dlsym(RTLD_DEFAULT, "PyCode_Addr2Line");
	gaspdb_python.code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
	gaspdb_python.text_type = dlsym(RTLD_DEFAULT, "PyUnicode_Type");
	if (gaspdb_python.layout && gaspdb_python.state &&
	    gaspdb_python.is_initialized && gaspdb_python.line_at &&
	    gaspdb_python.code_type && gaspdb_python.text_type)
		gaspdb_python_status = GASPDB_PYTHON_FOUND;
	else
		gaspdb_python_unusable();
}

GASPDB_COLD void gaspdb_python_find(void)
{
	if (!gaspdb_lock_enter(&lock))
		return;
	if (gaspdb_python_status == GASPDB_PYTHON_UNKNOWN)
		look_up();
	gaspdb_lock_leave(&lock);
}

#else

void gaspdb_python_find(void)
{
	gaspdb_python_status = GASPDB_PYTHON_ABSENT;
}

void gaspdb_python_unusable(void)
{
}

#endif
