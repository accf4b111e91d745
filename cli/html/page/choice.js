/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice that the sections below follow: an interval (state.interval, or else the whole run) and threads. Where nothing
 * is chosen they show the run's own sums.
 */

const choice = {followers: [], sums: null, asked: 0, timer: 0};

function isChosen() {
	return state.interval !== null || state.threads !== null;
}

/* Calls fn(sums) now and whenever the choice has changed. null: nothing is chosen. */
function followChoice(fn) {
	if (!choice.followers.length) {
		onState(['interval', 'threads', 'callsRead'], () => {
			clearTimeout(choice.timer);
			choice.timer = setTimeout(readChoice, 100);
		});
		if (isChosen()) readChoice();
	}
	choice.followers.push(fn);
	fn(choice.sums);
}

async function readChoice() {
	const number = ++choice.asked, before = choice.sums;
	const sums = isChosen() ? await chosenSums(state.interval || [run.from, run.until]) : null;
	if (sums) sums.lines = sums.exact ? exactLines(sums) : await binnedLines(sums);
	if (number !== choice.asked) return;
	choice.sums = sums;
	if (before || sums)
		for (const fn of choice.followers) fn(sums);
	document.documentElement.dataset.sums = !sums ? 'whole' : sums.exact ? 'exact' : 'bins';
}

/* ", 1.05 s to 1.2 s, ranks 0-3, from bins"; of a figure that cannot be had for the choice: ", of the whole run". */
function choiceText(sums, had) {
	if (!sums) return '';
	if (had === false) return ' · of the whole run: the page does not have every call of what is chosen';
	return ' · ' + (state.interval ? intervalText(...state.interval) : 'whole run') + ', ' + chosenText() +
		(sums.exact || !state.interval ? '' : ', ~ from bins');
}

function choiceMark(sums) {
	return sums && !sums.exact && state.interval ? '~ ' : '';
}

/* --- lines of the program: calls of a place that are not in calls of the runtime ---- */

function lineOf(lines, source) {
	if (!lines.has(source)) {
		const n = run.threads.length;
		lines.set(source, {source, ns: 0, wait: 0, calls: 0, bytes: 0, values: new Float64Array(n), waits: new Float64Array(n)});
	}
	return lines.get(source);
}

/* Adds a call's own time in the interval; what lies in it is subtracted from the call round it. */
function addToLine(lines, sums, i, row) {
	const {from, until} = sums, part = overlap(calls.start[i], calls.end[i], from, until), begins = calls.start[i] >= from && calls.start[i] < until;
	const up = parentOf(i), source = run.sources.get(calls.source[i]);
	if (!source || source.type === 'user') return;
	if (up >= 0 && !calls.table.get('nested', up)) {
		const line = lineOf(lines, calls.source[up]);
		line.values[row] -= part;
		line.ns -= part;
	}
	if (calls.table.get('nested', i)) return;
	const line = lineOf(lines, source.id), wait = waitingIn(i, from, until);
	line.values[row] += part;
	line.ns += part;
	line.waits[row] += wait;
	line.wait += wait;
	if (!begins) return;
	line.calls++;
	line.bytes += calls.table.get('bytes', i) || 0;
}

/* By source: {source, ns (own time), wait, calls, bytes, values and waits by row}. */
function exactLines(sums) {
	const lines = new Map();
	for (const thread of sums.threads) {
		const [first, last] = callsIn(thread.row, sums.from, sums.until);
		for (let i = first; i < last; i++) addToLine(lines, sums, i, thread.row);
	}
	return lines;
}

/* Share of a source's time that is in an interval, from its bins. */
async function sharesOfInterval(from, until) {
	const bins = await loadChunk('source_bins'), width = Number(run.meta.source_bin_ns), sums = new Map();
	for (let i = 0; i < bins.n; i++) {
		if (bins.get('nested', i)) continue;
		const source = bins.column('source_id')[i], start = bins.column('start_ns')[i], ns = bins.column('self_ns')[i] || bins.column('calls')[i];
		const sum = sums.get(source) || {all: 0, part: 0};
		sum.all += ns;
		sum.part += ns * Math.min(1, overlap(start, start + width, from, until) / (Math.min(start + width, run.until) - start));
		sums.set(source, sum);
	}
	return source => sums.has(source) && sums.get(source).all ? sums.get(source).part / sums.get(source).all : 0;
}

/* The threads' sums of the whole run times the interval's share of the place. */
async function binnedLines(sums) {
	const table = await loadChunk('balance'), lines = new Map(), rows = new Set(sums.threads.map(t => t.row));
	const share = state.interval ? await sharesOfInterval(sums.from, sums.until) : () => 1;
	for (let i = 0; i < table.n; i++) {
		const source = table.column('source_id')[i], thread = run.threadById.get(table.column('thread_id')[i]), part = share(source);
		if (!thread || !rows.has(thread.row)) continue;
		const line = lineOf(lines, source);
		line.values[thread.row] += (table.get('self_ns', i) || 0) * part;
		line.ns += (table.get('self_ns', i) || 0) * part;
		line.calls += table.column('calls')[i] * part;
		line.bytes += (table.get('bytes', i) || 0) * part;
		line.waits[thread.row] += (table.get('wait_ns', i) || 0) * part;
		line.wait += (table.get('wait_ns', i) || 0) * part;
	}
	return lines;
}

/* Which lines there are of a choice from bins; null: all. */
function binnedLinesText(sums) {
	const whole = run.wholes.get('balance');
	return sums && !sums.exact && whole && whole.n > sums.lines.size
		? 'from bins there are the ' + formatCount(sums.lines.size) + ' lines with most time, of ' + formatCount(whole.n) : null;
}

/* Computing of each thread in the interval, by row. */
function computingOf(sums) {
	const values = new Float64Array(run.threads.length);
	for (const thread of sums.threads)
		values[thread.row] = overlap(thread.first_ns, thread.last_ns, sums.from, sums.until) - sums.byThread.get(thread.id).busy;
	for (const gap of run.gaps)
		if (run.threadById.has(gap.thread_id)) values[run.threadById.get(gap.thread_id).row] -= overlap(gap.start_ns, gap.end_ns, sums.from, sums.until);
	return values.map(ns => Math.max(0, ns));
}
