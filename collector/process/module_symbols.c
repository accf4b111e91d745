/* SPDX-License-Identifier: BSD-2-Clause */
/* Lookup in a module's dynamic symbols, by DT_GNU_HASH or DT_HASH. */
#include "collector/process/module_symbols.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

struct symbols {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu, *plain; /* hash tables; NULL: none */
};

struct lookup {
	uintptr_t bias;
	const char *path, *name;
	bool found;
};

/* The loader has relocated the pointers of most modules in place. */
static const void *pointer(const ElfW(Dyn) * d, uintptr_t bias)
{
	const uintptr_t p = d->d_un.d_ptr;

	return (const void *)(p < bias ? p + bias : p);
}

static struct symbols symbols_of(const ElfW(Dyn) * d, uintptr_t bias)
{
	struct symbols s = { 0 };

	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			s.symbols = pointer(d, bias);
		else if (d->d_tag == DT_STRTAB)
			s.strings = pointer(d, bias);
		else if (d->d_tag == DT_GNU_HASH)
			s.gnu = pointer(d, bias);
		else if (d->d_tag == DT_HASH)
			s.plain = pointer(d, bias);
	}
	return s;
}

static bool is_definition(const struct symbols *s, uint32_t i, const char *name)
{
	const ElfW(Sym) *symbol = &s->symbols[i];

	return symbol->st_shndx != SHN_UNDEF &&
	       !strcmp(s->strings + symbol->st_name, name);
}

/* Buckets hold the first index of a chain, whose last hash has bit 0 set. */
static bool find_gnu(const struct symbols *s, const char *name)
{
	const uint32_t n_buckets = s->gnu[0], first = s->gnu[1];
	const uint32_t bloom_words = s->gnu[2];
	const uint32_t *buckets =
		s->gnu + 4 + bloom_words * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = buckets + n_buckets;
	uint32_t hash = 5381, i;

	for (const char *p = name; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	i = n_buckets ? buckets[hash % n_buckets] : 0;
	if (i < first || !i)
		return false;
	for (;; i++) {
		const uint32_t other = chain[i - first];

		if ((other | 1) == (hash | 1) && is_definition(s, i, name))
			return true;
		if (other & 1)
			return false;
	}
}

static bool find_plain(const struct symbols *s, const char *name)
{
	const uint32_t n_buckets = s->plain[0];
	const uint32_t *buckets = s->plain + 2, *chain = buckets + n_buckets;
	uint32_t hash = 0, high;

	for (const char *p = name; *p; p++) {
		hash = (hash << 4) + (unsigned char)*p;
		high = hash & 0xf0000000;
		hash = (hash ^ high >> 24) & ~high;
	}
	for (uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0; i;
	     i = chain[i])
		if (is_definition(s, i, name))
			return true;
	return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
	struct lookup *l = user;
	struct symbols s;

	(void)size;
	if (info->dlpi_addr != l->bias || strcmp(info->dlpi_name, l->path))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		s = symbols_of((const void *)(info->dlpi_addr +
					      info->dlpi_phdr[i].p_vaddr),
			       info->dlpi_addr);
		if (!s.symbols || !s.strings)
			continue;
		l->found = s.gnu     ? find_gnu(&s, l->name)
			   : s.plain ? find_plain(&s, l->name)
				     : false;
	}
	return 1;
}

bool gaspdb_module_defines(uintptr_t bias, const char *path, const char *name)
{
	struct lookup l = { bias, path, name, false };

	dl_iterate_phdr(visit, &l);
	return l.found;
}
