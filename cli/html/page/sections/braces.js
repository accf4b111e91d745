/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computing between two calls, as braces beside the source: no call knows where it was. */

const leastBrace = 0.005; /* of all computing that is known by its ends */

function addBetween(between, before, after, ns) {
	const key = before + ':' + after;
	if (!between.has(key)) between.set(key, {before, after, ns: 0});
	between.get(key).ns += ns;
}

/* The outermost call of the runtime before a call of the same thread; -1: none. */
function callBefore(i, first) {
	for (i--; i >= first; i--) if (calls.level[i] === 1) return i;
	return -1;
}

/* From calls: [{before, after (sources), ns}] of these threads in an interval. */
function exactBetween(from, until, threads) {
	const between = new Map();
	for (const thread of threads) {
		const [first, last] = callsIn(thread.row, from, until);
		let before = callBefore(first, calls.rows[thread.row].first);
		for (let i = first; i < calls.rows[thread.row].last; i++) {
			if (calls.level[i] !== 1) continue;
			if (before >= 0) addBetween(between, calls.source[before], calls.source[i], overlap(calls.end[before], calls.start[i], from, until));
			before = i;
			if (i >= last) break;
		}
	}
	return Array.from(between.values());
}

/* The same of the choice, or of the whole run. */
async function readBetween(sums) {
	const [from, until, threads] = sums ? [sums.from, sums.until, sums.threads] : [run.from, run.until, run.threads];
	if (isInFull(from, until)) return exactBetween(from, until, threads);
	return sums ? [] : (await loadChunk('between')).rows();
}

/*
 * Braces of a file: {first, last (lines), ns, loop: back to the first or the same line}. Of those that overlap the longest
 * are kept.
 */
function listBraces(between, file) {
	const byLines = new Map(), sum = between.reduce((all, b) => all + b.ns, 0), taken = [];
	for (const {before, after, ns} of between) {
		const a = run.sources.get(before), b = run.sources.get(after);
		if (!a || !b || a.file !== file || b.file !== file || !a.line || !b.line) continue;
		const first = Math.min(a.line, b.line), last = Math.max(a.line, b.line), loop = a.line >= b.line, key = first + ':' + last + ':' + loop;
		if (!byLines.has(key)) byLines.set(key, {first, last, loop, ns: 0});
		byLines.get(key).ns += ns;
	}
	for (const brace of Array.from(byLines.values()).sort((a, b) => b.ns - a.ns))
		if (brace.ns >= leastBrace * sum && brace.ns > 0 && !taken.some(t => brace.first < t.last && brace.last > t.first || brace.first === t.first && brace.last === t.last))
			taken.push(brace);
	return taken;
}

function braceTitle(brace) {
	return 'computing after line ' + (brace.loop ? brace.last : brace.first) + ', before ' + (brace.loop ? 'the next line ' + brace.first : 'line ' + brace.last);
}

/* Draws braces in the rows' cells: lines: numbers of the rows shown, in order; cells: their empty cells. */
function drawBraces(braces, lines, cells) {
	for (const brace of braces) {
		const rows = lines.map((line, i) => line >= brace.first && line <= brace.last ? i : -1).filter(i => i >= 0);
		if (!rows.length || lines[rows[0]] !== brace.first || lines[rows[rows.length - 1]] !== brace.last) continue;
		const middle = rows.length > 2 ? rows[Math.floor(rows.length / 2)] : rows[rows.length - 1];
		for (const i of rows) {
			const part = rows.length === 1 ? 'one' : i === rows[0] ? 'first' : i === rows[rows.length - 1] ? 'last' : 'inner';
			cells[i].append(make('i', {class: 'brace ' + part}));
			if (i === middle) cells[i].append(make('span', {class: 'brace-text', title: braceTitle(brace)}, (brace.loop ? '↻ ' : '') + formatTime(brace.ns) + ' computing'));
		}
	}
}
