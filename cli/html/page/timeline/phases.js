/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Phases above the rows: user events of the clicked thread (or the first one's), those in others a level below; without any
 * the functions that its calls are in.
 */

const phaseTall = 14;

function phaseThread() {
	const clicked = callById(state.event), row = timeline.layout.rows.find(r => r.kind === 'thread');
	return run.threadById.get(state.thread) || (clicked >= 0 && run.threads[calls.thread[clicked]]) || (row && row.thread) || run.threads[0];
}

/* User events: {name, start, end, level: 0, 1}; what lies in two others is left out. */
function userPhases(row, from, until) {
	const list = [], open = [], [first, last] = callsIn(row, from, until);
	for (let i = first; i < last; i++) {
		const source = run.sources.get(calls.source[i]);
		if (!source || source.type !== 'user') continue;
		while (open.length && open[open.length - 1] <= calls.start[i]) open.pop();
		if (open.length < 2 && calls.end[i] > from) list.push({name: source.operation, start: calls.start[i], end: calls.end[i], level: open.length});
		open.push(calls.end[i]);
	}
	return list;
}

function functionPhases(row, from, until) {
	const list = [], [first, last] = callsIn(row, from, until);
	for (let i = first; i < last; i++) {
		const source = run.sources.get(calls.source[i]), before = list[list.length - 1];
		if (!source || calls.level[i] !== 1 || !source.function || source.category === 'runtime') continue;
		if (before && before.name === source.function) before.end = calls.end[i];
		else list.push({name: source.function, start: calls.start[i], end: calls.end[i], level: 0});
	}
	return list;
}

/* Is a user event in another one anywhere? Then there is room for two levels. */
function hasNestedPhases() {
	return calls !== null && Array.from(run.sources.values()).some(s => s.type === 'user') &&
		run.threads.some(t => userPhases(t.row, run.from, run.until + 1).some(phase => phase.level === 1));
}

function drawPhase(c, view, phase, far) {
	const left = Math.max(view.left, view.x(phase.start), far + 1), right = Math.min(view.right, view.x(phase.end)), y = phase.level * phaseTall;
	if (right - left < 2) return far;
	c.fillStyle = color('--rule');
	c.fillRect(left, y, right - left, phaseTall - 1);
	if (c.measureText(phase.name).width <= right - left - 8) {
		c.fillStyle = color('--second');
		c.fillText(phase.name, left + 4, y + 7);
	}
	return right;
}

function drawPhases(c, view) {
	if (!calls || !isInFull(view.from, view.until)) return;
	const thread = phaseThread(), user = userPhases(thread.row, view.from, view.until), far = [-Infinity, -Infinity];
	c.textBaseline = 'middle';
	c.font = font(11, 600);
	for (const phase of (user.length ? user : functionPhases(thread.row, view.from, view.until)).slice(0, 2000)) far[phase.level] = drawPhase(c, view, phase, far[phase.level]);
	if (Math.max(...far) === -Infinity || run.threads.length < 2) return;
	c.font = font(11);
	c.fillStyle = color('--third');
	c.textAlign = 'left';
	c.fillText(thread.name, 0, 7);
}
