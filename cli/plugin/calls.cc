// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the hooks (collector/gasp/functions.h), and what they are
// handed.
#include "cli/plugin/plugin.h"

#include <cgraph.h>
#include <stor-layout.h>

namespace gaspdb
{
// --- the calls
// --------------------------------------------------------------------------------------------------------------------

static tree hooks[N_HOOKS];
static tree statement_type, descriptors;

static void make_declarations()
{
	static const char *const names[] = { "gaspdb_statement_start",
					     "gaspdb_statement_end",
					     "gaspdb_statement_left" };
	static const char *const members[] = { "line", "file", "function",
					       "name" };
	tree fields = NULL_TREE;

	for (int i = 0; i < N_HOOKS; i++) {
		tree type =
			i == START
				? build_function_type_list(
					  void_type_node, const_ptr_type_node,
					  const_ptr_type_node, NULL_TREE)
				: build_function_type_list(void_type_node,
							   const_ptr_type_node,
							   NULL_TREE);

		hooks[i] = build_fn_decl(names[i], type);
		TREE_NOTHROW(hooks[i]) = 1;
	}
	statement_type = make_node(RECORD_TYPE);
	for (const char *member : members) {
		tree field = build_decl(
			UNKNOWN_LOCATION, FIELD_DECL, get_identifier(member),
			fields ? build_pointer_type(build_qualified_type(
					 char_type_node, TYPE_QUAL_CONST))
			       : uint64_type_node);

		DECL_CHAIN(field) = fields;
		fields = field;
	}
	// In the order of the members, which finish_builtin_struct() reverses.
	finish_builtin_struct(statement_type, "gaspdb_statement",
			      nreverse(fields), NULL_TREE);
}

static std::string qualified_name(tree decl)
{
	std::string name =
		DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";

	for (tree c = DECL_CONTEXT(decl);
	     c && TREE_CODE(c) != TRANSLATION_UNIT_DECL;
	     c = TYPE_P(c) ? TYPE_CONTEXT(c) : DECL_CONTEXT(c)) {
		tree own = TYPE_P(c)			    ? TYPE_IDENTIFIER(c)
			   : TREE_CODE(c) == NAMESPACE_DECL ? DECL_NAME(c)
							    : NULL_TREE;

		if (own && !is_fortran)
			name = std::string(IDENTIFIER_POINTER(own)) +
			       "::" + name;
	}
	return name;
}

static tree text(const std::string &s)
{
	return build_string_literal(s.size() + 1, s.c_str());
}

// The function of a range: of its own statements, which may be inlined here.
static tree function_of_range(flow &f)
{
	for (const auto &s : f.kinds)
		if (s.second == INSIDE &&
		    contains(f.r, gimple_location(s.first)))
			return function_of_block(gimple_block(s.first));
	return current_function_decl;
}

void describe(range *r, flow &f)
{
	static unsigned number;
	char name[40];
	vec<constructor_elt, va_gc> *values = NULL;
	tree var, field;

	if (!hooks[START])
		make_declarations();
	if (r->descriptor)
		return;
	field = TYPE_FIELDS(statement_type);
	for (tree value :
	     { text(r->name), text(qualified_name(function_of_range(f))),
	       text(r->file), build_int_cst(uint64_type_node, r->first + 1) }) {
		CONSTRUCTOR_APPEND_ELT(values, field, value);
		field = DECL_CHAIN(field);
	}
	snprintf(name, sizeof name, "gaspdb_statement.%u", number++);
	var = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name),
			 statement_type);
	TREE_STATIC(var) = TREE_READONLY(var) = TREE_ADDRESSABLE(var) =
		TREE_USED(var) = 1;
	DECL_ARTIFICIAL(var) = DECL_IGNORED_P(var) = 1;
	DECL_INITIAL(var) = build_constructor(statement_type, values);
	TREE_CONSTANT(DECL_INITIAL(var)) = TREE_STATIC(DECL_INITIAL(var)) = 1;
	varpool_node::finalize_decl(var);
	descriptors = tree_cons(NULL_TREE, var, descriptors);
	r->descriptor = var;
}

// The statements of a change.
static gimple_seq calls_of(const change &c)
{
	tree statement = build_fold_addr_expr(c.r->descriptor);
	gimple *at = c.before ? c.before : c.after, *call;
	gimple_seq seq = NULL;

	if (c.hook == START) {
		tree caller = make_ssa_name(ptr_type_node);
		call = gimple_build_call(
			builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1,
			integer_zero_node);
		gimple_call_set_lhs(call, caller);
		gimple_seq_add_stmt(&seq, call);
		call = gimple_build_call(hooks[START], 2, statement, caller);
	} else {
		call = gimple_build_call(hooks[c.hook], 1, statement);
	}
	gimple_seq_add_stmt(&seq, call);
	for (gimple_stmt_iterator g = gsi_start(seq); at && !gsi_end_p(g);
	     gsi_next(&g))
		gimple_set_location(gsi_stmt(g), gimple_location(at));
	return seq;
}

static void put_before(const change &c)
{
	gimple_stmt_iterator g = gsi_for_stmt(c.before);

	gsi_insert_seq_before(&g, calls_of(c), GSI_SAME_STMT);
}

static void put_after(const change &c)
{
	gimple_stmt_iterator g = gsi_for_stmt(c.after);

	if (is_gimple_call(c.after)) // the function does not end with it
		gimple_call_set_tail(as_a<gcall *>(c.after), false);
	gsi_insert_seq_after(&g, calls_of(c), GSI_SAME_STMT);
}

// Inner ranges end first, and start last.
void put_all(const std::vector<change> &list)
{
	for (const change &c : list)
		if (c.before)
			put_before(c);
		else if (c.after)
			put_after(c);
	for (auto c = list.rbegin(); c != list.rend(); ++c)
		if (c->on && c->hook != START)
			gsi_insert_seq_on_edge(c->on, calls_of(*c));
	for (const change &c : list)
		if (c.on && c.hook == START)
			gsi_insert_seq_on_edge(c.on, calls_of(c));
	gsi_commit_edge_inserts();
}

bool is_hook(const gimple *s)
{
	tree called = is_gimple_call(s) ? gimple_call_fndecl(s) : NULL_TREE;

	return called && (called == hooks[START] || called == hooks[END] ||
			  called == hooks[LEFT]);
}

static const struct ggc_root_tab roots[] = {
	{ hooks, N_HOOKS, sizeof *hooks, &gt_ggc_mx_tree_node,
	  &gt_pch_nx_tree_node },
	{ &statement_type, 1, sizeof statement_type, &gt_ggc_mx_tree_node,
	  &gt_pch_nx_tree_node },
	{ &descriptors, 1, sizeof descriptors, &gt_ggc_mx_tree_node,
	  &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

void register_roots(const char *plugin)
{
	register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
			  const_cast<ggc_root_tab *>(roots));
}
} // namespace gaspdb
