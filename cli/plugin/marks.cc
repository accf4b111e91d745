// SPDX-License-Identifier: GPL-3.0-or-later
// The marks in the source: ranges of statements, in C and C++ by #pragma
// gaspdb, in Fortran by directives; and #pragma pupc (GASP 1.5, section 5.1).
#include "cli/plugin/plugin.h"

#include <c-family/c-pragma.h>

// Only compilers of C and C++ have these.
extern void c_register_pragma(const char *, const char *, pragma_handler_1arg)
	__attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *, location_t *) __attribute__((weak));
extern tree add_stmt(tree) __attribute__((weak));

namespace gaspdb
{
// --- marked ranges
// ----------------------------------------------------------------------------------------------------------------

std::vector<range> ranges;
static std::vector<size_t> open_ranges;
bool is_fortran;

bool is_somewhere(location_t location)
{
	return LOCATION_LOCUS(location) > BUILTINS_LOCATION;
}

bool contains(const range &r, location_t location)
{
	if (!is_somewhere(location))
		return false;
	expanded_location at = expand_location(location);
	return at.file && at.line > r.first && at.line < r.last &&
	       r.file == at.file;
}

static void open_range(const std::string &name, const char *file, int line,
		       location_t location)
{
	open_ranges.push_back(ranges.size());
	ranges.push_back({ name, file, line, line, location,
			   current_function_decl, false, false, NULL_TREE });
}

// --- #pragma pupc
// -----------------------------------------------------------------------------------------------------------------

// Where instrumentation is off, in the order of the tokens; the last may have
// no end yet.
struct off_region {
	location_t begin, end;
};
static std::vector<off_region> off_regions;

static bool is_off(location_t location)
{
	for (const off_region &off : off_regions)
		if (linemap_location_before_p(line_table, off.begin,
					      location) &&
		    (!off.end ||
		     linemap_location_before_p(line_table, location, off.end)))
			return true;
	return false;
}

static void pragma_pupc(cpp_reader *)
{
	tree word;
	location_t at;
	const bool is_open = !off_regions.empty() && !off_regions.back().end;
	const char *text = pragma_lex(&word, &at) == CPP_NAME
				   ? IDENTIFIER_POINTER(word)
				   : "";

	if (!strcmp(text, "off") && !is_open)
		off_regions.push_back({ at, UNKNOWN_LOCATION });
	else if (!strcmp(text, "on") && is_open)
		off_regions.back().end = at;
	else if (strcmp(text, "off") && strcmp(text, "on"))
		warning_at(input_location, OPT_Wpragmas,
			   "%<#pragma pupc%> needs %<on%> or %<off%>");
}

void function_begins(void *function, void *)
{
	tree decl = (tree)function;

	if (is_off(DECL_SOURCE_LOCATION(decl)))
		DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(decl) = 1;
}

// --- #pragma gaspdb
// ---------------------------------------------------------------------------------------------------------------

// A debug statement stays where an execution of the range begins, in each copy
// that optimizers make, and inhibits none of them.
static void mark_here(location_t location)
{
	if (!MAY_HAVE_DEBUG_MARKER_STMTS)
		return;
	tree mark = build0(DEBUG_BEGIN_STMT, void_type_node);
	SET_EXPR_LOCATION(mark, location);
	add_stmt(mark);
}

static void pragma_statement(cpp_reader *)
{
	tree text;
	location_t at;

	if (pragma_lex(&text, &at) != CPP_STRING) {
		warning_at(
			input_location, OPT_Wpragmas,
			"%<#pragma gaspdb statement%> needs a name in quotes");
		return;
	}
	if (!current_function_decl) {
		warning_at(
			at, OPT_Wpragmas,
			"%<#pragma gaspdb statement%> outside of a function is ignored");
		return;
	}
	expanded_location where = expand_location(at);
	open_range(TREE_STRING_POINTER(text), where.file, where.line, at);
	ranges.back().is_off = is_off(at);
	mark_here(at);
}

static void pragma_end(cpp_reader *)
{
	if (open_ranges.empty() ||
	    ranges[open_ranges.back()].function != current_function_decl) {
		warning_at(
			input_location, OPT_Wpragmas,
			"%<#pragma gaspdb end%> without %<#pragma gaspdb statement%> in the same function");
		return;
	}
	ranges[open_ranges.back()].last = expand_location(input_location).line;
	open_ranges.pop_back();
}

void register_pragmas(void *, void *)
{
	if (!c_register_pragma)
		return;
	c_register_pragma("gaspdb", "statement", pragma_statement);
	c_register_pragma("gaspdb", "end", pragma_end);
	c_register_pragma(NULL, "pupc", pragma_pupc);
}

// --- !$gaspdb
// ---------------------------------------------------------------------------------------------------------------------

// The rest of a directive's line; empty: it is none.
static std::string directive_of(std::string line)
{
	size_t at = line.find_first_not_of(" \t");

	if (at == std::string::npos ||
	    !(line[at] == '!' || (at == 0 && strchr("cC*", line[at]))))
		return "";
	line.erase(0, at + 1);
	if (strncasecmp(line.c_str(), "$gaspdb", 7))
		return "";
	at = line.find_first_not_of(" \t\r", 7);
	return at == std::string::npos ? "" : line.substr(at);
}

static void read_directive(const std::string &text, const char *file, int line)
{
	if (!strncasecmp(text.c_str(), "end", 3)) {
		if (open_ranges.empty())
			warning(0,
				"%s:%d: %<!$gaspdb end%> without %<!$gaspdb statement%>",
				file, line);
		else
			ranges[open_ranges.back()].last = line,
			open_ranges.pop_back();
	} else if (!strncasecmp(text.c_str(), "statement", 9)) {
		const size_t from = text.find_first_of("\"'"),
			     to = text.find_last_of("\"'");

		if (from == to)
			warning(0,
				"%s:%d: %<!$gaspdb statement%> needs a name in quotes",
				file, line);
		else
			open_range(text.substr(from + 1, to - from - 1), file,
				   line, UNKNOWN_LOCATION);
	}
}

// Fortran has no pragmas: its directives are read from the source, once.
void read_directives(const char *file)
{
	static std::set<std::string> seen;
	FILE *f = seen.insert(file).second ? fopen(file, "r") : NULL;
	char *line = NULL;
	size_t room = 0;

	for (int number = 1; f && getline(&line, &room, f) >= 0; number++) {
		const std::string text = directive_of(line);

		if (!text.empty())
			read_directive(text.substr(0, text.find_last_not_of(
							      " \t\r\n") +
							      1),
				       file, number);
	}
	free(line);
	if (f)
		fclose(f);
}

bool is_candidate(const range &r)
{
	return r.last > r.first && !r.is_off &&
	       !contains(r, DECL_SOURCE_LOCATION(current_function_decl));
}
} // namespace gaspdb
