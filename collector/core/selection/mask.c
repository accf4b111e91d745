/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/selection/mask.h"

#include <stdio.h>

#include "collector/base/environment.h"
#include "collector/core/collector.h"
#include "collector/core/selection/selection_file.h"

struct gaspdb_masks gaspdb_masks;

static void read_list(char *list, size_t size, const char *variable)
{
	const char *value = gaspdb_getenv(variable);

	if (!value || !*value)
		return;
	gaspdb_masks.any = true;
	if ((size_t)snprintf(list, size, "%s", value) >= size)
		gaspdb_complain("%s is cut after %zu bytes", variable,
				size - 1);
}

static struct gaspdb_lists lists(void)
{
	return (struct gaspdb_lists){ gaspdb_masks.only, gaspdb_masks.except };
}

__attribute__((constructor)) void gaspdb_masks_load(void)
{
	static bool loaded;
	struct gaspdb_masks *m = &gaspdb_masks;
	struct gaspdb_lists l = lists();

	if (loaded)
		return;
	loaded = true;
	read_list(m->only, sizeof m->only, "GASPDB_ONLY");
	read_list(m->except, sizeof m->except, "GASPDB_EXCEPT");
	if (gaspdb_selection_is_given())
		m->any = true;
	else if (gaspdb_lists_name_functions(&l) ||
		 gaspdb_getenv("GASPDB_FILTER"))
		gaspdb_complain("file:, function: and GASPDB_FILTER select "
				"nothing without gaspdb record, which finds "
				"the functions");
}

bool gaspdb_is_masked(const struct gaspdb_names *names)
{
	const struct gaspdb_lists l = lists();

	return gaspdb_masks.any && gaspdb_lists_exclude(&l, names);
}

bool gaspdb_is_user_event_masked(const struct gaspdb_names *names)
{
	return gaspdb_is_masked(names) ||
	       gaspdb_selection_excludes_event(names->name);
}
