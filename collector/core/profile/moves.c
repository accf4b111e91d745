/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/profile/moves.h"

#include <string.h>

/* Types whose calls are counted by peer and size, and what their peer is. */
static const struct {
	const char *type, *peer;
	enum gaspdb_way way;
	bool copies;
} types[] = {
	{ "get", "source_thread", GASPDB_WAY_FROM, false },
	{ "get_nb", "source_thread", GASPDB_WAY_FROM, false },
	{ "put", "target_thread", GASPDB_WAY_TO, false },
	{ "put_nb", "target_thread", GASPDB_WAY_TO, false },
	{ "copy", "target_thread", GASPDB_WAY_TO, true },
	{ "copy_nb", "target_thread", GASPDB_WAY_TO, true },
	{ "atomic", NULL, GASPDB_WAY_TO, false },
	{ "atomic_fetch", NULL, GASPDB_WAY_TO, false },
	{ "send", NULL, GASPDB_WAY_TO, false },
	{ "send_nb", NULL, GASPDB_WAY_TO, false },
	{ "send_receive", NULL, GASPDB_WAY_TO, false },
	{ "receive", NULL, GASPDB_WAY_FROM, false },
};

/* Types whose calls make a persistent request: its starts move the bytes. */
static bool is_preparing(const char *type)
{
	return !strcmp(type, "send_init") || !strcmp(type, "receive_init");
}

/* Index + 1 of an argument in a layout "name:code name:code"; 0: none. */
static uint8_t find(const char *layout, const char *name)
{
	const size_t n = strlen(name);
	unsigned i = 1;

	for (const char *p = layout; *p && i < 256; i++) {
		const size_t length = strcspn(p, " ");

		if (length > n && !strncmp(p, name, n) && p[n] == ':')
			return (uint8_t)i;
		p += length;
		p += strspn(p, " ");
	}
	return 0;
}

static uint8_t find_peer(const char *layout, const char *also)
{
	const uint8_t at = find(layout, "peer");

	return at || !also ? at : find(layout, also);
}

static void read_peers(struct gaspdb_moves *m, const char *type,
		       const char *const *layouts)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strcmp(types[i].type, type) != 0)
			continue;
		m->traffic = true;
		m->copies = types[i].copies;
		m->way = (uint8_t)types[i].way;
		for (unsigned k = 0; k < 2; k++) {
			m->at[k][GASPDB_MOVE_PEER] =
				find_peer(layouts[k], types[i].peer);
			if (m->copies)
				m->at[k][GASPDB_MOVE_SOURCE] =
					find(layouts[k], "source_thread");
			m->parts |= find(layouts[k], "source_thread") ||
				    find(layouts[k], "target_thread");
		}
	}
}

void gaspdb_moves_read(struct gaspdb_moves *m, const char *type,
		       const char *start, const char *end)
{
	const char *const layouts[] = { start, end };

	*m = (struct gaspdb_moves){ 0 };
	if (is_preparing(type))
		return;
	read_peers(m, type, layouts);
	for (unsigned k = 0; k < 2; k++) {
		uint8_t *at = m->at[k];

		at[GASPDB_MOVE_BYTES] = find(layouts[k], "bytes");
		at[GASPDB_MOVE_BLOCKS] = find(layouts[k], "blocks");
		at[GASPDB_MOVE_BLOCK_BYTES] = find(layouts[k], "block_bytes");
		for (unsigned i = 0; i < GASPDB_N_MOVES; i++)
			m->any |= at[i] != 0;
	}
}
