/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time line in bins (cli/html/pyramid.h): level 0 as it is in the chunk, each higher level sums two bins of the one
 * below. Cells of a level: {bins, bin_ns, busy, wait, source, duration}, row by row.
 */

async function loadPyramid() {
	const table = await loadChunk('pyramid');
	if (!table.n) return;
	const level = {bins: table.head.bins, bin_ns: table.head.bin_ns};
	for (const name of ['busy', 'wait', 'source', 'duration', 'calls']) level[name] = table.column(name);
	run.pyramid = {levels: [level], sources: table.head.sources};
}

function halve(level, rows) {
	const bins = level.bins / 2, n = bins * rows;
	const half = {bins, bin_ns: 2 * level.bin_ns, busy: new Uint8Array(n), wait: new Uint8Array(n), source: new Uint8Array(n),
		duration: new Uint8Array(n), calls: new Uint8Array(n)};
	for (let i = 0; i < n; i++) {
		const a = 2 * i, b = a + 1, busy = level.busy[a] + level.busy[b], wait = level.wait[a] + level.wait[b];
		half.busy[i] = (busy + 1) >> 1;
		half.wait[i] = (wait + 1) >> 1;
		const longer = level.duration[b] > level.duration[a] || level.source[a] === 255 ? b : a;
		half.source[i] = level.source[longer];
		half.duration[i] = level.duration[longer];
		half.calls[i] = Math.min(64, Math.max(level.calls[a], level.calls[b]) + (level.calls[a] && level.calls[b] ? 1 : 0));
	}
	return half;
}

/* The level whose bins are at most that wide; the finest one if none is. */
function pyramidLevel(ns) {
	const levels = run.pyramid.levels;
	let i = 0;
	while (levels[i].bins > 1 && levels[i].bin_ns * 2 <= ns) {
		if (i + 1 === levels.length) levels.push(halve(levels[i], run.threads.length));
		i++;
	}
	return levels[i];
}

/* The place of a cell's code; null: none, or not by name. */
function pyramidSource(code) {
	return code < 254 ? run.sources.get(run.pyramid.sources[code]) || null : null;
}

/* Busy and waiting ns of a row in a window: sums over bins; `cut` if a bin is cut. */
function pyramidSums(row, from, until) {
	const level = run.pyramid.levels[0];
	const first = Math.max(0, Math.floor((from - run.from) / level.bin_ns));
	const last = Math.min(level.bins - 1, Math.ceil((until - run.from) / level.bin_ns) - 1);
	let busy = 0, wait = 0;
	for (let b = first; b <= last; b++) {
		const i = row * level.bins + b, start = run.from + b * level.bin_ns;
		const part = (Math.min(until, start + level.bin_ns) - Math.max(from, start)) / 255;
		busy += level.busy[i] * part;
		wait += level.wait[i] * part;
	}
	return {busy, wait};
}
