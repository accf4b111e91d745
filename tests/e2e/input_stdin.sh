#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Archives larger than a pipe holds, from standard input; and entries whose names lead out of any folder: read, not made.
. "$(dirname "$0")/../lib.sh"
if ! command -v python3 >/dev/null; then
	skip "standard input" "no python3"
	finish
fi
mkdir -p "$TMP/above/here" "$TMP/absolute"
cd "$TMP/above/here" || exit 1

# Sizes and addresses that no packer makes much smaller
awk 'BEGIN {
	srand(1)
	print "op get type=get model=C start=\"bytes:z where:p\"\nthread 0..1"
	for (i = 0; i < 160000; i++) {
		if (i % 4000 == 3999)
			print "at " 100 * i " thread 0 block\nat " 100 * i " thread 1 block"
		print "at " 100 * i ".." 100 * i + 50 " thread " i % 2 " a.c:" 1 + i % 9 " get bytes=" sprintf("%.0f", int(rand() * 2 ^ 31)) \
			" where=" sprintf("%.0f", int(rand() * 2 ^ 62))
	}
}' | "$O/tests/mkrun" - run
imports run -o run.db 2>err
rows="SELECT count(*), sum(bytes), min(start_ns), max(start_ns), (SELECT sum(value % 1000) FROM event_arg) FROM event"
expected=$(sql run.db "$rows")
like "the run is there" "$expected" "^160000[|]"

cat >pack.py <<'PY'
import glob, os, sys, tarfile, zipfile
out, prefix = sys.argv[1:3]
names = [(f, prefix + os.path.basename(f)) for f in sorted(glob.glob('run/*.gasplog'))]
if out.endswith('.zip'):
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for f, name in names: z.writestr(zipfile.ZipInfo(name), open(f, 'rb').read())
else:
    with tarfile.open(out, 'w:xz' if out.endswith('xz') else 'w', preset=0) if out.endswith('xz') else tarfile.open(out, 'w') as t:
        for f, name in names:
            info = tarfile.TarInfo(name)
            info.size = os.path.getsize(f)
            t.addfile(info, open(f, 'rb'))
PY
# everything TMP holds, but for what a test writes there itself
made() { find "$TMP" ! -name '*.db' ! -name err ! -name out | sort; }
for prefix in run/ ../../ ../../../../../../../../tmp/ "$TMP/absolute/" "//$TMP/absolute/" ./run/../../; do
	for archive in big.zip big.tar.xz big.tar; do
		python3 pack.py $archive "$prefix"
		[ "$prefix" != run/ ] || ok "$archive is larger than a pipe holds" test "$(stat -c %s $archive)" -gt 1048576
		before=$(made)
		outside=$(ls -A /tmp | grep -c 'gasplog')
		rm -f from.db
		cat $archive | "$gaspdb" import - -o from.db 2>err
		is "cat $archive | import -, entries in ${prefix//$TMP/TMP}" "$? $(sql from.db "$rows")" "0 $expected"
		timeout 60 "$gaspdb" info $archive >out 2>err
		is "info of the file" "$?" 0
		is "nothing was made" "$(made) $(ls -A /tmp | grep -c 'gasplog')" "$before $outside"
	done
done

# A writer may write byte by byte: what it is cannot be told by the first ones.
printf 'thread 0\nat 20..30 thread 0 a.c:2 MPI_Barrier\n' | "$O/tests/mkrun" - small
tar cf small.tar small
gzip -k small.tar
xz -k small.tar
for input in small/*.gasplog small.tar small.tar.gz small.tar.xz; do
	(exec 3<"$input"; for ((i = 0; i < 20; i++)); do dd bs=1 count=1 <&3 2>/dev/null; sleep 0.02; done; cat <&3) |
		"$gaspdb" info - >out 2>err
	is "$(basename "$input"), byte by byte" "$? $(cat err)" "0 "
done
finish
