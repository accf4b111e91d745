// SPDX-License-Identifier: GPL-3.0-or-later
// GCC plugin of gaspcc: statement timers (Shende, "The Role of Instrumentation
// and Mapping in Performance Measurement", chapter 5), and #pragma pupc.
//
// A marked range of source lines is timed after optimization.  The optimizers
// see no call, so that none is inhibited; the last pass before code generation
// finds what is left of the range by the statements' locations, and puts the
// timer's calls round it.
//
// In C++, because GCC's headers are.
#include "cli/plugin/plugin.h"

#include <context.h>
#include <langhooks.h>
#include <plugin-version.h>
#include <tree-pass.h>

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace gaspdb
{
// --- the passes
// -------------------------------------------------------------------------------------------------------------------

// Removes the marks, which belong in no line table.
static void remove_marks(function *fun)
{
	basic_block b;

	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);) {
		bool marks = false;

		for (const range &r : ranges)
			marks |= is_mark(r, gsi_stmt(g));
		if (marks)
			gsi_remove(&g, true);
		else
			gsi_next(&g);
	}
}

static unsigned put_timers(function *fun)
{
	changes all;
	basic_block b;

	for (range &r : ranges) {
		if (!is_candidate(r))
			continue;
		flow f(r, fun);

		if (!f.has_inside)
			continue;
		describe(&r, f);
		r.is_timed = true;
		f.solve();
		f.close_loops();
		f.solve();
		FOR_EACH_BB_FN(b, fun)
		{
			all.at_statements(f, &r, b);
			all.at_edges(f, &r, b);
		}
		all.at_receivers(f, &r);
	}
	put_all(all.list);
	if (!ranges.empty())
		remove_marks(fun);
	return all.list.empty() ? 0 : TODO_update_ssa_only_virtuals;
}

// A block ends after each call of a timer: code generation combines the
// expressions of a block, across calls too.
static unsigned end_blocks(function *fun)
{
	basic_block b;

	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);
	     gsi_next(&g)) {
		if (!is_hook(gsi_stmt(g)) || gsi_one_before_end_p(g))
			continue;
		split_block(b, gsi_stmt(g));
		break; // the rest is in the next block
	}
	return 0;
}

struct pass : gimple_opt_pass {
	unsigned (*run)(function *);

	pass(const pass_data &data, unsigned (*f)(function *))
	    : gimple_opt_pass(data, g), run(f)
	{
	}
	unsigned int execute(function *fun) override
	{
		return run(fun);
	}
	opt_pass *clone() override
	{
		return this;
	}
};

static void add_pass(const char *plugin, const char *name,
		     unsigned (*run)(function *), const char *reference)
{
	const pass_data data = { GIMPLE_PASS,
				 name,
				 OPTGROUP_NONE,
				 TV_NONE,
				 PROP_cfg | PROP_ssa,
				 0,
				 0,
				 0,
				 0 };
	struct register_pass_info info = { new pass(data, run), reference, 1,
					   PASS_POS_INSERT_AFTER };

	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

// --- the end
// ----------------------------------------------------------------------------------------------------------------------

// Where a range is, for messages: Fortran's have no location.
static std::string place_of(const range &r)
{
	return r.location ? "" : r.file + ":" + std::to_string(r.first) + ": ";
}

static void unit_ends(void *, void *)
{
	for (const range &r : ranges) {
		const std::string place = place_of(r);

		if (seen_error() || r.is_off)
			continue;
		if (r.last <= r.first)
			warning_at(
				r.location, 0,
				"%sstatement %qs has no end, and is not timed",
				place.c_str(), r.name.c_str());
		else if (flag_lto)
			warning_at(
				r.location, 0,
				"%sstatement %qs is not timed with %<-flto%>",
				place.c_str(), r.name.c_str());
		else if (!r.is_timed)
			inform(r.location,
			       "%sno code is left of statement %qs: it is not timed",
			       place.c_str(), r.name.c_str());
	}
}
} // namespace gaspdb

using namespace gaspdb;

__attribute__((visibility("default"))) int
plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
	const char *name = args->base_name;

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("gaspdb: this plugin is for gcc %s, not %s",
		      gcc_version.basever, version->basever);
		return 1;
	}
	is_fortran = strstr(lang_hooks.name, "Fortran");
	register_roots(name);
	register_callback(name, PLUGIN_PRAGMAS, register_pragmas, NULL);
	register_callback(name, PLUGIN_START_PARSE_FUNCTION, function_begins,
			  NULL);
	register_callback(name, PLUGIN_FINISH_UNIT, unit_ends, NULL);
	add_pass(name, "gaspdb_marks", put_marks, "ssa");
	add_pass(name, "gaspdb", put_timers, "optimized");
	add_pass(name, "gaspdb_blocks", end_blocks, "gaspdb");
	return 0;
}
