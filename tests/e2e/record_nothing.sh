#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Why nothing was recorded: the program is found behind launchers, or none is named; and what was checked is what is told.
source "$TOP/tests/lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1
echo 'int main(void) { return 0; }' >idle.c
gcc -o plain idle.c
gcc -o also idle.c
gcc -static -o static idle.c 2>/dev/null || cp /sbin/ldconfig static
cat >hello.c <<'C'
#include <mpi.h>
int main(void) { MPI_Init(0, 0); return MPI_Finalize(); }
C
mkdir -p work/inner && cp static work/inner/inside

# says WHAT REGEX COMMAND...
says() {
	local what=$1 re=$2
	shift 2
	rm -rf run
	timeout 60 "$gaspdb" record -o run -- "$@" >out 2>err </dev/null
	like "$what" "$(grep '^gaspdb: nothing was recorded: ' err)" "$re"
	is "$what: no empty run directory is left" "$(ls -d run 2>&1 | grep -c 'No such file') $(tail -1 err)" \
		"1 gaspdb: the empty run directory 'run' was removed"
}
static="recorded: './static' is statically linked"
unsure='recorded: no MPI or OpenSHMEM call of what the command started was seen$'

# --- the program behind a launcher ---
behind() { # LAUNCHER WORDS...: the words do not hide the program
	says "$*" "$static" "$@" ./static
}
if command -v mpirun.openmpi >/dev/null; then
	o=mpirun.openmpi
	behind $o -np 1
	behind $o -n 1 -x HOME --mca btl_base_verbose 0 -host localhost:4 --map-by slot --bind-to none
	behind $o --tag-output -np 1 --
	behind timeout -s TERM -k 5 60 $o --mca pml ob1 -np 1 env -u HOME A=b nice -n 1
	behind env -C . A=/bin/sh $o -wdir "$TMP" -np 1
	behind $o -np 1 ./plain : -np 1 -x A=/bin/ls
	echo "-np 1 -x PATH ./static" >appfile
	says "$o --app" "$static" $o --app appfile
	says "$o, a folder that it changes to" "'./inside' is statically linked" $o -np 1 -wdir "$TMP/work/inner" ./inside
	says "$o, a program that is missing" "recorded: the program './nothing' was not found here$" $o -np 1 ./nothing
	says "$o, one that is in no folder" "program 'no-such-program' was not found here, in no folder of PATH$" $o -np 1 no-such-program
	says "$o, an option that is not known" "$static" $o --frobnicate ./static
	says "$o, which may be of two" "$unsure" $o --frobnicate ./plain ./static
	says "$o without a program" "$unsure" $o -np 1
fi
if command -v oshrun >/dev/null; then
	behind oshrun -np 1 -x HOME
fi
if command -v mpiexec.hydra >/dev/null; then
	h=mpiexec.hydra
	behind $h -np 1
	behind $h -genv A /bin/ls -env B /bin/sh -n 1
	behind $h -genvlist LD_PRELOAD,GASPDB_DIR,PATH -wdir "$TMP" -bind-to none -n 1
	behind $h -n 1 ./plain : -env A b -n 1
	echo "-n 1 -env A /bin/ls ./static" >configfile
	says "$h -configfile" "$static" $h -configfile configfile
fi
# Of those that are not here, what a command of their name does is nothing.
mkdir bin
printf '#!/bin/sh\nexit 0\n' >bin/srun
printf '#!/bin/sh\nexec env -u LD_PRELOAD "$@"\n' >bin/sudo
chmod +x bin/*
PATH=$TMP/bin:$PATH
behind srun -n 4 -x /bin/ls -o /bin/cat --mpi=pmi2 -l
behind srun --export ALL -N 2 -c1 --exclusive
echo "0-3 ./static a b" >ranks
says "srun --multi-prog" "$static" srun -n 4 --multi-prog ranks

# --- what takes LD_PRELOAD away ---
for mpi in openmpi mpich; do
	cc=mpicc.$mpi
	command -v $cc >/dev/null && [ -e "$O/libgaspdb-$mpi.so" ] || continue
	$cc -o hello.$mpi hello.c
	case $mpi in
	openmpi)
		run=mpirun.openmpi
		says "$run -x LD_PRELOAD=" "'$run -x LD_PRELOAD=libm.so.6' takes or replaces the LD_PRELOAD .*before gaspdb record" \
			$run -np 1 -x LD_PRELOAD=libm.so.6 ./hello.$mpi
		;;
	mpich)
		run=mpiexec.hydra
		says "$run -genv LD_PRELOAD" "'$run -genv LD_PRELOAD' takes or replaces the LD_PRELOAD .*before gaspdb record" \
			$run -genv LD_PRELOAD libm.so.6 -n 1 ./hello.$mpi
		;;
	esac
	says "$mpi, env -i" "'env -i' keeps LD_PRELOAD and GASPDB_DIR" $run -n 1 env -i "PATH=$PATH" "HOME=$TMP" ./hello.$mpi
	says "$mpi, env -u" "'env -u LD_PRELOAD' takes or replaces" $run -n 1 env -u LD_PRELOAD ./hello.$mpi
	says "$mpi, env LD_PRELOAD=" "'env LD_PRELOAD=...' takes or replaces" $run -n 1 env LD_PRELOAD= ./hello.$mpi
	says "$mpi, sudo" "recorded: sudo takes LD_PRELOAD .*: sudo gaspdb record" sudo ./hello.$mpi
	says "$mpi, srun" "'srun --export=NONE' keeps LD_PRELOAD" srun --export=NONE -n 1 ./hello.$mpi
	mkdir -p bare && cp "$gaspdb" "$O/libgaspdb-preload.so" bare
	rm -rf run
	bare/gaspdb record -o run -- $run -n 1 ./hello.$mpi >out 2>err
	like "$mpi, without its adapter" "$(cat err)" "'./hello.$mpi' uses .* was built without its adapter"
done

# --- other programs ---
says "Python" "recorded: 'python3' made no MPI or OpenSHMEM call that was seen$" python3 -c pass
says "Python behind a launcher" "recorded: 'python3' made no MPI or OpenSHMEM call that was seen, and the command failed$" \
	timeout 60 python3 -c 'raise SystemExit(3)'
says "Perl" "recorded: 'perl' made no MPI or OpenSHMEM call that was seen$" perl -e 1
printf '#!/usr/bin/env python3\n' >script.py && chmod +x script.py
says "a script" "recorded: './script.py' is a script, and nothing that it started made an MPI or OpenSHMEM call" ./script.py
says "a plain program" "recorded: './plain' is itself linked with neither MPI nor OpenSHMEM.*gaspcc --inst-functions" ./plain
"$O/gaspcc" --inst-functions cc -o advised idle.c 2>/dev/null && timeout 60 "$gaspdb" record -o advised.run ./advised >out 2>err
like "the advice followed: it is recorded" "$(cat err)" "recorded 1 process"
says "one that is no executable file" "recorded: './idle.c' is not an executable file$" env ./idle.c
cp plain other && printf '\xf3\0' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
says "another processor's" "recorded: './other' is built for another kind of processor" env ./other
mkdir names && cd names && timeout 60 "$gaspdb" record env A=/bin/ls ../static 2>err
like "the run directory has the program's name" "$(cat err)" "the empty run directory 'gaspdb-static-[^/]*' was removed$"
finish
