/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of each identity key's first value with later ones. */
#include "importer/log/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const keys[GASPDB_N_IDENTITY] = {
#define KEY(name) #name,
	GASPDB_IDENTITY_KEYS(KEY)
#undef KEY
};

bool gaspdb_identity_number(struct gaspdb_text t, int64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < t.n; i++) {
		if (i == 18 || t.p[i] < '0' || t.p[i] > '9')
			return false;
		*n = *n * 10 + (t.p[i] - '0');
	}
	return t.n > 0;
}

static int find_key(struct gaspdb_text key)
{
	int i = 0;

	while (i < GASPDB_N_IDENTITY &&
	       (strlen(keys[i]) != key.n || memcmp(keys[i], key.p, key.n) != 0))
		i++;
	return i;
}

/* Is this first value too late? The prescan reads only the first blocks;
   without a thread number there it uses the log's number. */
static bool comes_late(enum gaspdb_identity_key key,
		       const struct gaspdb_log_file *log,
		       struct gaspdb_text value)
{
	int64_t n;

	return key == GASPDB_IDENTITY_thread &&
	       gaspdb_identity_number(value, &n) && n < GASPDB_RANKS_MAX &&
	       n != log->number;
}

bool gaspdb_identity_contradicts(struct gaspdb_identity *identity,
				 struct gaspdb_registry *r,
				 const struct gaspdb_log_file *log,
				 const struct gaspdb_field *f,
				 char detail[static 200])
{
	const int key = find_key(f[0].s);
	const char *first, *now;
	uint32_t text;

	if (key == GASPDB_N_IDENTITY || identity->contradicted[key])
		return false;
	text = gaspdb_text_add(r, f[1].s) + 1;
	if (!identity->text[key]) {
		identity->text[key] = text;
		if (!comes_late(key, log, f[1].s))
			return false;
		snprintf(detail, 200,
			 "%s '%.40s', which was taken for %" PRId64, keys[key],
			 gaspdb_text_get(r, text - 1), log->number);
	} else if (identity->text[key] == text) {
		return false;
	} else {
		first = gaspdb_text_get(r, identity->text[key] - 1);
		now = gaspdb_text_get(r, text - 1);
		snprintf(detail, 200, "%s '%.70s', which was '%.70s'",
			 keys[key], now ? now : "", first ? first : "");
	}
	identity->contradicted[key] = true;
	return true;
}
