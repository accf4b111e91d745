// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of gaspcc's plugin for GCC: marks, flow, timers, and the passes that
// use them.
#ifndef GASPDB_CLI_PLUGIN_PLUGIN_H
#define GASPDB_CLI_PLUGIN_PLUGIN_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gcc-plugin.h>

#include <tree.h>

#include <basic-block.h>
#include <diagnostic-core.h>
#include <gimple.h>

#include <gimple-iterator.h>
#include <ssa.h>
#include <stringpool.h>
#include <tree-cfg.h>

namespace gaspdb
{
// --- marks.cc ---------------------------------------------------------------

struct range {
	std::string name, file;
	int first, last; // lines of the marks
	location_t location;
	tree function;	 // C: where the marks stand
	bool is_off;	 // inside #pragma pupc off
	bool is_timed;	 // in at least one function
	tree descriptor; // struct gaspdb_statement
};

extern std::vector<range> ranges; // an outer one comes before those in it
extern bool is_fortran;

// Whether a location is between the marks.
bool contains(const range &r, location_t location);
// Whether a location is one of code.
bool is_somewhere(location_t location);

void register_pragmas(void *, void *);
// Heeds #pragma pupc off; the callback of a function's begin.
void function_begins(void *function, void *);
// Whether the function that is compiled can have code of a range.
bool is_candidate(const range &r);
// Reads the ranges of a Fortran source, once.
void read_directives(const char *file);

// --- begins.cc --------------------------------------------------------------

// The pass that puts Fortran's marks, and moves others to where they were
// written.
unsigned put_marks(function *fun);

// --- kinds.cc ---------------------------------------------------------------

enum kind {
	INSIDE,	     // of the range
	TRANSPARENT, // between two of the range it is timed: it costs less than
		     // stopping and starting
	OUTSIDE,     // never timed
	MARK	     // an execution of the range begins
};

enum kind kind_of(const range &r, const gimple *s);
// Whether a statement is the range's, or inlined from a call there.
bool is_inside(const range &r, const gimple *s);
bool is_mark(const range &r, const gimple *s);
// The function that a statement's block is of, which may be inlined.
tree function_of_block(tree block);

// --- flow.cc ----------------------------------------------------------------

struct state {
	bool from;   // a statement of the range was executed, and none outside
		     // since
	bool marked; // a mark was passed since then
	bool to; // a statement of the range will be executed, and none outside
		 // before
	bool fresh; // a mark will be passed before
};

struct flow {
	const range &r;
	function *fun;
	std::map<const gimple *, enum kind> kinds;
	std::set<edge> closed; // back edges that the timer does not run across
	std::vector<struct state> in, out; // of blocks
	bool has_inside, has_mark;

	flow(const range &range, function *f);
	enum kind kind(const gimple *s)
	{
		return kinds[s];
	}
	bool is_active(const struct state &s)
	{
		return s.from && s.to;
	}
	void close_loops();
	bool is_around(edge back);
	void solve();
	bool step_forward(basic_block b);
	bool step_backward(basic_block b);
};

void pass_forward(struct state *s, enum kind kind);
void pass_backward(struct state *s, enum kind kind);

// --- changes.cc -------------------------------------------------------------

// Functions of collector/gasp/functions.c.
enum hook { START, END, LEFT, N_HOOKS };

struct change {
	range *r;
	enum hook hook;
	gimple *before, *after; // or:
	edge on;
};

struct changes {
	std::vector<change> list; // outer ranges first
	void at_statements(flow &f, range *r, basic_block b);
	void at_edges(flow &f, range *r, basic_block b);
	void at_receivers(flow &f, range *r);
};

// --- calls.cc ---------------------------------------------------------------

// Makes what calls for the range need.
void describe(range *r, flow &f);
void put_all(const std::vector<change> &list);
bool is_hook(const gimple *s);
void register_roots(const char *plugin);
} // namespace gaspdb

#endif
