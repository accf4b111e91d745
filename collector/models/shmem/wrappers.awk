# SPDX-License-Identifier: BSD-2-Clause
#
# The wrappers of the OpenSHMEM adapter, one a function of the header at hand:
#   awk -f wrappers.awk events/shmem.tbl.h families.tbl PREPROCESSED-HEADER
# families.tbl says how.  Any POSIX awk (mawk, gawk, busybox).

FNR == 1 { file++ }
file == 1 { read_event($0); next }
file == 2 { read_family($0); next }
/^#/ { next }
{ read_prototype($0) }
END {
	if (!failed)
		write_wrappers()
	if (failed) {
		fail("make OSHCC= builds all but the OpenSHMEM adapter")
		exit 1
	}
}

function fail(text) {
	print "wrappers.awk: " text | "cat 1>&2"
	failed = 1
}

# --- events/shmem.tbl.h: layout["IDENT", "start"], layout["IDENT", "end"] ---

function read_event(line,    k, part, n, ident) {
	if (line ~ /^EVENT\(/)
		row = ""
	row = row " " line
	if (line !~ /"\)$/)
		return
	n = split_row(substr(row, index(row, "(") + 1), part)
	ident = part[1]
	layout[ident, "start"] = part[6]
	layout[ident, "end"] = part[7]
	has_event[ident] = n
}

# The columns of a row; adjacent strings are one.
function split_row(text, part,    i, c, n, quoted) {
	n = 1
	part[1] = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\"")
			quoted = !quoted
		else if (c == "," && !quoted)
			part[++n] = ""
		else if (quoted || c !~ /[ \t]/)
			part[n] = part[n] c
	}
	return n
}

# --- families.tbl -----------------------------------------------------------

function read_family(line,    word, n, i, rest) {
	if (line ~ /^#/ || line ~ /^[ \t]*$/)
		return
	n = split(line, word, /[ \t]+/)
	rest = line
	sub(/^[ \t]*[a-z]+[ \t]*/, "", rest)
	if (word[1] == "family") {
		pattern[++n_families] = "^(" expand(word[2]) ")$"
		spelled[n_families] = word[2]
	} else if (word[1] == "argument")
		set_value("argument", rest)
	else if (word[1] == "hand" || word[1] == "list")
		for (i = 2; i <= n; i++)
			elsewhere[word[i]] = word[1]
	else if (word[2] == "start" || word[2] == "end")
		for (i = 3; i <= n; i++)
			set_value(n_families SUBSEP word[2], word[i])
	else if (word[2] ~ /^(but|takes|event|team|polls|unless|begun|done|after)$/)
		set_property(word[2], rest)
	else if (word[2] != "because")
		fail("families.tbl: '" line "' is no line of a family")
}

function set_property(name, rest) {
	if (name == "team")
		synced[n_families] = sub(/ synced$/, "", rest)
	of[n_families, name] = rest
}

function expand(regex) {
	gsub(/<shmem>/, "shmemx?", regex)
	gsub(/<type>/, "[a-z0-9]+", regex)
	gsub(/<bits>/, "[0-9]+", regex)
	return regex
}

function set_value(where, text,    i) {
	i = index(text, "=")
	value[where, substr(text, 1, i - 1)] = substr(text, i + 1)
}

# --- the header: returns[name], parameters[name], declared[pname] -----------

function read_prototype(line,    n, i, part) {
	text = text " " line
	depth += gsub(/[{]/, "{", line) - gsub(/[}]/, "}", line)
	if (depth > 0 || line !~ /[;}]/)
		return
	# A function's body ends it; other braces belong to a type.
	while (sub(/\)[ \t]*[{][^{}]*[}]/, ");", text) || sub(/[{][^{}]*[}]/, " ", text))
		;
	n = split(text, part, ";")
	for (i = 1; i < n; i++)
		declare(part[i])
	text = part[n]
}

function declare(text,    name, open, result) {
	text = strip(text, "__attribute__")
	text = strip(text, "__asm__")
	gsub(/[ \t]+/, " ", text)
	if (text ~ /^ *(typedef|static) / || !match(text, /[A-Za-z_][A-Za-z0-9_]* ?\(/))
		return
	open = RSTART + RLENGTH - 1
	name = substr(text, RSTART, RLENGTH - 1)
	sub(/ $/, "", name)
	result = substr(text, 1, RSTART - 1)
	gsub(/(^|[ ])(extern|__extension__|_Noreturn) /, " ", result)
	gsub(/^ +| +$/, "", result)
	if (name ~ /^p_?sh?mem|^psh|^pstart_pes$/)
		declared[name] = 1
	if (!is_public(name) || name in returns)
		return
	names[++n_names] = name
	returns[name] = result
	text = substr(text, open + 1)
	sub(/\)[^)]*$/, "", text)
	parameters[name] = text
}

# What an OpenSHMEM library offers: its own names, and those of old SHMEM.
function is_public(name) {
	return name ~ /^_?shmemx?_/ || name ~ /^sh(malloc|memalign|realloc|free)$/ ||
	    name ~ /^(start_pes|globalexit|_?my_pe|_?num_pes)$/
}

# text without word and the parentheses that follow it
function strip(text, word,    i, j, level, c) {
	while ((i = index(text, word)) > 0) {
		level = 0
		for (j = i + length(word); j <= length(text); j++) {
			c = substr(text, j, 1)
			level += (c == "(") - (c == ")")
			if (c == ")" && level == 0)
				break
		}
		text = substr(text, 1, i - 1) " " substr(text, j + 1)
	}
	return text
}

# A parameter's type: the text without the parameter's name, if it has one.
function type_of(text,    array, rest, word) {
	array = gsub(/\[[^]]*\]/, "", text) ? " *" : ""
	gsub(/^ +| +$/, "", text)
	if (match(text, /[A-Za-z_][A-Za-z0-9_]*$/)) {
		rest = substr(text, 1, RSTART - 1)
		word = substr(text, RSTART)
		if (has_type(rest) && !is_keyword(word))
			text = rest
	}
	gsub(/ +$/, "", text)
	return text array
}

# Is there more than qualifiers?
function has_type(text) {
	while (sub(/(^| )(const|volatile|restrict|__restrict|register)( |$)/, " ", text))
		;
	return text ~ /[^ ]/
}

function is_keyword(word) {
	return word ~ /^(char|short|int|long|float|double|signed|unsigned)$/ ||
	    word ~ /^(void|_Complex|_Bool|const|volatile|restrict|__restrict)$/
}

# --- the wrappers -----------------------------------------------------------

function write_wrappers(    i, family) {
	print "/* Generated by wrappers.awk from families.tbl and shmem.h: do not edit. */"
	print "#include \"collector/models/shmem/adapter.h\""
	print "#include \"collector/models/shmem/clocks.h\""
	print "#include \"collector/models/shmem/sync.h\""
	if (!n_names)
		fail("the header declares no OpenSHMEM function")
	for (i = 1; i <= n_names; i++) {
		if (names[i] in elsewhere)
			continue
		family = family_of(names[i])
		if (family)
			write_wrapper(names[i], family)
	}
}

function family_of(name,    i, found) {
	for (i = 1; i <= n_families; i++) {
		if (name !~ pattern[i] || index(" " of[i, "but"] " ", " " name " "))
			continue
		if (found)
			fail(name " belongs to two families, '" spelled[found] "' and '" spelled[i] "'")
		found = i
	}
	if (!found)
		fail(name "(" parameters[name] ") belongs to no family and is on no list of families.tbl")
	return found
}

# Sets role[], type[] of the n parameters that this function has, and has_ctx.
function take(name, family,    n, i, given, n_given, roles, j) {
	n_given = split(parameters[name], given, ",")
	if (parameters[name] ~ /^ *(void)? *$/)
		n_given = 0
	n = split(of[family, "takes"], roles, " ")
	has_ctx = 0
	j = 0
	for (i = 1; i <= n; i++) {
		if (roles[i] == "ctx?" && name !~ /_ctx_/)
			continue
		if (roles[i] == "ctx?")
			has_ctx = 1
		sub(/\?/, "", roles[i])
		role[++j] = roles[i]
		type[j] = j <= n_given ? type_of(given[j]) : ""
	}
	if (j != n_given) {
		fail(name "(" parameters[name] ") has not the parameters of its family '" spelled[family] "'")
		return -1
	}
	return j
}

# The size of an element as a C expression.
function unit_of(name, n,    i, base) {
	for (i = 1; i <= n; i++)
		if (type[i] ~ /\*/)
			break
	if (i > n)
		return ""
	if (type[i] !~ /void/)
		return "sizeof(*" role[i] ")"
	base = name
	sub(/_nbi$/, "", base)
	sub(/_signal$/, "", base)
	if (base ~ /mem$/)
		return "1"
	return match(base, /[0-9]+$/) ? substr(base, RSTART) / 8 "" : ""
}

# The C for one argument of a family's record.
function value_of(name, family, phase, arg, unit,    c) {
	c = arg
	if ((family, phase, arg) in value)
		c = value[family, phase, arg]
	else if (("argument", arg) in value)
		c = value["argument", arg]
	while (match(c, /(^|[^a-z_])unit([^a-z_]|$)/)) {
		if (unit == "") {
			fail(name ": the size of its elements is not known")
			break
		}
		RSTART += substr(c, RSTART, 1) != "u"
		c = substr(c, 1, RSTART - 1) unit substr(c, RSTART + 4)
	}
	return c
}

# Their number and a C array of them, as gaspdb_start and gaspdb_end take them.
# The attempts, which come last, are the collector's.
function values_of(name, family, phase, unit,    n, i, item, part, list, text) {
	text = layout[of[family, "event"], phase]
	sub(/ ?attempts:u$/, "", text)
	n = split(text, item, " ")
	for (i = 1; i <= n; i++) {
		split(item[i], part, ":")
		list = list (i > 1 ? ",\n\t\t\t" : "") cast(part[2]) \
		    "(" value_of(name, family, phase, part[1], unit) ")"
	}
	return n ", " (n ? "(const uint64_t[]){\n\t\t\t" list " }" : "NULL")
}

function cast(code) {
	if (code == "p")
		return "(uint64_t)(uintptr_t)"
	return code == "i" ? "(uint64_t)(int64_t)" : "(uint64_t)"
}

function typed(type, name) {
	return type (type ~ /\*$/ ? "" : " ") name
}

function write_wrapper(name, family,    n, i, call, head, result) {
	n = take(name, family)
	if (!(of[family, "event"] in has_event))
		fail("families.tbl: shmem.tbl.h has no event '" of[family, "event"] "'")
	if (n < 0 || failed)
		return
	for (i = 1; i <= n; i++) {
		head = head (i > 1 ? ", " : "") typed(type[i], role[i])
		call = call (i > 1 ? ", " : "") role[i]
	}
	head = "(" (n ? head : "void") ")"
	print ""
	if (!(("p" name) in declared))
		print typed(returns[name], "p" name) head ";"
	print "GASPDB_EXPORT " typed(returns[name], name) head
	print "{"
	print "\tGASPDB_SHMEM_CALL(" of[family, "event"] ", " name ");"
	write_body(name, family, "(" call ")", unit_of(name, n))
	print "}"
}

function write_body(name, family, call, unit,    result, passed) {
	result = returns[name] == "void" ? "" : "result"
	if (result)
		print "\t" typed(returns[name], "result;")
	print ""
	if (synced[family])
		write_sync(of[family, "team"])
	passed = "GASPDB_SHMEM_PASS(" name ")" call
	call = "p" name call
	print "\tif (GASPDB_UNLIKELY(!c)) {"
	print "\t\t" (result ? "return " passed ";" : passed ";\n\t\treturn;")
	print "\t}"
	write_locals(family)
	if (of[family, "team"] == "on") {
		# Of no team that is known: most likely of none, and an error.
		print "\tif (GASPDB_UNLIKELY(!team.team)) {"
		print "\t\tgaspdb_leave(c);"
		print "\t\t" (result ? "return " call ";" : call ";\n\t\treturn;")
		print "\t}"
	}
	write_start(family, values_of(name, family, "start", unit))
	write_statement(of[family, "begun"])
	print "\t" (result ? "result = " : "") call ";"
	write_statement(of[family, "done"])
	write_end(name, family, values_of(name, family, "end", unit), unit)
	write_statement(of[family, "after"])
	print "\tgaspdb_leave(c);"
	if (result)
		print "\treturn result;"
}

function write_sync(team) {
	print "\tgaspdb_shmem_sync_" (team == "on" ? "team(c, &entry, on);" : "set(c, &entry, first, log_stride, size);")
}

# A polling call is recorded as such: adapter.h.
function write_start(family, values,    kind, words) {
	kind = of[family, "polls"]
	words = kind == "words" ? "status, n, excluded, " : ""
	if (kind == "")
		print "\tgaspdb_start(c, &op, entry.pc, " values ");"
	else
		print "\tconst enum gaspdb_poll_mode mode = gaspdb_shmem_start_" kind \
		    "(\n\t\tc, &op, entry.pc, " words values ");"
}

function write_end(name, family, values, unit,    kind) {
	kind = of[family, "polls"]
	if (kind ~ /^own/) {
		print "\tif (GASPDB_UNLIKELY(mode != GASPDB_POLL_PLAIN))"
		print "\t\tgaspdb_end_poll(c, mode, &op, entry.pc, false, gaspdb_shmem_found(" \
		    (kind == "own" ? "&result, sizeof(result)" : "local, n * " unit) "), " values ");"
		print "\telse"
		print "\t\tgaspdb_end(c, &op, entry.pc, " values ");"
	} else if (kind == "")
		print "\tgaspdb_end(c, &op, entry.pc, " values ");"
	else
		print "\tgaspdb_end_poll(c, mode, &op, entry.pc, " \
		    value_of(name, family, "end", "success", unit) ", 0, " values ");"
}

function write_statement(c) {
	if (c != "")
		print "\t" c
}

# What the arguments' C may use besides the parameters.
function write_locals(family) {
	if (has_ctx)
		print "\tconst uint64_t context = gaspdb_shmem_context(ctx);"
	else if (of[family, "takes"] ~ /ctx\?/)
		print "\tconst uint64_t context = GASPDB_SHMEM_DEFAULT_CONTEXT;"
	if (of[family, "takes"] ~ /status/)
		print "\tconst size_t excluded = gaspdb_shmem_excluded(status, n);"
	if (of[family, "team"] == "on")
		print "\tconst struct gaspdb_shmem_collective team = gaspdb_shmem_on_team(c, on);"
	else if (of[family, "team"] == "world")
		print "\tconst struct gaspdb_shmem_collective team =\n\t\t" \
		    (of[family, "unless"] == "" ? "" : of[family, "unless"] " ? GASPDB_SHMEM_NO_COLLECTIVE :\n\t\t") \
		    "gaspdb_shmem_all(c);"
	else if (of[family, "team"] == "set")
		print "\tconst struct gaspdb_shmem_collective team =\n" \
		    "\t\tgaspdb_shmem_active_set(c, first, log_stride, size);"
}
