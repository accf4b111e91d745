/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programming models of a thread.  Its words and its rank are those of the
 * first; a hybrid program's threads have further ones.
 */
#include <stdio.h>
#include <string.h>

#include "importer/log/utf8.h"
#include "importer/replay/replay.h"

void gaspdb_replay_model(struct gaspdb_importer *im, uint32_t text)
{
	char detail[200];

	if (!im->reading.model) {
		im->reading.model = text;
		return;
	}
	if (im->reading.model == text || im->reading.models)
		return;
	im->reading.models = true;
	snprintf(detail, sizeof detail, "%.60s, and %.60s",
		 gaspdb_text_get(&im->registry, im->reading.model),
		 text ? gaspdb_text_get(&im->registry, text) : "''");
	gaspdb_defect_add(&im->quality, GASPDB_QUALITY_MODELS,
			  &(struct gaspdb_defect){ .detail = detail });
}

/* Are these the functions, the memory and the files of any program?  They are
   no model of its parallelism. */
static bool is_language(const char *model)
{
	return !strcmp(model, "C") || !strcmp(model, "POSIX");
}

static size_t append(const struct gaspdb_importer *im, char *list, size_t used,
		     uint32_t text)
{
	char *at = list + used;
	size_t n;

	snprintf(at, GASPDB_MODEL_BYTES, "%s%s", used ? "+" : "",
		 gaspdb_text_get(&im->registry, text));
	n = strlen(at);
	gaspdb_utf8_repair(at, n); /* it may be cut */
	return used + n;
}

void gaspdb_replay_models(const struct gaspdb_importer *im,
			  char list[GASPDB_MODELS_BYTES])
{
	const struct gaspdb_definitions *d = &im->definitions;
	const uint32_t first = im->reading.model;
	size_t used = 0;

	list[0] = '\0';
	if (!im->reading.thread->log)
		return;
	if (first && !is_language(gaspdb_text_get(&im->registry, first)))
		used = append(im, list, used, first);
	for (unsigned i = 0; i < d->n_models; i++)
		if (d->models[i] != first &&
		    !is_language(gaspdb_text_get(&im->registry, d->models[i])))
			used = append(im, list, used, d->models[i]);
	if (!used && first)
		append(im, list, used, first);
}
