#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The compiler wrapper: what it adds to a command, and what build systems do with it.
. "$(dirname "$0")/../lib.sh"
gaspcc=$O/gaspcc
cd "$TMP" || exit 1
mkdir lib
cat >main.c <<'C'
#include <pupc.h>
#include "part.h"
int main(void)
{
#ifdef __UPC_PUPC__
	if (__UPC_PUPC__ != 1)
		return 2;
#endif
	pupc_control(1);
	pupc_event_atomic(pupc_create_event("mark", "%d"), 1);
	return part(0);
}
C
printf 'static inline int inner(int n) { return n; }\nint part(int);\n' >part.h
printf '#include "part.h"\nint part(int n) { return inner(n); }\n' >part.c

# --- what is added ---
shown() { "$gaspcc" "$@" | sed "s# -I[^ ]*/include##; s# -fplugin=[^ ]*##; s# -L[^ ]*##g; s#-rpath,[^ ]*#-rpath,LIB#g"; }
link='-Wl,--push-state,--as-needed,-lc -lgaspdb-statements -lgaspdb -Wl,-rpath,LIB -Wl,--pop-state'
is "nothing is instrumented" "$(shown --show gcc -c main.c)" "gcc -DGASPDB_NO_PUPC -c main.c"
is "--inst, compiling" "$(shown --show --inst gcc -c main.c)" "gcc -D__UPC_PUPC__=1 -g -c main.c"
is "--inst-functions, compiling" "$(shown --inst-functions --show gcc -c main.c)" "gcc -D__UPC_PUPC__=1 -g -finstrument-functions -c main.c"
is "compiling and linking" "$(shown --show --inst-local mpicc main.c -o main)" "mpicc -D__UPC_PUPC__=1 -g main.c -o main $link"
is "--inst-memory, linking" "$(shown --show --inst-memory gcc main.o)" \
	"gcc -Wl,--push-state,--no-as-needed -lgaspdb-memory -Wl,-rpath,LIB -Wl,--pop-state main.o $link"
is "--inst-memory, compiling" "$(shown --show --inst-memory gcc -c main.c)" "gcc -D__UPC_PUPC__=1 -g -c main.c"
is "linking alone" "$(shown --show --inst-functions gcc main.o -lm)" "gcc main.o -lm $link"
is "linking statically, or to one object: no library" \
	"$(shown --show --inst gcc -static main.o) $(shown --show --inst gcc -r main.o)" "gcc -static main.o gcc -r main.o"
is "the last counts" "$(shown --show --inst-functions --noinst gcc main.o)" "gcc main.o"
is "UPC compilers have options of their own" "$(shown --show --inst-local --inst-functions upcc -T=4 a.upc)" \
	"upcc -inst -inst-local -inst-functions -T=4 a.upc"
is "words are shown as a shell reads them" "$(shown --show gcc "-DA=\"b c\"" "it's.o")" "gcc '-DA=\"b c\"' 'it'\\''s.o'"
for words in --version -v -dumpmachine -print-search-dirs; do
	is "$words: nothing is added" "$(shown --show --inst-functions gcc $words)" "gcc $words"
done
for words in "-E main.c" "-S main.c" "-M main.c" "-fsyntax-only -x c -"; do
	# shellcheck disable=SC2086
	is "$words: nothing is linked" "$(shown --show --inst gcc $words)" "gcc -D__UPC_PUPC__=1 -g $words"
done
printf -- '-c main.c -o response.o' >compile.rsp
printf -- 'main.o -o response' >link.rsp
is "of a file of arguments, too" "$(shown --show --inst gcc @compile.rsp)" "gcc -D__UPC_PUPC__=1 -g @compile.rsp"
is "that links" "$(shown --show --inst gcc @link.rsp)" "gcc -D__UPC_PUPC__=1 -g @link.rsp $link"

# --- which functions ---
cat >only <<'F'
# a comment
file part.*
-file part.h
-function in,ner
-function main
F
is "--inst-only: a source that FILE leaves out" "$(shown --show --inst-only only gcc -c main.c)" "gcc -D__UPC_PUPC__=1 -g -c main.c"
is "and one that it has" "$(shown --show --inst-only=only gcc -c lib/part.c)" \
	"gcc -D__UPC_PUPC__=1 -g -finstrument-functions -finstrument-functions-exclude-file-list=part.h '-finstrument-functions-exclude-function-list=in\\,ner,main' -c lib/part.c"
"$gaspcc" --inst-functions gcc -c part.c -o all.o && "$gaspcc" --inst-only only gcc -O0 -c part.c -o some.o
calls() { objdump -dr "$1" | grep -c __cyg_profile_func_enter; }
is "so the header's code is not instrumented" "$(calls all.o) $(calls some.o)" "2 1"
if command -v clang >/dev/null; then
	like "clang has no such lists" "$("$gaspcc" --inst-only only clang -c part.c 2>&1 || echo $?)" "for which clang has no option"
	echo 'file part.*' >files
	is "but files" "$(shown --show --inst-only files clang -c part.c)" "clang -D__UPC_PUPC__=1 -g -finstrument-functions -c part.c"
else
	skip "clang" "not here"
fi

# --- what is refused ---
refused() { # WORDS STATUS-AND-TEXT
	local out
	# shellcheck disable=SC2086
	out=$("$gaspcc" $1 2>&1 >out)
	is "'$1' is refused" "$? $(wc -c <out) $out" "2 0 $2"
}
refused "--instfunctions gcc" "gaspcc: unknown option '--instfunctions'"
refused "--inst" "gaspcc: no compiler is given; gaspcc --help"
refused "--inst-only nothing gcc main.c" "gaspcc: cannot read 'nothing'"
like "--help" "$("$gaspcc" --help)" "^usage: gaspcc "
is "the compiler's exit status" "$("$gaspcc" sh -c 'exit 7'; echo $?)" 7

# --- pupc.h ---
for level in -O0 -O2; do
	"$gaspcc" gcc $level -Wall -c main.c -o plain.o 2>err
	is "$level: without --inst pupc.h is nothing" "$(cat err; nm plain.o | grep -cE 'pupc|gasp|cyg')" 0
	"$gaspcc" gcc $level -o plain plain.o part.c
	is "$level: and nothing of gaspdb is linked" "$(./plain && readelf -d plain | grep -c gaspdb)" 0
done
"$gaspcc" --inst gcc main.c part.c -o marks
is "with it, what it calls is linked" "$(readelf -d marks | grep -c 'NEEDED.*libgaspdb.so')" 1
timeout 60 "$gaspdb" record -o marks.run -- ./marks 2>/dev/null && "$gaspdb" import marks.run 2>/dev/null
is "and recorded" "$(sql marks.run.db "SELECT o.name FROM event e JOIN source s ON s.id = source_id JOIN operation o ON o.id = operation_id")" mark
"$gaspcc" --inst-functions gcc -c part.c && "$gaspcc" --inst-functions gcc -shared -fPIC part.c -o libpart.so
is "functions alone need no library" "$(readelf -d libpart.so | grep -c 'NEEDED.*gaspdb')" 0
for compiler in gcc g++ clang clang++ gfortran; do
	command -v $compiler >/dev/null || { skip "$compiler" "not here" && continue; }
	printf 'int main(void) { return 0; }\n' >needs.c && cp needs.c needs.cpp && printf 'end\n' >needs.f90
	case $compiler in *++) file=needs.cpp ;; gfortran) file=needs.f90 ;; *) file=needs.c ;; esac
	"$gaspcc" --inst-functions $compiler $file -o needs 2>err
	is "nor in programs of $compiler" "$? $(readelf -d needs | grep -c 'NEEDED.*gaspdb')" "0 0"
done

# --- the plugin ---
plugin=$(echo "$O"/gaspdb-gcc-*.so)
cat >marked.c <<'C'
int on(int n) { return n; }
#pragma pupc off
static inline int in_off(int n) { return n + 1; }
int off(int n)
{
#pragma gaspdb statement "off"
	return in_off(n);
#pragma gaspdb end
}
#pragma pupc on
int on_again(int n)
{
	int m = 0;
#pragma gaspdb statement "nothing"
	m = 1;
#pragma gaspdb end
	m = 0;
#pragma gaspdb statement "something"
	n *= 3;
#pragma gaspdb end
	return n + m;
}
C
# called OBJECT: each function, and what it calls for gaspdb
called() {
	objdump -dr --no-show-raw-insn "$1" | awk '/^[0-9a-f]+ </ { name = $2; calls[name] = "" }
		match($0, /(__cyg_profile_func_enter|gaspdb_statement_start)/) { calls[name] = calls[name] " " substr($0, RSTART, RLENGTH) }
		END { for (name in calls) print name calls[name] }' | sort
}
if [ -e "$plugin" ] && [ "$(uname -m)" = x86_64 ]; then
	is "it is loaded if the version is that of the compiler" "$("$gaspcc" --show --inst gcc -c main.c | grep -o -- '-fplugin=[^ ]*')" "-fplugin=$plugin"
	is "not without --inst" "$("$gaspcc" --show gcc -c main.c | grep -c -- -fplugin)" 0
	export LC_ALL=C
	"$gaspcc" --inst-functions gcc -O2 -Wall -c marked.c -o marked.o 2>err
	is "#pragma pupc off: no functions, no statements" "$(called marked.o)" \
		"<off>:
<on>: __cyg_profile_func_enter
<on_again>: __cyg_profile_func_enter gaspdb_statement_start"
	like "it says what is not timed" "$(cat err)" "^marked.c:14:[0-9]+: note: no code is left of statement 'nothing': it is not timed"
	is "and nothing else" "$(grep -cE 'warning|error|note' err)" 1
	printf 'int f(int n)\n{\n#pragma gaspdb end\n#pragma pupc maybe\n#pragma gaspdb statement open\n#pragma gaspdb statement "open"\n\treturn n;\n}\n' >wrong.c
	printf '#pragma gaspdb statement "outside"\n' >>wrong.c
	is "misplaced marks are warned of" "$("$gaspcc" --inst gcc -c wrong.c 2>&1 | sed -n 's/.*: warning: //p' | sort)" \
		"$(sort <<-'W'
			'#pragma gaspdb end' without '#pragma gaspdb statement' in the same function [-Wpragmas]
			'#pragma gaspdb statement' needs a name in quotes [-Wpragmas]
			'#pragma gaspdb statement' outside of a function is ignored [-Wpragmas]
			'#pragma pupc' needs 'on' or 'off' [-Wpragmas]
			statement 'open' has no end, and is not timed
		W
		)"
	like "with -flto nothing is timed" "$("$gaspcc" --inst gcc -O2 -flto -c marked.c -o lto.o 2>&1)" "^marked.c:18:[0-9]+: warning: statement 'something' is not timed with '-flto'"
	printf '#!/bin/sh\n[ "$1" = -dumpfullversion ] && echo 4.5.6 || exec gcc "$@"\n' >othercc && chmod +x othercc
	is "another version" "$("$gaspcc" --inst ./othercc -O2 -c marked.c -o other.o 2>&1; called other.o | grep -c statement)" \
		"gaspcc: marked.c: #pragma pupc and marks of statements are ignored: that needs gcc $(gcc -dumpfullversion), and './othercc' is 4.5.6
0"
	is "without marks it is not worth a word" "$("$gaspcc" --inst ./othercc -O2 -c part.c -o other.o 2>&1)" ""
	mkdir without without/bin && cp "$gaspcc" without/bin && mkdir -p without/include/gaspdb without/lib/gaspdb
	is "without the plugin" "$(without/bin/gaspcc --inst gcc -w -O2 -c marked.c -o other.o 2>&1)" \
		"gaspcc: marked.c: #pragma pupc and marks of statements are ignored: gaspdb was built without g++ or the headers of gcc's plugins (Debian: g++, gcc-12-plugin-dev)"
	unset LC_ALL
else
	skip "the plugin" "not built here"
fi

# --- build systems ---
functions() { # RUN
	sql "$1.db" "SELECT s.function FROM event e JOIN source s ON s.id = source_id JOIN operation o ON o.id = operation_id
		WHERE o.type = 'function' ORDER BY e.start_ns, e.id" | tr '\n' ' '
}
recorded() { # RUN PROGRAM
	timeout 60 "$gaspdb" record -o "$1" -- "$2" 2>/dev/null
	"$gaspdb" import "$1" 2>/dev/null
	functions "$1"
}
mkdir made && cp main.c part.[ch] made
printf 'main: main.o part.o\nmain.o part.o: part.h\n' >made/Makefile
make -s -C made CC="$gaspcc --inst-functions gcc" main 2>err
is "make" "$? $(cat err) $(recorded make.run made/main)" "0  main part inner "
if command -v cmake >/dev/null; then
	mkdir cmade && cp main.c part.[ch] cmade
	printf 'cmake_minimum_required(VERSION 3.13)\nproject(p C)\nadd_executable(main main.c part.c)\n' >cmade/CMakeLists.txt
	CC="$gaspcc --inst-functions gcc" cmake -S cmade -B cmade/build >out 2>&1 && cmake --build cmade/build >out 2>&1
	is "CMake" "$? $(recorded cmake.run cmade/build/main)" "0 main part inner "
else
	skip "CMake" "not here"
fi
if command -v autoconf >/dev/null; then
	mkdir auto && cp main.c part.[ch] auto
	printf 'AC_INIT([p],[1])\nAC_PROG_CC\nAC_CHECK_FUNCS([getpid no_such_function])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >auto/configure.ac
	printf 'CC = @CC@\nCFLAGS = @CFLAGS@\nmain: main.o part.o\n' >auto/Makefile.in
	(cd auto && autoconf && ./configure CC="$gaspcc --inst-functions gcc" && make -s main) >out 2>&1
	is "autoconf" "$? $(recorded auto.run auto/main)" "0 main part inner "
	is "its tests leave nothing" "$(grep -c 'no_such_function... no' out) $(find auto -name 'gaspdb-*' | wc -l)" "1 0"
else
	skip "autoconf" "not here"
fi
finish
