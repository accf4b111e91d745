/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a line of gaspdb info. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/info/info.h"
#include "cli/output/text.h"

void gaspdb_info_print(const char *key, const char *value)
{
	if (!value || !*value)
		return;
	char *safe = gaspdb_text_safe(value, strlen(value));
	printf("%-15s %s\n", key, safe);
	free(safe);
}
