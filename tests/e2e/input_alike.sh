#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever is given, info and import end with the same status and say the same of it.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
printf 'thread 0..1\nat 20..30 thread 0 a.c:2 MPI_Barrier\nat 20..30 thread 1 a.c:2 MPI_Barrier\n' >script
"$O/tests/mkrun" script run
log=run/node-100-0.gasplog
n_log=$(stat -c %s $log)

# alike INPUT STATUS PATTERN: both end so, and say so
alike() {
	timeout 20 "$gaspdb" info "$1" >/dev/null 2>info.err
	local info=$?
	timeout 20 "$gaspdb" import --force "$1" -o a.db 2>import.err
	is "$1: the status is the same" "$info $?" "$2 $2"
	is "$1: and the words" "$(cat info.err)" "$(grep -v '^gaspdb: a.db: \|^gaspdb: next: \|: incomplete collective' import.err)"
	like "$1: which are" "$(cat info.err)" "$3"
	[ "$2" != 1 ] || is "$1: and there is no database" "$(ls -A . | grep -c '^a.db')" 0
	rm -f a.db
}

# Too short to be known
tar cf run.tar run
gzip -k run.tar
xz -k run.tar
for n in 0 1 5 100; do
	for suffix in .gz .xz ''; do
		head -c $n run.tar$suffix >short.tar$suffix
		alike short.tar$suffix 1 "^gaspdb: .*short.tar.*( is empty|it is cut: it has only $n bytes|data is cut)$"
	done
done
# A part of the first header can be decoded: stored blocks
python3 - <<'END'
import zlib
data = open('run.tar', 'rb').read(4096)
packer = zlib.compressobj(0, zlib.DEFLATED, 31)
open('stored.tar.gz', 'wb').write((packer.compress(data) + packer.flush())[:300])
END
alike stored.tar.gz 1 "^gaspdb: cannot read 'stored.tar.gz': the gzip data is cut$"
for n in 1 7 63; do
	head -c $n $log >short.gasplog
	alike short.gasplog 1 "( it has only $n bytes|the file ends in its header)$"
	mkdir -p shorts
	head -c $n $log >shorts/short.gasplog
	alike shorts 1 "^gaspdb: short.gasplog: unreadable log: the file ends in its header$"
	xz <$log | head -c $((n < 5 ? n : 5)) >shorts/short.gasplog.xz
	alike shorts 1 "^gaspdb: short.gasplog.xz: unreadable log: the file is cut: it has only [15] bytes$"
	rm shorts/*
done

# No events
mkdir empty none garbage
head -c 64 $log >none/node-1-0.gasplog
echo garbage >garbage/x.gasplog
for name in empty none garbage; do
	tar cf $name.tar $name
done
alike empty 1 "holds no logs"
alike empty.tar 1 "holds no logs"
for input in none none.tar; do
	alike $input 1 "^gaspdb: '$input' holds no events: node-1-0.gasplog: no end block at byte 64: "
done
for input in garbage garbage.tar; do
	alike $input 1 "^gaspdb: x.gasplog: unreadable log: not a gaspdb log$"
done

tar cf inner.tar run
tar czf outer.tar.gz inner.tar
alike outer.tar.gz 1 "^gaspdb: 'outer.tar.gz' holds no logs that can be read: 'inner.tar' is an archive within it, which is not looked into$"

mkdir archives
cp outer.tar.gz archives
alike archives 1 "^gaspdb: 'archives' holds no logs \(\*.gasplog\); 'outer.tar.gz' in it is an archive: give that itself$"

# Parallel compressors begin with a frame to be skipped.
{ printf '\x50\x2a\x4d\x18\x04\0\0\0size'; zstd -qc run.tar; } >frames.tar.zst
alike frames.tar.zst 0 "^$"

# Some of it
cp -r run cut && truncate -s $((n_log - 10)) cut/node-100-0.gasplog
alike cut 3 "^gaspdb: node-100-0.gasplog \(rank 0\): no end block at byte [0-9]+: the file ends within a block$"
cat run.tar run.tar >twice.tar
alike twice.tar 3 "^gaspdb: node-100-0.gasplog: duplicate log: a copy of 'run/node-100-0.gasplog', which was read$"
head -c $((512 * 3 + (n_log + 511) / 512 * 512)) run.tar >two.tar
alike two.tar 3 "^gaspdb: two.tar: damaged archive at byte [0-9]+: "
for i in 1 2 3 4 5; do : >cut/node-2$i-0.gasplog; done
alike cut 3 "^gaspdb: node-23-0.gasplog: no end block: its process was killed while the log was being made; it is of no rank; and 3 more$"

# Two processes say that they are rank 0; a thread has more than a block can hold.
printf 'thread 0 host=a\nthread 1 rank=0 host=b\nmeta 0 host a\nmeta 1 host b\nat 1..2 thread 0 a.c:1 user:x\nat 3..4 thread 1 a.c:1 user:x\n' >script
"$O/tests/mkrun" script twins
alike twins 0 "^gaspdb: b-100-0.gasplog: rank of several processes: Several processes of the run have the same rank: rank 0 is that of 'a-100-0.gasplog', too$"

# A folder is looked for so far
mkdir -p depths/1/2/3/4/5/6/7
cp -r run depths/1/2/3/4/5/6/7/8
alike depths 0 "^$"
mkdir depths/1/2/3/4/5/6/7/8/9
mv depths/1/2/3/4/5/6/7/8/*.* depths/1/2/3/4/5/6/7/8/9
alike depths 1 "^gaspdb: 'depths' holds no logs \(\*.gasplog\); deeper folders were not looked into$"

# Names that are no UTF-8 are told apart.
mkdir -p bytes/$'r\xff' bytes/$'r\xfe'
cp run/* bytes/$'r\xff'
cp run/* bytes/$'r\xfe'
tar cf bytes.tar -C bytes .
for input in bytes bytes.tar; do
	alike $input 2 '^r\\xfe +2 +2 '
	for run in $'r\xff' $'r\xfe'; do
		timeout 20 "$gaspdb" info --run="$run" $input >out 2>err
		is "$input: one of them is chosen" "$? $(grep -c ' whole ' out)$(cat err)" "0 2"
	done
done

# A zip file's entries are counted in its list, also of one that comes through a pipe; what macOS adds is passed over.
if command -v python3 >/dev/null; then
	python3 - <<-'END'
		import glob, zipfile
		with zipfile.ZipFile('list.zip', 'w') as z:
		    for f in sorted(glob.glob('run/*.gasplog')):
		        z.write(f)
		        z.writestr('__MACOSX/' + f.replace('/', '/._'), b'no log')
		b = open('list.zip', 'rb').read()
		open('name.zip', 'wb').write(b.replace(b'101-0.gasplog', b'101-0.gasqlog', 1))
		b = bytearray(b)
		n = b.rindex(b'PK\5\6') + 10
		b[n] += 1
		open('count.zip', 'wb').write(b)
		b[n] -= 1
		b[b.rindex(b'PK\3\4', 0, b.index(b'101-0.gasplog')) + 8] = 77
		b[b.rindex(b'PK\1\2', 0, b.rindex(b'101-0.gasplog', 0, b.rindex(b'__MACOSX'))) + 10] = 77
		open('method.zip', 'wb').write(b)
	END
	# What is wrong with an entry that cannot be read is told once, and not also that it is empty.
	alike method.zip 3 "^gaspdb: method.zip: damaged archive at byte [0-9]+: entry 'run/node-101-0.gasplog': Unsupported ZIP compression method \(77"
	is "a second line tells what is missing" "$("$gaspdb" info method.zip 2>&1 >/dev/null | sed 1d)" "gaspdb: missing log: rank 1"
	alike list.zip 0 "^$"
	alike name.zip 3 "^gaspdb: missing log: rank 1$"
	alike count.zip 3 "^gaspdb: count.zip: damaged archive at byte [0-9]+: the list at its end has 5 entries; found were 4$"
	for command in info "import --force -o a.db"; do
		# shellcheck disable=SC2086
		cat count.zip | timeout 20 "$gaspdb" $command - >/dev/null 2>err
		is "through a pipe, too: $command" "$? $(grep -c 'standard input: .* found were 4$' err)" "3 1"
	done
	rm -f a.db
fi

# cpio: damage is reported with its place.
if command -v python3 >/dev/null; then
	python3 - <<-'END'
		import glob
		def entry(name, data):
		    fields = [0, 0o100644, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
		    head = b'070701' + b''.join(b'%08x' % n for n in fields) + name.encode() + b'\0'
		    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)
		entries = [entry(f, open(f, 'rb').read()) for f in sorted(glob.glob('run/*.gasplog'))]
		end = entry('TRAILER!!!', b'')
		open('good.cpio', 'wb').write(b''.join(entries) + end)
		open('header.cpio', 'wb').write(b'x' + entries[0][1:] + entries[1] + end)
		# Of its own search for the next header libarchive misses two of three.
		for n in range(6):
		    bad = entry('run/bad', b'y' * n)
		    open('second%d.cpio' % n, 'wb').write(entries[0] + b'x' + bad[1:] + entries[1] + end)
		open('cut.cpio', 'wb').write(b''.join(entries)[:-20])
	END
	alike good.cpio 0 "^$"
	alike header.cpio 1 "^gaspdb: 'header.cpio' is neither a run directory, nor an archive of one, nor a log$"
	for i in {0..5}; do
		alike second$i.cpio 3 "^gaspdb: second$i.cpio: damaged archive at byte [0-9]+: (Skipped [0-9]+ bytes before finding valid header|no header before its end mark can be read: entries may be missing)$"
	done
	alike cut.cpio 3 "^gaspdb: cut.cpio: damaged archive at byte [0-9]+: entry 'run/node-101-0.gasplog': it is cut$"
fi

# What libarchive could read, and what no archive is, has its name.
known() {
	printf "$1" >known.bin
	alike known.bin 1 "^gaspdb: 'known.bin' is $2"
}
known 'Rar!\x1a\x07\x01\0more' "a RAR archive, which is not read here: unpack it, and give the folder$"
known '!<arch>\nmore' "an ar archive, "
known 'MSCF\0\0\0\0' "a cabinet file \(.cab\), "
known 'xx-lh5-xxxx' "an LHA archive, "
known '\x1f\x9d\x90more' "compressed by compress, which is not read here: decompress it first$"
known 'LRZI\0\0\0\0' "compressed by lrzip, which is not read here: decompress it first$"
"$gaspdb" import run -o whole.db 2>/dev/null
"$gaspdb" import --force whole.db -o a.db 2>err
is "an import of a database" "$? $(cat err)" "1 gaspdb: 'whole.db' is an SQLite file and no run: gaspdb report, analyze and shell take an imported one"

# Pipes and devices
mkfifo fifo
alike fifo 1 "^gaspdb: 'fifo' is a pipe that nobody writes to$"
alike /dev/zero 1 "^gaspdb: '/dev/zero' is a device$"
for command in info "import --force -o a.db"; do
	# shellcheck disable=SC2086
	(sleep 1; cat run.tar >fifo) & timeout 20 "$gaspdb" $command fifo >/dev/null 2>&1
	is "a pipe whose writer comes late: $command" $? 0
	# shellcheck disable=SC2086
	timeout 20 "$gaspdb" $command <(sleep 1; cat run.tar.xz) >/dev/null 2>&1
	is "or writes late: $command" $? 0
done

# A log of the run that is meant may be a link to another run's.
awk 'BEGIN {
	print "thread 0"
	for (i = 0; i < 60000; i++) {
		if (i % 1000 == 0)
			print "at " 100 * i " thread 0 block"
		print "at " 100 * i ".." 100 * i + 50 " thread 0 a.c:" i % 200 " MPI_Send peer=0 tag=" i " bytes=" i * 7
	}
}' >script
mkdir linked
"$O/tests/mkrun" script linked/a
mkdir linked/b
ln linked/a/* linked/b
ok "more than is kept of other runs' logs" test "$(cat linked/a/*.gasplog | wc -c)" -gt $((600 * 1024))
tar cf links.tar -C linked a b
gzip -k links.tar
for input in links.tar links.tar.gz -; do
	for run in a b; do
		"$gaspdb" info --run=$run $input <links.tar.gz >out 2>err
		is "$input: run $run is whole" "$? $(cat err)$(grep -o '120,000 raw events' out)" "0 120,000 raw events"
	done
done
finish
