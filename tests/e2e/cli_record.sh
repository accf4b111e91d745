#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb record around commands that are no parallel programs: what they see, how they end, what is told.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
record() { timeout 60 "$gaspdb" record "$@"; }

record -o plain -- sh -c 'echo out; echo err >&2; exit 7' >out 2>err
is "the exit status is the command's" "$?" 7
is "so is its output" "$(cat out)" out
is "and its stderr, but for two lines" "$(grep -v '^gaspdb:' err) $(grep -c '^gaspdb:' err)" "err 2"
like "which says why nothing was recorded" "$(cat err)" "nothing was recorded: .*neither MPI nor OpenSHMEM"
is "and that its directory is gone" "$(tail -1 err) $(ls -d plain 2>/dev/null)" "gaspdb: the empty run directory 'plain' was removed "
echo 'int main(void) { return 0; }' >idle.c
gcc -o idle idle.c -L"$O" -Wl,--no-as-needed -lgaspdb -Wl,-rpath,"$O"
"$gaspdb" record -o idle.run -- ./idle 2>err
like "one with the collector linked in that raised nothing" "$? $(cat err)" "^0 gaspdb: nothing was recorded: './idle' has the collector linked in"
record -o plain -- sh -c 'echo own >$GASPDB_DIR/notes; exit 7' 2>err
is "a directory with a file of the program's stays" "$(ls plain | tr '\n' ' ') $(grep -c removed err)" "notes run.txt  0"
is "with the run's facts" "$(sed -n 's/^command: //p; s/^status: //p' plain/run.txt)" \
	$'sh -c \'echo own >$GASPDB_DIR/notes; exit 7\'\n7'
like "and why it is empty" "$(cat plain/run.txt)" "^nothing recorded: "
is "stdin is the command's" "$(echo hello | record -o cat cat 2>/dev/null)" hello
record -o plain true 2>err
is "an existing run directory is refused" "$? $(cat plain/run.txt | grep -c ^command)" "2 1"
like "and named" "$(cat err)" "'plain' exists already"
for empty in plain none/ link; do
	mkdir -p none && ln -sfn "$TMP/plain" link
	record --force -o "$empty" -- touch ran 2>err
	is "--force replaces no other directory ($empty)" "$? $(test -e ran && echo ran) $(cat plain/notes) $(test -d none && echo there)" \
		"2  own there"
	like "and tells why" "$(cat err)" "^gaspdb: '$empty' is no run directory: (it has 'notes'|it is empty|Not a directory)"
done
rmdir none
record -o fatal -- sh -c 'touch $GASPDB_DIR/kept; kill -9 $$' 2>/dev/null
is "a signal is told as a shell does" "$? $(sed -n 's/^status: //p' fatal/run.txt)" "137 137"
record -o none -- ./nothing 2>err
is "not found" "$? $(head -1 err)" "127 gaspdb: cannot run './nothing': No such file or directory"
is "its run directory is gone, which is said" "$(sed 1d err)" "gaspdb: the empty run directory 'none' was removed"
touch noexec
record -o none -- ./noexec 2>err
is "not executable" "$? $(head -1 err)" "126 gaspdb: cannot run './noexec': Permission denied"
ok "a run that never was leaves no directory" test ! -e none
record -o /proc/nothing -- sh -c 'echo out; env | grep -c -e ^LD_PRELOAD= -e ^GASPDB_; exit 3' >out 2>err
is "no run directory: the command runs all the same" "$? $(tr '\n' ' ' <out)" "3 out 0 "
is "after one line" "$(wc -l <err)" 1
like "that says why" "$(cat err)" "nothing is recorded: cannot make '/proc/nothing': No such file"

# The environment that brings the collector in.
record -o env -- env >out 2>/dev/null
is "the run directory is absolute" "$(sed -n 's/^GASPDB_DIR=//p' out)" "$(pwd -P)/env"
like "a run has a number" "$(grep ^GASPDB_RUN_ID= out)" "^GASPDB_RUN_ID=[0-9a-f]{16}$"
ok "the preload library is there" test -r "$(sed -n 's/^LD_PRELOAD=//p' out)"
record -o env2 -- env >out2 2>/dev/null
ok "the next run has another" test "$(grep ^GASPDB_RUN_ID= out)" != "$(grep ^GASPDB_RUN_ID= out2)"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0
is "what was preloaded stays" "$(LD_PRELOAD=libm.so.6 record -o env3 -- env 2>/dev/null | sed -n 's/^LD_PRELOAD=.*preload.so://p')" \
	libm.so.6
is "--nested" "$(record --nested -o env4 -- env 2>/dev/null | sed -n 's/^GASPDB_NESTED=//p')" 1
is "--max-log-size" "$(record --max-log-size=3M -o env5 -- env 2>/dev/null | sed -n 's/^GASPDB_MAX_LOG_SIZE=//p')" 3145728
for size in 0 -1M 255K 1 x 3MB 99999999999G ''; do
	record --max-log-size="$size" -o limit -- true 2>err
	is "a log size of '$size' is refused" "$? $(grep -c "'$size' is not a size of 256 KiB or more" err)" "2 1"
done
ok "and nothing was made" test ! -e limit
is "--max-size" "$(record --max-size=3M -o env7 -- env 2>/dev/null | sed -n 's/^GASPDB_MAX_RUN_SIZE=//p')" 3145728
is "--max-size=0" "$(record --max-size=0 -o env8 -- env 2>/dev/null | sed -n 's/^GASPDB_MAX_RUN_SIZE=//p')" 0
record --only='get,MPI_*' --except put -o env6 -- env >out 2>/dev/null
is "--only" "$(sed -n 's/^GASPDB_ONLY=//p' out)" 'get,MPI_*'
is "--except" "$(sed -n 's/^GASPDB_EXCEPT=//p' out)" put
record sh -c : 2>err
like "a name of our own" "$(cat err)" "directory 'gaspdb-sh-[0-9]{8}T[0-9]{6}' was removed"
record timeout 9 env true 2>err
like "that of the program" "$(cat err)" "directory 'gaspdb-true-[0-9]{8}T[0-9]{6}' was removed"

# A gaspdb in a place that LD_PRELOAD cannot write.
mkdir "a b:c" && cp "$gaspdb" "$O"/libgaspdb*.so "a b:c"
"./a b:c/gaspdb" record -o moved -- sh -c 'test -r "${LD_PRELOAD%%:*}" && echo $LD_PRELOAD' >out 2>err
is "a folder with blanks will do" "$? $(grep -c gaspdb-preload out) $(grep -c 'cannot be preloaded' err)" "0 1 0"
ok "and nothing of that is left" test ! -e "$(dirname "$(cat out)")"
mkdir bare && cp "$gaspdb" bare
bare/gaspdb record -o unmade -- sh -c 'exit 4' 2>err
is "without the library the command runs" "$? $(wc -l <err)" "4 1"
ok "and leaves nothing" test ! -e unmade

# Signals that are meant for the command reach it.
cat >waits <<'SH'
#!/bin/bash
trap 'echo got TERM; exit 5' TERM
echo ready
while :; do sleep 0.05; done
SH
chmod +x waits
for signal in TERM INT; do
	rm -rf signalled fifo
	mkfifo fifo
	sed -i "s/TERM/$signal/g; s/INT/$signal/g" waits
	# In the background a shell has SIGINT ignored.
	timeout 60 env --default-signal=INT "$gaspdb" record -o signalled ./waits >fifo 2>/dev/null &
	exec 3<fifo
	read -r line <&3
	# The child of timeout
	kill "-$signal" "$(cat "/proc/$!/task/$!/children")"
	read -r line <&3
	wait $!
	is "SIG$signal is passed on" "$? $line" "5 got $signal"
	exec 3<&-
done

# What can be told of a program that gave nothing.
echo 'int main(void) { return 0; }' >prog.c
if gcc -static -o static prog.c 2>/dev/null; then
	record -o static.run ./static 2>err
	like "a static program" "$(cat err)" "'./static' is statically linked.*link libgaspdb"
	record -o static2.run timeout 5 ./static 2>err
	like "also behind others" "$(cat err)" "'./static' is statically linked"
else
	skip "a static program" "no static libc"
fi
printf '#!/bin/sh\ntrue\n' >script && chmod +x script
record -o script.run ./script 2>err
like "a script" "$(cat err)" "'./script' is a script"
cp static setuid 2>/dev/null || gcc -o setuid prog.c
gcc -o setuid prog.c && chmod u+s setuid
record -o setuid.run ./setuid 2>err
like "a set-user-id program" "$(cat err)" "'./setuid' is set-user-id"
gcc -shared -fPIC -Wl,-soname,libmpi.so.99 -o libmpi.so.99 prog.c
gcc -Wl,--no-as-needed -o foreign prog.c ./libmpi.so.99 -Wl,-rpath,"$TMP"
record -o foreign.run ./foreign 2>err
like "another MPI" "$(cat err)" "'./foreign' uses another MPI \(libmpi.so.99\)"
gcc -shared -fPIC -Wl,-soname,libmpich.so.12 -o libmpich.so.12 prog.c
gcc -Wl,--no-as-needed -o early prog.c ./libmpich.so.12 -Wl,-rpath,"$TMP"
record -o early.run ./early 2>err
like "a program that ends before MPI begins" "$(cat err)" "'./early' uses MPICH, (but never started it|and this gaspdb)"

# What a recording ends with, and what replaces it.
cat >starts.c <<'C'
#include "pupc.h"
int main(void) { unsigned e = pupc_create_event("step", ""); pupc_event_start(e); pupc_event_end(e); return 0; }
C
gcc -o starts starts.c -I"$TOP/collector/include" -L"$O" -Wl,--no-as-needed -lgaspdb -Wl,-rpath,"$O"
record -o 'a run' ./starts 2>err
like "without a terminal, too, it is told where the run is" "$(cat err)" "^gaspdb: recorded 1 process, .*, in '$(pwd -P)/a run'$"
is "and last what to type next" "$(tail -1 err)" "gaspdb: next: gaspdb import 'a run'"
PATH=$(dirname "$gaspdb"):$PATH sh -c "$(sed -n 's/^gaspdb: next: //p' err)" 2>err
is "which works as it stands, and tells the next" "$? $(tail -1 err)" "0 gaspdb: next: gaspdb report 'a run.db'"
PATH=$(dirname "$gaspdb"):$PATH sh -c "$(sed -n 's/^gaspdb: next: //p' err)" >out
is "which works, too" "$? $(test -s out && echo page)" "0 page"
record -o -dash ./starts 2>err
is "a name like an option's is no option there" "$(tail -1 err)" "gaspdb: next: gaspdb import ./-dash"
logs() { (cd "$1" && ls -- *.gasplog); }
before=$(logs 'a run')
record -f -o 'a run' ./nothing 2>err
is "--force: what cannot be started replaces nothing" "$? $(logs 'a run')" "127 $before"
is "which is said" "$(sed 1d err)" "gaspdb: 'a run' is the earlier run, as it was"
record -f -o 'a run' true 2>err
is "nor does what records nothing" "$? $(logs 'a run')" "0 $before"
record --force -o 'a run/' sh -c 'ls -d "$0".old-* && ./starts' "$(pwd -P)/a run" >out 2>err
is "--force: the earlier run is kept meanwhile" "$? $(grep -c '/a run.old-' out)" "0 1"
is "its database would be replaced, too" "$(tail -1 err)" "gaspdb: next: gaspdb import --force 'a run/'"
is "and gone when there is a new one" "$(ls -d 'a run'*) $(logs 'a run' | wc -l) $(grep -cxF "$before" <(logs 'a run'))" \
	$'a run\na run.db 1 0'
record --force -o fresh ./starts 2>err
is "--force: there need not be one" "$? $(logs fresh | wc -l)" "0 1"
ln -s /etc/passwd fresh/run.gasplog
record --force -o fresh ./starts 2>err
is "a link among its files: it is none" "$? $(logs fresh | wc -l)" "2 2"

# --report=FILE.html: the database of an earlier run is kept, and the page is none of that.
if [ -s "$O/html/page.html" ]; then
	record -o paged ./starts >/dev/null 2>&1
	"$gaspdb" import paged 2>/dev/null
	before=$(cksum paged.db)
	rm -r paged
	record --report=paged.html -o paged ./starts 2>err
	is "--report with a database of that name: the program's status" "$?" 0
	is "no page, the reason and what to do" "$(tail -2 err)" "gaspdb: no page: the database 'paged.db' of an earlier run is kept
gaspdb: next: gaspdb import --force paged"
	is "neither is written" "$(cksum paged.db 2>&1) $(ls paged.db paged.html 2>/dev/null)" "$before paged.db"
fi

# Notes that an assembler wrote: the last one ends without its padding; and one that is longer than what is there.
printf '%s\n' '.section .note.zzz,"a",@note' '.long 4' '.long 5' '.long 1' '.ascii "Foo\0"' '.ascii "abcde"' \
	'.section .note.GNU-stack,"",@progbits' >note.S
sed 's/^.long 4/.long 0xfffffff0/' note.S >cut.S
echo '#include <mpi.h>
int main(void) { MPI_Init(0, 0); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }' >mpi.c
mpicc=$(command -v mpicc.openmpi mpicc.mpich | head -1)
for note in note cut; do
	gcc -Wl,--build-id=none -o "$note" prog.c "$note.S"
	record -o "$note.run" "./$note" 2>err
	is "a program with odd notes ($note) runs" "$?" 0
	[ "$mpicc" ] || continue
	"$mpicc" -Wl,--build-id=none -o "$note" mpi.c "$note.S"
	record -o "$note.mpi" "./$note" 2>err
	is "so does one that is recorded ($note)" "$?" 0
	"$gaspdb" import "$note.mpi" 2>err
	is "and its calls are told ($note)" \
		"$(sql "$note.mpi.db" "SELECT DISTINCT replace(module, '$(pwd -P)', '') FROM source WHERE module IS NOT NULL")" "/$note"
done

"$gaspdb" info plain >out 2>err
is "info of an empty recording fails" "$?" 1
like "and says why it is empty" "$(cat out)" "^nothing recorded +.*neither MPI"
"$gaspdb" import plain 2>err
is "so does import" "$?" 1
like "and import says why" "$(cat err)" "nothing was recorded: .*neither MPI"
ok "without a database" test ! -e plain.db
finish
