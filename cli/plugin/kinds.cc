// SPDX-License-Identifier: GPL-3.0-or-later
// What a statement is to a range.
#include "cli/plugin/plugin.h"

namespace gaspdb
{
// The outermost block of the innermost inlined function that has a block; NULL:
// it is the function's own.
static tree inlined_scope(tree block)
{
	while (block && TREE_CODE(block) == BLOCK &&
	       !inlined_function_outer_scope_p(block))
		block = BLOCK_SUPERCONTEXT(block);
	return block && TREE_CODE(block) == BLOCK ? block : NULL_TREE;
}

static tree function_of_scope(tree scope)
{
	tree origin = scope ? block_ultimate_origin(scope) : NULL_TREE;

	return origin && TREE_CODE(origin) == FUNCTION_DECL
		       ? origin
		       : current_function_decl;
}

tree function_of_block(tree block)
{
	return function_of_scope(inlined_scope(block));
}

// Whether a call has a function that the compiler has made of code in the
// range: it begins a parallel region, and has no location.
static bool begins_region(const range &r, const gimple *s)
{
	for (unsigned i = 0; is_gimple_call(s) && i < gimple_call_num_args(s);
	     i++) {
		tree arg = gimple_call_arg(s, i);
		tree function = TREE_CODE(arg) == ADDR_EXPR
					? TREE_OPERAND(arg, 0)
					: NULL_TREE;

		if (function && TREE_CODE(function) == FUNCTION_DECL &&
		    DECL_ARTIFICIAL(function) &&
		    contains(r, DECL_SOURCE_LOCATION(function)))
			return true;
	}
	return false;
}

// Whether a statement is the range's, or inlined from a call there.  A function
// defined in the range (a lambda, a parallel region) is timed only by its call.
bool is_inside(const range &r, const gimple *s)
{
	location_t location = gimple_location(s);

	if (!is_somewhere(location) && begins_region(r, s))
		return true;
	for (tree block = gimple_block(s);;) {
		tree scope = inlined_scope(block);

		if (contains(r, location) &&
		    !contains(r,
			      DECL_SOURCE_LOCATION(function_of_scope(scope))))
			return true;
		if (!scope)
			return false;
		location = BLOCK_SOURCE_LOCATION(scope);
		block = BLOCK_SUPERCONTEXT(scope);
	}
}

// The mark's own line has no other statement.
bool is_mark(const range &r, const gimple *s)
{
	if (!gimple_debug_begin_stmt_p(s))
		return false;
	expanded_location at = expand_location(gimple_location(s));
	return at.file && r.file == at.file &&
	       (is_fortran ? at.line > r.first && at.line < r.last
			   : at.line == r.first);
}

static bool is_cheap(const gimple *s)
{
	if (is_gimple_assign(s))
		return !gimple_has_volatile_ops(s);
	return is_gimple_call(s) &&
	       (gimple_call_internal_p(s) ||
		(gimple_call_flags(s) & ECF_CONST && gimple_call_builtin_p(s)));
}

enum kind kind_of(const range &r, const gimple *s)
{
	if (is_mark(r, s))
		return MARK;
	switch (gimple_code(s)) {
	case GIMPLE_DEBUG:
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
		return TRANSPARENT;
	case GIMPLE_RETURN:
	case GIMPLE_RESX:
		return OUTSIDE;
	default:
		break;
	}
	if (gimple_clobber_p(s))
		return TRANSPARENT;
	if (is_inside(r, s))
		return INSIDE;
	if (!is_somewhere(gimple_location(s)))
		return TRANSPARENT;
	return optimize && is_cheap(s) ? TRANSPARENT : OUTSIDE;
}
} // namespace gaspdb
