/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the reader has chosen, in one place: every picture draws from it, and it is in the URL's #. Times are ns since the
 * run's start.
 */

const state = {
	from: 0, until: 1,     /* the window of the time line */
	interval: null,        /* [from, until] chosen for the sums below, or null: the window */
	threads: null,         /* array of thread ids chosen, or null: all */
	finding: null,         /* number of the shown finding, or null */
	instance: 0,           /* which of its instances, in order of length */
	event: null,           /* id of the clicked call, or null */
	thread: null,          /* thread.id of the clicked row, or null */
	source: null,          /* source.id of the chosen line, or null */
	color: 'category',     /* or operation, function */
	waits: true, causes: true, path: true, messages: true, /* overlays */
	pinned: [],            /* thread ids */
	folded: [],            /* numbers of hosts (run.hosts) that are one row */
	open: [],              /* clusters that are opened */
	filter: null,          /* {operation, rank, bytes}: calls that are not dimmed, or null */
	theme: null,           /* light, dark; null: as the system */
};
const stateListeners = [];
const stateHistory = [];
let stateChanged = new Set(), stateAsked = 0;

/* Calls fn(changed) after changes of these keys, once a frame. */
function onState(keys, fn) {
	stateListeners.push({keys, fn});
}

/* Changes the state. remember: the former window is put on the history of the back key. */
function setState(patch, remember) {
	if (remember && ('from' in patch || 'until' in patch) && (patch.from !== state.from || patch.until !== state.until))
		stateHistory.push([state.from, state.until]);
	for (const [key, value] of Object.entries(patch))
		if (state[key] !== value) {
			state[key] = value;
			stateChanged.add(key);
		}
	if (!stateChanged.size || stateAsked) return;
	document.documentElement.dataset.chosen = 'new';
	stateAsked = requestAnimationFrame(tellListeners);
}

function tellListeners() {
	const changed = stateChanged;
	stateAsked = 0;
	stateChanged = new Set();
	for (const {keys, fn} of stateListeners)
		if (keys.some(key => changed.has(key))) fn(changed);
	writeHash();
}

/* First and last moment of the time line. */
let extent = () => [run.from, run.until];

/* Shows a window, within the run and not narrower than 20 ns. */
function showWindow(from, until, remember) {
	const [first, last] = extent(), width = Math.max(20, Math.min(until - from, last - first));
	const start = Math.max(first, Math.min((from + until - width) / 2, last - width));
	setState({from: start, until: start + width}, remember);
}

function goBack() {
	const last = stateHistory.pop();
	if (last) setState({from: last[0], until: last[1]});
}

/* --- the URL ------------------------------------------------------------- */

let hashTimer = 0;

function writeHash() {
	clearTimeout(hashTimer);
	hashTimer = setTimeout(() => {
		const parts = [];
		if (state.from !== extent()[0] || state.until !== extent()[1]) parts.push('t=' + Math.round(state.from) + '-' + Math.round(state.until));
		if (state.interval) parts.push('i=' + state.interval.map(Math.round).join('-'));
		if (state.threads) parts.push('threads=' + state.threads.join('.'));
		for (const key of ['finding', 'event', 'thread', 'source']) if (state[key] !== null) parts.push(key + '=' + state[key]);
		if (state.instance) parts.push('instance=' + state.instance);
		if (state.color !== 'category') parts.push('color=' + state.color);
		for (const key of ['waits', 'causes', 'path', 'messages']) if (!state[key]) parts.push('no=' + key);
		if (state.pinned.length) parts.push('pinned=' + state.pinned.join('.'));
		if (state.open.length) parts.push('open=' + state.open.join('.'));
		if (state.folded.length) parts.push('folded=' + state.folded.join('.'));
		if (state.theme) parts.push('theme=' + state.theme);
		history.replaceState(null, '', '#' + parts.join('&'));
		if (!stateAsked) document.documentElement.dataset.chosen = 'shown';
	}, 150);
}

function readHash() {
	const patch = {};
	for (const part of location.hash.slice(1).split('&')) {
		const [key, text] = part.split('=');
		const numbers = text ? text.split(/[-.]/).map(Number) : [];
		if (key === 't' && numbers.length === 2 && numbers[0] < numbers[1]) [patch.from, patch.until] = numbers;
		else if (key === 'i' && numbers.length === 2) patch.interval = numbers;
		else if (['threads', 'pinned', 'folded'].includes(key) && numbers.every(Number.isFinite)) patch[key] = numbers;
		else if (['finding', 'event', 'thread', 'source', 'instance'].includes(key) && /^\d+$/.test(text)) patch[key] = Number(text);
		else if (key === 'color' && ['operation', 'function'].includes(text)) patch.color = text;
		else if (key === 'no' && ['waits', 'causes', 'path', 'messages'].includes(text)) patch[text] = false;
		else if (key === 'open' && /^[\dx.]+$/.test(text)) patch.open = text.split('.');
		else if (key === 'theme' && ['light', 'dark'].includes(text)) patch.theme = text;
	}
	return patch;
}
