// SPDX-License-Identifier: GPL-3.0-or-later
// GCC plugin of gaspcc: statement timers (Shende, "The Role of Instrumentation and Mapping in Performance Measurement", chapter 5), and
// #pragma pupc (GASP 1.5, section 5.1).
//
// A marked range of source lines is timed after optimization.  The optimizers see no call, so that none is inhibited; the last pass
// before code generation finds what is left of the range by the statements' locations, and puts the timer's calls round it.
//
// In C++, because GCC's headers are.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "tree.h"
#include "basic-block.h"
#include "c-family/c-pragma.h"
#include "cfganal.h"
#include "cgraph.h"
#include "context.h"
#include "diagnostic-core.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "langhooks.h"
#include "ssa.h"
#include "stor-layout.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-iterator.h"
#include "tree-pass.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

// Only compilers of C and C++ have these.
extern void c_register_pragma(const char *, const char *, pragma_handler_1arg) __attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *, location_t *) __attribute__((weak));
extern tree add_stmt(tree) __attribute__((weak));

// --- marked ranges ----------------------------------------------------------------------------------------------------------------

struct range {
	std::string name, file;
	int first, last; // lines of the marks
	location_t location;
	tree function;	 // C: where the marks stand
	bool is_off;	 // inside #pragma pupc off
	bool is_timed;	 // in at least one function
	tree descriptor; // struct gaspdb_statement
};

static std::vector<range> ranges; // an outer one comes before those in it
static std::vector<size_t> open_ranges;
static bool is_fortran;

static bool contains(const range &r, location_t location)
{
	if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION)
		return false;
	expanded_location at = expand_location(location);
	return at.file && at.line > r.first && at.line < r.last && r.file == at.file;
}

static void open_range(const std::string &name, const char *file, int line, location_t location)
{
	open_ranges.push_back(ranges.size());
	ranges.push_back({ name, file, line, line, location, current_function_decl, false, false, NULL_TREE });
}

// --- #pragma pupc -----------------------------------------------------------------------------------------------------------------

// Where instrumentation is off, in the order of the tokens; the last may have no end yet.
struct off_region {
	location_t begin, end;
};
static std::vector<off_region> off_regions;

static bool is_off(location_t location)
{
	for (const off_region &off : off_regions)
		if (linemap_location_before_p(line_table, off.begin, location) &&
		    (!off.end || linemap_location_before_p(line_table, location, off.end)))
			return true;
	return false;
}

static void pragma_pupc(cpp_reader *)
{
	tree word;
	location_t at;
	const bool is_open = !off_regions.empty() && !off_regions.back().end;
	const char *text = pragma_lex(&word, &at) == CPP_NAME ? IDENTIFIER_POINTER(word) : "";

	if (!strcmp(text, "off") && !is_open)
		off_regions.push_back({ at, UNKNOWN_LOCATION });
	else if (!strcmp(text, "on") && is_open)
		off_regions.back().end = at;
	else if (strcmp(text, "off") && strcmp(text, "on"))
		warning_at(input_location, OPT_Wpragmas, "%<#pragma pupc%> needs %<on%> or %<off%>");
}

static void function_begins(void *function, void *)
{
	tree decl = (tree)function;

	if (is_off(DECL_SOURCE_LOCATION(decl)))
		DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(decl) = 1;
}

// --- #pragma gaspdb ---------------------------------------------------------------------------------------------------------------

// A debug statement stays where an execution of the range begins, in each copy that optimizers make, and inhibits none of them.
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
		warning_at(input_location, OPT_Wpragmas, "%<#pragma gaspdb statement%> needs a name in quotes");
		return;
	}
	if (!current_function_decl) {
		warning_at(at, OPT_Wpragmas, "%<#pragma gaspdb statement%> outside of a function is ignored");
		return;
	}
	expanded_location where = expand_location(at);
	open_range(TREE_STRING_POINTER(text), where.file, where.line, at);
	ranges.back().is_off = is_off(at);
	mark_here(at);
}

static void pragma_end(cpp_reader *)
{
	if (open_ranges.empty() || ranges[open_ranges.back()].function != current_function_decl) {
		warning_at(input_location, OPT_Wpragmas, "%<#pragma gaspdb end%> without %<#pragma gaspdb statement%> in the same function");
		return;
	}
	ranges[open_ranges.back()].last = expand_location(input_location).line;
	open_ranges.pop_back();
}

static void register_pragmas(void *, void *)
{
	if (!c_register_pragma)
		return;
	c_register_pragma("gaspdb", "statement", pragma_statement);
	c_register_pragma("gaspdb", "end", pragma_end);
	c_register_pragma(NULL, "pupc", pragma_pupc);
}

// --- !$gaspdb ---------------------------------------------------------------------------------------------------------------------

// The rest of a directive's line; empty: it is none.
static std::string directive_of(std::string line)
{
	size_t at = line.find_first_not_of(" \t");

	if (at == std::string::npos || !(line[at] == '!' || (at == 0 && strchr("cC*", line[at]))))
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
			warning(0, "%s:%d: %<!$gaspdb end%> without %<!$gaspdb statement%>", file, line);
		else
			ranges[open_ranges.back()].last = line, open_ranges.pop_back();
	} else if (!strncasecmp(text.c_str(), "statement", 9)) {
		const size_t from = text.find_first_of("\"'"), to = text.find_last_of("\"'");

		if (from == to)
			warning(0, "%s:%d: %<!$gaspdb statement%> needs a name in quotes", file, line);
		else
			open_range(text.substr(from + 1, to - from - 1), file, line, UNKNOWN_LOCATION);
	}
}

// Fortran has no pragmas: its directives are read from the source, once.
static void read_directives(const char *file)
{
	static std::set<std::string> seen;
	FILE *f = seen.insert(file).second ? fopen(file, "r") : NULL;
	char *line = NULL;
	size_t room = 0;

	for (int number = 1; f && getline(&line, &room, f) >= 0; number++) {
		const std::string text = directive_of(line);

		if (!text.empty())
			read_directive(text.substr(0, text.find_last_not_of(" \t\r\n") + 1), file, number);
	}
	free(line);
	if (f)
		fclose(f);
}

// --- what a statement is to a range ---------------------------------------------------------------------------------------------

enum kind {
	INSIDE,	     // of the range
	TRANSPARENT, // between two of the range it is timed: it costs less than stopping and starting
	OUTSIDE,     // never timed
	MARK	     // an execution of the range begins
};

// The outermost block of the innermost inlined function that has a block; NULL: it is the function's own.
static tree inlined_scope(tree block)
{
	while (block && TREE_CODE(block) == BLOCK && !inlined_function_outer_scope_p(block))
		block = BLOCK_SUPERCONTEXT(block);
	return block && TREE_CODE(block) == BLOCK ? block : NULL_TREE;
}

static tree function_of_scope(tree scope)
{
	tree origin = scope ? block_ultimate_origin(scope) : NULL_TREE;

	return origin && TREE_CODE(origin) == FUNCTION_DECL ? origin : current_function_decl;
}

// Whether a call has a function that the compiler has made of code in the range: it begins a parallel region, and has no location.
static bool begins_region(const range &r, const gimple *s)
{
	for (unsigned i = 0; is_gimple_call(s) && i < gimple_call_num_args(s); i++) {
		tree arg = gimple_call_arg(s, i);
		tree function = TREE_CODE(arg) == ADDR_EXPR ? TREE_OPERAND(arg, 0) : NULL_TREE;

		if (function && TREE_CODE(function) == FUNCTION_DECL && DECL_ARTIFICIAL(function) &&
		    contains(r, DECL_SOURCE_LOCATION(function)))
			return true;
	}
	return false;
}

// Whether a statement is the range's, or inlined from a call there.  A function defined in the range (a lambda, a parallel region) is
// timed only by its call.
static bool is_inside(const range &r, const gimple *s)
{
	location_t location = gimple_location(s);

	if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION && begins_region(r, s))
		return true;
	for (tree block = gimple_block(s);;) {
		tree scope = inlined_scope(block);

		if (contains(r, location) && !contains(r, DECL_SOURCE_LOCATION(function_of_scope(scope))))
			return true;
		if (!scope)
			return false;
		location = BLOCK_SOURCE_LOCATION(scope);
		block = BLOCK_SUPERCONTEXT(scope);
	}
}

// The mark's own line has no other statement.
static bool is_mark(const range &r, const gimple *s)
{
	if (!gimple_debug_begin_stmt_p(s))
		return false;
	expanded_location at = expand_location(gimple_location(s));
	return at.file && r.file == at.file && (is_fortran ? at.line > r.first && at.line < r.last : at.line == r.first);
}

static bool is_cheap(const gimple *s)
{
	if (is_gimple_assign(s))
		return !gimple_has_volatile_ops(s);
	return is_gimple_call(s) && (gimple_call_internal_p(s) || (gimple_call_flags(s) & ECF_CONST && gimple_call_builtin_p(s)));
}

static enum kind kind_of(const range &r, const gimple *s)
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
	if (LOCATION_LOCUS(gimple_location(s)) <= BUILTINS_LOCATION)
		return TRANSPARENT;
	return optimize && is_cheap(s) ? TRANSPARENT : OUTSIDE;
}

// --- where a range is active ------------------------------------------------------------------------------------------------------

struct state {
	bool from;   // a statement of the range was executed, and none outside since
	bool marked; // a mark was passed since then
	bool to;     // a statement of the range will be executed, and none outside before
	bool fresh;  // a mark will be passed before
};

struct flow {
	const range &r;
	function *fun;
	std::map<const gimple *, enum kind> kinds;
	std::set<edge> closed;		    // back edges that the timer does not run across
	std::vector<struct state> in, out; // of blocks
	bool has_inside, has_mark;

	flow(const range &range, function *f);
	enum kind kind(const gimple *s) { return kinds[s]; }
	bool is_active(const struct state &s) { return s.from && s.to; }
	void close_loops();
	bool is_around(edge back);
	void solve();
	bool step_forward(basic_block b);
	bool step_backward(basic_block b);
};

static void pass_forward(struct state *s, enum kind kind)
{
	if (kind == MARK)
		s->marked = true;
	else if (kind == INSIDE)
		s->from = true;
	else if (kind == OUTSIDE)
		s->from = s->marked = false;
}

static void pass_backward(struct state *s, enum kind kind)
{
	if (kind == MARK)
		s->fresh = true;
	else if (kind == INSIDE)
		s->to = true, s->fresh = false;
	else if (kind == OUTSIDE)
		s->to = s->fresh = false;
}

flow::flow(const range &range, function *f) : r(range), fun(f), has_inside(false), has_mark(false)
{
	basic_block b;

	FOR_EACH_BB_FN(b, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
			enum kind k = kind_of(r, gsi_stmt(i));

			kinds[gsi_stmt(i)] = k;
			has_inside |= k == INSIDE;
			has_mark |= k == MARK;
		}
}

static bool is_elsewhere(const range &r, location_t location)
{
	return LOCATION_LOCUS(location) > BUILTINS_LOCATION && !contains(r, location);
}

// Whether a loop is around the range, and not in it: it has the mark, or where there is none, code elsewhere.
bool flow::is_around(edge back)
{
	basic_block header = back->dest, latch = back->src;
	std::set<basic_block> body = { header, latch };
	std::vector<basic_block> todo = { header, latch };

	if (!has_mark && is_elsewhere(r, back->goto_locus))
		return true;
	while (!todo.empty()) {
		basic_block b = todo.back();
		edge e;
		edge_iterator i;

		todo.pop_back();
		for (gimple_stmt_iterator s = gsi_start_bb(b); !gsi_end_p(s); gsi_next(&s)) {
			const gimple *stmt = gsi_stmt(s);

			if (has_mark ? kind(stmt) == MARK
				     : kind(stmt) != INSIDE && !is_gimple_debug(stmt) && is_elsewhere(r, gimple_location(stmt)))
				return true;
		}
		if (b == header)
			continue;
		FOR_EACH_EDGE(e, i, b->preds)
			if (body.insert(e->src).second)
				todo.push_back(e->src);
	}
	return false;
}

void flow::close_loops()
{
	basic_block b;

	mark_dfs_back_edges();
	FOR_EACH_BB_FN(b, fun) {
		edge e;
		edge_iterator i;

		FOR_EACH_EDGE(e, i, b->succs)
			// A loop that begins with the range's end breaks at the mark itself.
			if (e->flags & EDGE_DFS_BACK && is_around(e) && (!has_mark || in[e->dest->index].fresh))
				closed.insert(e);
	}
}

bool flow::step_forward(basic_block b)
{
	const struct state before = in[b->index], after = out[b->index];
	struct state *s = &in[b->index];
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->preds)
		if (!closed.count(e)) {
			s->from |= out[e->src->index].from;
			s->marked |= out[e->src->index].marked;
		}
	struct state now = *s;
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
		pass_forward(&now, kind(gsi_stmt(g)));
	out[b->index].from = now.from;
	out[b->index].marked = now.marked;
	return before.from != s->from || before.marked != s->marked || after.from != now.from || after.marked != now.marked;
}

bool flow::step_backward(basic_block b)
{
	const struct state before = in[b->index];
	struct state *s = &out[b->index];
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->succs)
		if (!closed.count(e)) {
			s->to |= in[e->dest->index].to;
			s->fresh |= in[e->dest->index].fresh;
		}
	struct state now = *s;
	for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g); gsi_prev(&g))
		pass_backward(&now, kind(gsi_stmt(g)));
	in[b->index].to = now.to;
	in[b->index].fresh = now.fresh;
	return before.to != now.to || before.fresh != now.fresh;
}

void flow::solve()
{
	const size_t n = (size_t)last_basic_block_for_fn(fun);
	bool changed = true;
	basic_block b;

	in.assign(n, {});
	out.assign(n, {});
	while (changed) {
		changed = false;
		FOR_EACH_BB_FN(b, fun)
			changed |= step_forward(b);
		FOR_EACH_BB_REVERSE_FN(b, fun)
			changed |= step_backward(b);
	}
}

// --- where its timer starts and ends ----------------------------------------------------------------------------------------------

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

void changes::at_statements(flow &f, range *r, basic_block b)
{
	struct state s = f.in[b->index], t = f.out[b->index];
	std::vector<bool> to; // after each statement, from the last

	for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g); gsi_prev(&g)) {
		to.push_back(t.to);
		pass_backward(&t, f.kind(gsi_stmt(g)));
	}
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
		gimple *stmt = gsi_stmt(g);
		const enum kind k = f.kind(stmt);

		s.to = to.back() || k == INSIDE;
		if (k == INSIDE && !f.is_active(s))
			list.push_back({ r, START, stmt, NULL, NULL });
		if (k == MARK && s.marked && f.is_active(s)) { // a copy of the range follows another
			list.push_back({ r, END, stmt, NULL, NULL });
			list.push_back({ r, START, stmt, NULL, NULL });
		}
		pass_forward(&s, k);
		s.to = to.back();
		to.pop_back();
		if (k == INSIDE && !s.to && !stmt_ends_bb_p(stmt))
			list.push_back({ r, END, NULL, stmt, NULL });
	}
}

// Whether the timer runs at the end of a block.
static bool leaves_active(flow &f, basic_block b)
{
	gimple *last = last_stmt(b);

	return f.is_active(f.out[b->index]) || (last && f.kind(last) == INSIDE && stmt_ends_bb_p(last));
}

void changes::at_edges(flow &f, range *r, basic_block b)
{
	const bool active = leaves_active(f, b);
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->succs) {
		const bool stays = f.is_active(f.in[e->dest->index]);

		if (e->flags & EDGE_ABNORMAL || e->dest == EXIT_BLOCK_PTR_FOR_FN(f.fun))
			continue;
		if (active && f.closed.count(e) && stays) { // the next execution
			list.push_back({ r, END, NULL, NULL, e });
			list.push_back({ r, START, NULL, NULL, e });
		} else if (active && !stays) {
			list.push_back({ r, END, NULL, NULL, e });
		} else if (!active && stays) {
			list.push_back({ r, START, NULL, NULL, e });
		}
	}
}

// Where a longjmp arrives the timer may run: after setjmp, and at labels of nonlocal gotos.
void changes::at_receivers(flow &f, range *r)
{
	basic_block b;
	bool leaves = false;
	edge e;
	edge_iterator i;

	FOR_EACH_BB_FN(b, f.fun)
		FOR_EACH_EDGE(e, i, b->succs)
			leaves |= e->flags & EDGE_ABNORMAL && leaves_active(f, b);
	if (!leaves)
		return;
	FOR_EACH_BB_FN(b, f.fun) {
		gimple_stmt_iterator g = gsi_start_nondebug_after_labels_bb(b);
		gimple *first = gsi_end_p(g) ? NULL : gsi_stmt(g);

		if (!first || f.is_active(f.in[b->index]) || gimple_call_internal_p(first, IFN_ABNORMAL_DISPATCHER) ||
		    !bb_has_abnormal_pred(b))
			continue;
		if (!is_gimple_call(first) || !(gimple_call_flags(first) & ECF_RETURNS_TWICE))
			list.push_back({ r, LEFT, first, NULL, NULL });
		else if (!stmt_ends_bb_p(first))
			list.push_back({ r, LEFT, NULL, first, NULL });
		else if (find_fallthru_edge(b->succs))
			list.push_back({ r, LEFT, NULL, NULL, find_fallthru_edge(b->succs) });
	}
}

// --- the calls --------------------------------------------------------------------------------------------------------------------

static GTY(()) tree hooks[N_HOOKS];
static GTY(()) tree statement_type, descriptors;

static void make_declarations()
{
	static const char *const names[] = { "gaspdb_statement_start", "gaspdb_statement_end", "gaspdb_statement_left" };
	static const char *const members[] = { "line", "file", "function", "name" };
	tree fields = NULL_TREE;

	for (int i = 0; i < N_HOOKS; i++) {
		tree type = i == START ? build_function_type_list(void_type_node, const_ptr_type_node, const_ptr_type_node, NULL_TREE)
				       : build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);

		hooks[i] = build_fn_decl(names[i], type);
		TREE_NOTHROW(hooks[i]) = 1;
	}
	statement_type = make_node(RECORD_TYPE);
	for (const char *member : members) {
		tree field = build_decl(UNKNOWN_LOCATION, FIELD_DECL, get_identifier(member),
					fields ? build_pointer_type(build_qualified_type(char_type_node, TYPE_QUAL_CONST)) : uint64_type_node);

		DECL_CHAIN(field) = fields;
		fields = field;
	}
	// In the order of the members, which finish_builtin_struct() reverses.
	finish_builtin_struct(statement_type, "gaspdb_statement", nreverse(fields), NULL_TREE);
}

static std::string qualified_name(tree decl)
{
	std::string name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";

	for (tree c = DECL_CONTEXT(decl); c && TREE_CODE(c) != TRANSLATION_UNIT_DECL; c = TYPE_P(c) ? TYPE_CONTEXT(c) : DECL_CONTEXT(c)) {
		tree own = TYPE_P(c) ? TYPE_IDENTIFIER(c) : TREE_CODE(c) == NAMESPACE_DECL ? DECL_NAME(c) : NULL_TREE;

		if (own && !is_fortran)
			name = std::string(IDENTIFIER_POINTER(own)) + "::" + name;
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
		if (s.second == INSIDE && contains(f.r, gimple_location(s.first)))
			return function_of_scope(inlined_scope(gimple_block(s.first)));
	return current_function_decl;
}

static void describe(range *r, flow &f)
{
	static unsigned number;
	char name[40];
	vec<constructor_elt, va_gc> *values = NULL;
	tree var, field = TYPE_FIELDS(statement_type);

	if (r->descriptor)
		return;
	for (tree value : { text(r->name), text(qualified_name(function_of_range(f))), text(r->file),
			    build_int_cst(uint64_type_node, r->first + 1) }) {
		CONSTRUCTOR_APPEND_ELT(values, field, value);
		field = DECL_CHAIN(field);
	}
	snprintf(name, sizeof name, "gaspdb_statement.%u", number++);
	var = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), statement_type);
	TREE_STATIC(var) = TREE_READONLY(var) = TREE_ADDRESSABLE(var) = TREE_USED(var) = 1;
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
		call = gimple_build_call(builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1, integer_zero_node);
		gimple_call_set_lhs(call, caller);
		gimple_seq_add_stmt(&seq, call);
		call = gimple_build_call(hooks[START], 2, statement, caller);
	} else {
		call = gimple_build_call(hooks[c.hook], 1, statement);
	}
	gimple_seq_add_stmt(&seq, call);
	for (gimple_stmt_iterator g = gsi_start(seq); at && !gsi_end_p(g); gsi_next(&g))
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
static void put_all(const std::vector<change> &list)
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

// --- the passes -------------------------------------------------------------------------------------------------------------------

static bool is_candidate(const range &r)
{
	return r.last > r.first && !r.is_off && !contains(r, DECL_SOURCE_LOCATION(current_function_decl));
}

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
		if (!hooks[START])
			make_declarations();
		describe(&r, f);
		r.is_timed = true;
		f.solve();
		f.close_loops();
		f.solve();
		FOR_EACH_BB_FN(b, fun) {
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

// A block ends after each call of a timer: code generation combines the expressions of a block, across calls too.
static unsigned end_blocks(function *fun)
{
	basic_block b;

	FOR_EACH_BB_FN(b, fun)
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			tree called = is_gimple_call(gsi_stmt(g)) ? gimple_call_fndecl(gsi_stmt(g)) : NULL_TREE;

			if (!called || (called != hooks[START] && called != hooks[END] && called != hooks[LEFT]) || gsi_one_before_end_p(g))
				continue;
			split_block(b, gsi_stmt(g));
			break; // the rest is in the next block
		}
	return 0;
}

// A load has the line of the variable's declaration, in Fortran.
static bool is_load(const gimple *s)
{
	return is_gimple_assign(s) && !gimple_store_p(s);
}

// Fortran's marks: where a statement of the range follows one that is not, in a block.
static unsigned put_marks(function *fun)
{
	basic_block b;
	edge e;
	edge_iterator i;

	if (!is_fortran)
		return 0;
	read_directives(expand_location(DECL_SOURCE_LOCATION(current_function_decl)).file);
	for (range &r : ranges) {
		if (!MAY_HAVE_DEBUG_MARKER_STMTS || !is_candidate(r))
			continue;
		FOR_EACH_BB_FN(b, fun) {
			bool inside = false, fresh = single_pred_p(b) || b == ENTRY_BLOCK_PTR_FOR_FN(fun)->next_bb;

			FOR_EACH_EDGE(e, i, b->preds)
				for (gimple_stmt_iterator g = gsi_start_bb(e->src); fresh && !gsi_end_p(g); gsi_next(&g))
					inside = is_inside(r, gsi_stmt(g));
			inside |= !fresh;
			for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
				gimple *s = gsi_stmt(g);
				const enum kind k = is_gimple_debug(s) ? TRANSPARENT : kind_of(r, s);

				if (k == INSIDE && !inside)
					gsi_insert_before(&g, gimple_build_debug_begin_stmt(gimple_block(s), gimple_location(s)), GSI_SAME_STMT);
				if (k == INSIDE)
					inside = true;
				else if (!is_load(s) && LOCATION_LOCUS(gimple_location(s)) > BUILTINS_LOCATION)
					inside = false;
			}
		}
	}
	return 0;
}

struct pass : gimple_opt_pass {
	unsigned (*run)(function *);

	pass(const pass_data &data, unsigned (*f)(function *)) : gimple_opt_pass(data, g), run(f) {}
	unsigned int execute(function *fun) override { return run(fun); }
	opt_pass *clone() override { return this; }
};

static void add_pass(const char *plugin, const char *name, unsigned (*run)(function *), const char *reference)
{
	const pass_data data = { GIMPLE_PASS, name, OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0 };
	struct register_pass_info info = { new pass(data, run), reference, 1, PASS_POS_INSERT_AFTER };

	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

// --- the end ----------------------------------------------------------------------------------------------------------------------

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
			warning_at(r.location, 0, "%sstatement %qs has no end, and is not timed", place.c_str(), r.name.c_str());
		else if (flag_lto)
			warning_at(r.location, 0, "%sstatement %qs is not timed with %<-flto%>", place.c_str(), r.name.c_str());
		else if (!r.is_timed)
			inform(r.location, "%sno code is left of statement %qs: it is not timed", place.c_str(), r.name.c_str());
	}
}

static const struct ggc_root_tab roots[] = {
	{ hooks, N_HOOKS, sizeof *hooks, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	{ &statement_type, 1, sizeof statement_type, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	{ &descriptors, 1, sizeof descriptors, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

__attribute__((visibility("default"))) int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
	const char *name = args->base_name;

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("gaspdb: this plugin is for gcc %s, not %s", gcc_version.basever, version->basever);
		return 1;
	}
	is_fortran = strstr(lang_hooks.name, "Fortran");
	register_callback(name, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
	register_callback(name, PLUGIN_PRAGMAS, register_pragmas, NULL);
	register_callback(name, PLUGIN_START_PARSE_FUNCTION, function_begins, NULL);
	register_callback(name, PLUGIN_FINISH_UNIT, unit_ends, NULL);
	add_pass(name, "gaspdb_marks", put_marks, "ssa");
	add_pass(name, "gaspdb", put_timers, "optimized");
	add_pass(name, "gaspdb_blocks", end_blocks, "gaspdb");
	return 0;
}
