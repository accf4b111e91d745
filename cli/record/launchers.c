/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launchers and wrappers, and the options of each. */
#include "cli/record/launchers.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct gaspdb_launcher launchers[] = {
	/* options of both Open MPI and Hydra, because mpirun may be either */
	{ .names = " mpirun mpiexec orterun mpirun.openmpi mpiexec.openmpi "
		   "mpirun.mpich mpiexec.mpich mpiexec.hydra oshrun shmemrun "
		   "prterun prun upcrun cafrun ",
	  .flags = " -q --quiet -v --verbose -verbose -d --debug -h --help -V "
		   "--version -oversubscribe --oversubscribe -nooversubscribe "
		   "--nooversubscribe -use-hwthread-cpus --use-hwthread-cpus "
		   "-allow-run-as-root --allow-run-as-root -tag-output "
		   "--tag-output -timestamp-output --timestamp-output "
		   "-display-map --display-map -display-allocation "
		   "--display-allocation -report-bindings --report-bindings "
		   "-bynode --bynode -byslot --byslot -bind-to-core "
		   "--bind-to-core -bind-to-none --bind-to-none -pernode "
		   "--pernode -nolocal --nolocal -novm --novm "
		   "-do-not-launch --do-not-launch --enable-recovery "
		   "--disable-recovery --merge-stderr-to-stdout "
		   "--get-stack-traces --report-state-on-timeout "
		   "--leave-session-attached --continuous "
		   "-genvall -genvnone -envall -envnone -l -prepend-rank "
		   "-info -print-all-exitcodes -disable-auto-cleanup "
		   "-disable-hostname-propagation -enable-x -disable-x "
		   "-skip-launch-node -pmi-port ",
	  .values = " -n -np -c --n --np -N -H -host --host -hosts -f "
		    "-hostfile --hostfile -machinefile --machinefile -x "
		    "-wd -wdir --wd --wdir -path --path -prefix --prefix "
		    "-npernode --npernode -npersocket --npersocket -ppn "
		    "-perhost -map-by --map-by -bind-to --bind-to -rank-by "
		    "--rank-by -report-uri --report-uri -output-filename "
		    "--output-filename --output -am --am -tune --tune -rf "
		    "-rankfile --rankfile -slot-list --slot-list -cpu-set "
		    "--cpu-set -cpu-list --cpu-list -timeout --timeout -ppr "
		    "--ppr -stdin --stdin --personality --dvm -launch-agent "
		    "--launch-agent -xterm --xterm -ompi-server "
		    "--ompi-server -server-wait-time --server-wait-time "
		    "-max-restarts --max-restarts -tmpdir --tmpdir "
		    "--forward-signals -genvlist -envlist -membind -rmk "
		    "-launcher -launcher-exec -bootstrap -bootstrap-exec "
		    "-demux -iface -usize -topolib -outfile-pattern "
		    "-errfile-pattern -prepend-pattern -gtool -gtoolfile "
		    "-order-nodes -localhost -binding ",
	  .pairs = " -mca --mca -gmca --gmca -omca --omca -prtemca --prtemca "
		   "-pmca --pmca -pmixmca --pmixmca -genv -env ",
	  .files = " -app --app -configfile ",
	  .is_parallel = true },
	{ .names = " srun ",
	  .flags = " -l --label -u --unbuffered -v --verbose -Q --quiet -O "
		   "--overcommit -s --oversubscribe -K --kill-on-bad-exit -X "
		   "-E --preserve-env -H --hold -k --no-kill -Z --exclusive "
		   "--pty --contiguous --exact --overlap --spread-job ",
	  .values = " -n --ntasks -N --nodes -c --cpus-per-task -p "
		    "--partition -A --account -t --time -w --nodelist -x "
		    "--exclude -J --job-name -o --output -e --error -i "
		    "--input -D --chdir --mpi -m --distribution -C "
		    "--constraint -q --qos -r --relative -W --wait -d "
		    "--dependency -L --licenses --mem --mem-per-cpu --gres "
		    "-G --gpus --gpus-per-task --gpus-per-node -B "
		    "--extra-node-info -M --clusters -S --core-spec "
		    "--ntasks-per-node --ntasks-per-core --ntasks-per-socket "
		    "--export --cpu-bind --mem-bind --hint --jobid "
		    "--reservation --propagate --signal -T --threads ",
	  .files = " --multi-prog ",
	  .is_parallel = true },
	{ .names = " aprun jsrun ",
	  .values = " -n -N -d -S -L -e -cc -a -c -g -r -b -E -p -m ",
	  .flags = " -q -B ",
	  .is_parallel = true },
	{ .names = " env ",
	  .flags = " - -i -0 -v --ignore-environment --null --debug ",
	  .values = " -u --unset -C --chdir " },
	{ .names = " timeout ",
	  .flags = " --foreground --preserve-status -v --verbose ",
	  .values = " -s --signal -k --kill-after ",
	  .operands = 1 },
	{ .names = " time ",
	  .flags = " -v -a -p -q --verbose --append --portability --quiet ",
	  .values = " -f -o --format --output " },
	{ .names = " nice ", .values = " -n --adjustment " },
	{ .names = " nohup catchsegv unbuffer " },
	{ .names = " setsid ", .flags = " -c -f -w --ctty --fork --wait " },
	{ .names = " taskset ",
	  .flags = " -a -c --all-tasks --cpu-list ",
	  .operands = 1 },
	{ .names = " numactl ",
	  .flags = " -l -s -H -a -b --localalloc --all --balancing ",
	  .values = " -i -N -m -C -p -P -w --interleave --cpunodebind "
		    "--membind --physcpubind --preferred " },
	{ .names = " stdbuf ",
	  .values = " -i -o -e --input --output --error " },
	{ .names = " setarch ",
	  .flags = " -v -3 -B -F -I -L -R -S -T -X -Z --addr-no-randomize ",
	  .operands = 1 },
	{ .names = " ionice ",
	  .flags = " -t --ignore ",
	  .values = " -c -n --class --classdata " },
	{ .names = " chrt ",
	  .flags = " -f -r -b -i -o -d -a -v -R ",
	  .values = " -T -P -D ",
	  .operands = 1 },
	{ .names = " xvfb-run ",
	  .flags = " -a -l ",
	  .values = " -e -f -n -p -s -w " },
	{ .names = " sudo ",
	  .flags = " -E -H -n -S -b -i -s -k -A -B -P ",
	  .values = " -u -g -h -p -C -r -t -T -U -D -R " },
};

bool gaspdb_launcher_lists(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *p = list; p && n && (p = strstr(p, word)); p += n)
		if (p[-1] == ' ' && p[n] == ' ')
			return true;
	return false;
}

const struct gaspdb_launcher *gaspdb_launcher_find(const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash ? slash + 1 : word;

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (!strchr(name, ' ') &&
		    gaspdb_launcher_lists(launchers[i].names, name))
			return &launchers[i];
	return NULL;
}

/* Is it a letter with an attached value (-n4), or a number (nice -5)? */
static bool is_attached(const struct gaspdb_launcher *l, const char *option)
{
	const char letter[] = { '-', option[1], '\0' };

	return option[1] != '-' &&
	       (isdigit((unsigned char)option[1]) ||
		(gaspdb_launcher_lists(l->values, letter) &&
		 (!l->is_parallel || isdigit((unsigned char)option[2]))));
}

int gaspdb_launcher_values(const struct gaspdb_launcher *l, const char *option)
{
	if (gaspdb_launcher_lists(l->pairs, option))
		return 2;
	if (gaspdb_launcher_lists(l->values, option) ||
	    gaspdb_launcher_lists(l->files, option))
		return 1;
	if (gaspdb_launcher_lists(l->flags, option) ||
	    (option[1] == '-' && strchr(option, '=')) || is_attached(l, option))
		return 0;
	return -1;
}
