/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangler of C++ symbols by libstdc++, loaded when needed because nothing
   else uses it. */
#include "importer/symbols/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* __cxa_demangle of the Itanium C++ ABI. */
typedef char *demangler(const char *symbol, char *to, size_t *size,
			int *status);

static demangler *find(void)
{
	static demangler *found;
	void *library;

	if (found)
		return found;
	library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (library)
		*(void **)&found = dlsym(library, "__cxa_demangle");
	return found;
}

/* Is the demangled name of bounded length? Each S1_ or T_ repeats a part of the
   name, which may contain others, so that length is exponential. */
static bool is_bounded(const char *symbol)
{
	enum { REPEATED = 32, LENGTH = 1000 };
	int n = 0;

	if (strlen(symbol) > LENGTH)
		return 0;
	for (const char *s = symbol; *s; s++) {
		if (*s != 'S' && *s != 'T')
			continue;
		s += strspn(s + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		n += s[1] == '_';
	}
	return n <= REPEATED;
}

/* Cuts the last pair of parentheses and what follows, unless it is part of a
   name. */
static void cut_parameters(char *name)
{
	char *at = strrchr(name, ')');
	int depth = 0;

	for (; at && at > name; at--) {
		depth += (*at == ')') - (*at == '(');
		if (!depth)
			break;
	}
	if (at && at > name && at[-1] != ':')
		*at = 0;
}

void gaspdb_copy_name(char *to, size_t size, const char *name)
{
	static const char left_out[] = "...";
	const size_t n = strlen(name), room = size - sizeof left_out;
	const size_t front = room / 3;

	if (n < size)
		memcpy(to, name, n + 1);
	else
		snprintf(to, size, "%.*s%s%s", (int)front, name, left_out,
			 name + n - (room - front));
}

/* Length of the word before the symbol of a file in the name of the function
   that runs the file's constructors. */
static size_t prefix_length(const char *symbol)
{
	static const char *const prefixes[] = { "_GLOBAL__sub_I_",
						"_GLOBAL__sub_D_" };

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(symbol, prefixes[i], strlen(prefixes[i])))
			return strlen(prefixes[i]);
	return 0;
}

static void copy_demangled(const char *symbol, bool whole, char *name,
			   size_t size)
{
	const size_t n = prefix_length(symbol);
	const char *inner = symbol + n;
	demangler *demangle;
	char *text = NULL;

	if (!strncmp(inner, "_Z", 2) && is_bounded(inner)) {
		demangle = find();
		text = demangle ? demangle(inner, NULL, NULL, NULL) : NULL;
	}
	if (text && !whole)
		cut_parameters(text);
	if (text && n && size > 2 * n) {
		memcpy(name, symbol, n);
		gaspdb_copy_name(name + n, size - n, text);
	} else {
		gaspdb_copy_name(name, size, text ? text : symbol);
	}
	free(text);
}

void gaspdb_demangle(const char *symbol, char *name, size_t size)
{
	copy_demangled(symbol, false, name, size);
}

void gaspdb_demangle_whole(const char *symbol, char *name, size_t size)
{
	copy_demangled(symbol, true, name, size);
}
