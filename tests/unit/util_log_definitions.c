/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs for tests: records of definitions, and META. */
#include "tests/unit/util_log_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void log_define_string(struct log *l, uint64_t id, const char *text)
{
	size_t at = log_begin_record(l, 1);

	log_put_u(l, id);
	log_raw(l, text, strlen(text));
	log_end_record(l, at);
}

unsigned log_string(struct log *l, const char *text)
{
	log_define_string(l, ++l->n_strings, text);
	return l->n_strings;
}

void log_define_operation(struct log *l, uint64_t id,
			  const struct log_operation *o)
{
	size_t at = log_begin_record(l, 2);

	log_put_u(l, id);
	log_put_u(l, 0);
	log_put_s(l, o->symbol);
	log_put_s(l, o->name);
	log_put_s(l, o->model);
	log_put_s(l, o->type);
	log_put_s(l, o->category);
	log_put_s(l, o->start);
	log_put_s(l, o->end);
	log_put_s(l, o->format ? o->format : "");
	log_end_record(l, at);
}

unsigned log_op_of(struct log *l, const char *model, const char *name,
		   const char *type, const char *category, const char *start,
		   const char *end)
{
	return log_op_with_format(l, model, name, type, category, start, end,
				  NULL);
}

unsigned log_op_with_format(struct log *l, const char *model, const char *name,
			    const char *type, const char *category,
			    const char *start, const char *end,
			    const char *format)
{
	char symbol[64];

	snprintf(symbol, sizeof symbol, "GASP_TEST_%s", name);
	log_define_operation(
		l, ++l->n_ops,
		&(struct log_operation){
			.symbol = !strcmp(type, "user") ? "USER" : symbol,
			.name = name,
			.model = model,
			.type = type,
			.category = category,
			.start = start,
			.end = end,
			.format = format });
	assert_true(l->n_ops < LOG_SITES);
	l->op[l->n_ops].start = start;
	l->op[l->n_ops].end = end;
	return l->n_ops;
}

unsigned log_op(struct log *l, const char *name, const char *type,
		const char *category, const char *start, const char *end)
{
	return log_op_of(l, "MPI", name, type, category, start, end);
}

/* The next site, of an operation of log_op(). */
static unsigned next_site(struct log *l, unsigned op)
{
	const unsigned site = ++l->n_sites;

	assert_true(site < LOG_SITES);
	l->op_of_site[site] = op;
	return site;
}

void log_define_site(struct log *l, uint64_t id, uint64_t op, uint64_t file,
		     uint64_t line, uint64_t function)
{
	size_t at = log_begin_record(l, 3);

	log_put_u(l, id);
	log_put_u(l, op);
	log_put_u(l, file);
	log_put_u(l, line);
	log_put_u(l, 0);
	if (function)
		log_put_u(l, function);
	log_end_record(l, at);
}

unsigned log_site(struct log *l, unsigned op, const char *file, unsigned line)
{
	unsigned name = file ? log_string(l, file) : 0;
	const unsigned site = next_site(l, op);

	log_define_site(l, site, op, name, line, 0);
	return site;
}

void log_define_site_pc(struct log *l, uint64_t id, uint64_t op,
			uint64_t address, uint64_t module)
{
	size_t at = log_begin_record(l, 4);

	log_put_u(l, id);
	log_put_u(l, op);
	log_put_u(l, address);
	if (module)
		log_put_u(l, module);
	log_end_record(l, at);
}

unsigned log_site_in(struct log *l, unsigned op, uint64_t address,
		     uint64_t module)
{
	const unsigned site = next_site(l, op);

	log_define_site_pc(l, site, op, address, module);
	return site;
}

unsigned log_site_pc(struct log *l, unsigned op, uint64_t address)
{
	return log_site_in(l, op, address, 0);
}

unsigned log_plain(struct log *l, const char *name, const char *type,
		   const char *category, unsigned line)
{
	return log_site(l, log_op(l, name, type, category, "", ""), "a.c",
			line);
}

void log_meta(struct log *l, const char *key, const char *value)
{
	size_t at = log_begin_record(l, 5);

	log_put_s(l, key);
	log_put_s(l, value);
	log_end_record(l, at);
}

/* base end bias build_id path: what all modules have. */
static size_t begin_module(struct log *l, uint64_t base, uint64_t end,
			   uint64_t bias, const void *build_id, size_t n,
			   const char *path)
{
	size_t at = log_begin_record(l, 6);

	log_put_u(l, base);
	log_put_u(l, end);
	log_put_u(l, bias);
	log_put_u(l, n);
	log_raw(l, build_id, n);
	log_put_s(l, path);
	return at;
}

void log_module(struct log *l, uint64_t base, uint64_t end, uint64_t bias,
		const void *build_id, size_t n, const char *path)
{
	log_end_record(l, begin_module(l, base, end, bias, build_id, n, path));
}

void log_module_of_file(struct log *l, uint64_t base, uint64_t end,
			const void *build_id, size_t n, const char *path,
			const struct log_module_file *file)
{
	size_t at = begin_module(l, base, end, base, build_id, n, path);

	log_put_u(l, file->id);
	log_put_u(l, file->size);
	log_put_u(l, file->checksum);
	log_put_u(l, file->inode);
	log_put_u(l, file->modified);
	log_put_u(l, file->changed);
	log_end_record(l, at);
}

void log_segment(struct log *l, unsigned id, uint64_t base, uint64_t bytes,
		 const char *kind, const char *name)
{
	size_t at = log_begin_record(l, 7);

	log_put_u(l, id);
	log_put_u(l, base);
	log_put_u(l, bytes);
	log_put_s(l, kind);
	log_put_s(l, name);
	log_end_record(l, at);
}

void log_team(struct log *l, uint64_t id, uint64_t parent, uint64_t ordinal,
	      int64_t rank, uint64_t size, const char *kind, const char *name,
	      int64_t first)
{
	size_t at = log_begin_record(l, 8);

	log_put_u(l, id);
	log_put_u(l, parent);
	log_put_u(l, ordinal);
	log_put_i(l, rank);
	log_put_u(l, size);
	log_put_s(l, kind);
	log_put_s(l, name);
	log_put_i(l, first);
	log_end_record(l, at);
}

void log_members(struct log *l, uint64_t team, uint64_t index, int64_t start,
		 int64_t stride, uint64_t count)
{
	size_t at = log_begin_record(l, 9);

	log_put_u(l, team);
	log_put_u(l, index);
	log_put_i(l, start);
	log_put_i(l, stride);
	log_put_u(l, count);
	log_end_record(l, at);
}

static bool is_among(const int64_t *ranks, size_t n, int64_t rank)
{
	size_t i = 0;

	while (i < n && ranks[i] != rank)
		i++;
	return i < n;
}

void log_sources(struct log *l, uint64_t team, const int64_t *ranks, size_t n)
{
	struct log runs = { .n = 0 };
	int64_t last = -1, most = -1, end;
	size_t at;

	for (size_t i = 0; i < n; i++)
		most = ranks[i] > most ? ranks[i] : most;
	for (int64_t r = 0; r <= most; r = end + 1) {
		for (end = r; is_among(ranks, n, end); end++)
			;
		if (end == r)
			continue;
		log_put_u(&runs, (uint64_t)(r - last));
		log_put_u(&runs, (uint64_t)(end - r));
		last = end - 1;
	}
	at = log_begin_record(l, 11);
	log_put_u(l, team);
	log_put_u(l, runs.n);
	log_raw(l, runs.bytes, runs.n);
	log_end_record(l, at);
	free(runs.bytes);
}

void log_entity(struct log *l, uint64_t id, const char *kind, const char *name,
		uint64_t parent)
{
	size_t at = log_begin_record(l, 50);

	log_put_u(l, id);
	log_put_s(l, kind);
	log_put_s(l, name);
	log_put_u(l, parent);
	log_end_record(l, at);
}

void log_mix(struct log *l, uint64_t id, size_t n, const uint64_t *parts,
	     const uint64_t *weights)
{
	struct log bytes = { .n = 0 };
	size_t at;

	for (size_t i = 0; i < n; i++) {
		log_put_u(&bytes, parts[i]);
		log_put_u(&bytes, weights[i]);
	}
	at = log_begin_record(l, 52);
	log_put_u(l, id);
	log_put_u(l, bytes.n);
	log_raw(l, bytes.bytes, bytes.n);
	log_end_record(l, at);
	free(bytes.bytes);
}

static uint64_t number_of(char code, const char *value)
{
	uint64_t bits;
	double real;
	int64_t n;

	if (code == 's')
		return 0;
	if (code == 'i') {
		n = strtoll(value, NULL, 0);
		return (uint64_t)n << 1 ^ (uint64_t)(n >> 63);
	}
	real = strtod(value, NULL);
	memcpy(&bits, &real, sizeof bits);
	return __builtin_bswap64(bits);
}

void log_attribute(struct log *l, uint64_t entity, const char *key, char code,
		   const char *value)
{
	size_t at = log_begin_record(l, 51);

	log_put_u(l, entity);
	log_put_s(l, key);
	log_put_s(l, (char[]){ code, 0 });
	log_put_u(l, number_of(code, value));
	log_put_s(l, code == 's' ? value : "");
	log_end_record(l, at);
}
