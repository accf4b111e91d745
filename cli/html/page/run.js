/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run: threads, places, calls, waits, messages. `run` has what the first chunks have; `calls` is null until the calls
 * are inflated, and then has those of the windows that the page has in full.
 */

let run = {
	from: 0, until: 1,       /* first and last moment */
	report: null,            /* sections of gaspdb report --format=json */
	meta: {},                /* table meta */
	word: 'rank', words: 'ranks', /* what a thread of the run is called */
	threads: [],             /* {id, rank, number, host, model, first_ns, last_ns, complete, name, row} in the order of ids */
	threadById: new Map(),
	sources: new Map(),      /* by source.id: {id, operation, type, category, location, place_location, file, line, function, spot} */
	hosts: [],               /* names, in the order of their first threads */
	gaps: [],                /* {thread_id, kind, start_ns, end_ns} */
	windows: [],             /* [from, until] in which all calls are in the page */
	pyramid: null,           /* pyramid.js */
};
let calls = null;

const runtimeCategories = new Set(['communication', 'synchronization', 'allocation', 'io', 'runtime']);

/* "rank 3"; "rank 3, thread 1" where processes have several; short: "3.1". */
function nameThreads() {
	const several = run.threads.some(t => t.number > 0);
	run.threads.forEach((t, row) => {
		t.row = row;
		t.rankText = String(t.rank === null ? t.id : t.rank);
		t.name = run.word + ' ' + t.rankText + (several && t.rank !== null ? ', thread ' + t.number : '');
		t.short = t.rankText + (several && t.rank !== null && t.number ? '.' + t.number : '');
		run.threadById.set(t.id, t);
	});
}

function threadName(id) {
	const thread = run.threadById.get(id);
	return thread ? thread.name : id === null ? 'not known' : run.word + ' of thread ' + id;
}

async function loadRun() {
	const [report, meta, threads, sources, gaps, windows] = await Promise.all([loadChunk('report', true), loadChunk('meta'),
		loadChunk('threads'), loadChunk('sources'), loadChunk('gaps'), loadChunk('windows', true)]);
	run.report = report.head.sections;
	for (let i = 0; i < meta.n; i++) run.meta[meta.get('key', i)] = meta.get('value', i);
	run.word = run.report.summary.thread_word;
	run.words = run.word.endsWith('s') ? run.word + 'es' : run.word + 's';
	run.threads = threads.rows();
	run.hosts = Array.from(new Set(run.threads.map(t => t.host || '')));
	nameThreads();
	for (const source of sources.rows()) run.sources.set(source.id, source);
	run.gaps = gaps.rows();
	run.windows = windows.head.list;
	run.from = Math.min(...run.threads.map(t => t.first_ns).slice(0, 1), ...[run.threads.reduce((a, t) => Math.min(a, t.first_ns), Infinity)]);
	run.until = run.threads.reduce((a, t) => Math.max(a, t.last_ns), run.from + 1);
}

/* Was the run recorded as a profile? Then it has sums alone: no events, no waits. */
function isProfile() {
	return run.meta.mode === 'profile';
}

/* Are all calls of the window in the page? */
function isInFull(from, until) {
	return calls !== null && run.windows.some(w => w[0] <= Math.max(from, run.from) && w[1] >= Math.min(until, run.until));
}

/* --- calls --------------------------------------------------------------- */

/*
 * Arrays by index of call, in the order of ids: id, thread (row), source, start, end, parent (index or -1), level (1: an
 * outermost call of the runtime: a bar; 0: none), wait (first index of its waits, -1: none), waits (how many).
 * rows: by row {first, last, ends: greatest end so far}.
 */
async function loadCalls() {
	const [events, waits, messages, path, collectives, collectiveCalls, teams] =
		await loadChunks(['events', 'waits', 'messages', 'path', 'collectives', 'collective_calls', 'teams']);
	const made = {
		n: events.n, table: events,
		id: events.column('id'), start: events.column('start_ns'), source: events.column('source_id'),
		thread: new Int32Array(events.n), end: new Float64Array(events.n), level: new Uint8Array(events.n),
		wait: new Int32Array(events.n).fill(-1), waits: new Uint16Array(events.n),
		rows: run.threads.map(() => ({first: 0, last: 0})),
		ends: new Float64Array(events.n),
		waitTable: waits, messageTable: messages, pathTable: path, collectiveTable: collectives, collectiveCalls,
		messageOf: new Map(), collectiveOf: new Map(), teams: new Map(teams.rows().map(team => [team.id, team])),
	};
	fillCalls(made, events);
	linkWaits(made, waits);
	for (let i = 0; i < messages.n; i++)
		for (const key of ['send_event_id', 'receive_event_id', 'post_event_id']) {
			const id = messages.get(key, i);
			if (id === null) continue;
			if (!made.messageOf.has(id)) made.messageOf.set(id, []);
			if (!made.messageOf.get(id).includes(i)) made.messageOf.get(id).push(i);
		}
	if (collectives.n)
		for (let i = 0, ids = collectives.column('event_id'), of = collectives.column('collective_id'); i < collectives.n; i++)
			made.collectiveOf.set(ids[i], of[i]);
	calls = made;
}

/* In place of a source that a damaged file lacks. */
function unknownSource(id) {
	return {id, operation: 'not known', type: '', category: '', location: '', place_location: '', file: '', line: null, function: '', spot: id};
}

function fillCalls(made, events) {
	if (!events.n) return;
	const duration = events.column('duration_ns'), threads = events.column('thread_id');
	let row = -1, lastThread = NaN, greatest = 0, busyUntil = -Infinity;
	for (let i = 0; i < events.n; i++) {
		if (threads[i] !== lastThread) {
			lastThread = threads[i];
			row = run.threadById.has(lastThread) ? run.threadById.get(lastThread).row : -1;
			greatest = busyUntil = -Infinity;
			if (row >= 0) made.rows[row].first = i;
		}
		made.thread[i] = row;
		made.end[i] = made.start[i] + duration[i];
		greatest = Math.max(greatest, made.end[i]);
		made.ends[i] = greatest;
		if (row >= 0) made.rows[row].last = i + 1;
		if (!run.sources.has(made.source[i])) run.sources.set(made.source[i], unknownSource(made.source[i]));
		const source = run.sources.get(made.source[i]);
		if (runtimeCategories.has(source.category) && (made.end[i] > busyUntil || made.start[i] >= busyUntil)) {
			made.level[i] = 1;
			busyUntil = Math.max(busyUntil, made.end[i]);
		}
	}
}

function linkWaits(made, waits) {
	if (!waits.n) return;
	const of = waits.column('event_id'), start = waits.column('start_ns'), end = waits.column('end_ns');
	for (let w = 0, i = 0; w < waits.n; w++) {
		while (i < made.n && made.id[i] < of[w]) i++;
		if (i === made.n || made.id[i] !== of[w]) continue;
		/* Only in a damaged file a wait is longer than its call. */
		start[w] = Math.min(made.end[i], Math.max(made.start[i], start[w]));
		end[w] = Math.min(made.end[i], Math.max(start[w], end[w]));
		if (made.wait[i] < 0) made.wait[i] = w;
		made.waits[i]++;
	}
}

/* First index in [low, high) whose value is at least (above: greater than) x. */
function firstFrom(values, low, high, x, above) {
	while (low < high) {
		const middle = (low + high) >> 1;
		if (above ? values[middle] <= x : values[middle] < x) low = middle + 1;
		else high = middle;
	}
	return low;
}

/* Range [first, last) of a row's calls that may touch the window. */
function callsIn(row, from, until) {
	const r = calls.rows[row];
	return [firstFrom(calls.ends, r.first, r.last, from, true), firstFrom(calls.start, r.first, r.last, until, false)];
}

/* Index of a call by event.id; -1: it is not in the page. */
function callById(id) {
	if (calls === null || id === null) return -1;
	const i = firstFrom(calls.id, 0, calls.n, id, false);
	return i < calls.n && calls.id[i] === id ? i : -1;
}

/* The call at a moment of a row: the outermost call of the runtime, else the innermost of any; -1: none. */
function callAt(row, ns) {
	const [first, last] = callsIn(row, ns, ns + 1);
	let best = -1;
	for (let i = first; i < last; i++)
		if (calls.start[i] <= ns && calls.end[i] >= ns && (best < 0 || calls.level[i] >= calls.level[best])) best = i;
	return best;
}

/* Index of the innermost call that a call is in; -1: none in the page. */
function parentOf(i) {
	return callById(calls.table.get('parent_id', i));
}

/* Waiting of a call in ns, or that part of it in [from, until). */
function waitingIn(i, from, until) {
	let ns = 0;
	for (let w = calls.wait[i], n = calls.waits[i]; n > 0; w++, n--)
		ns += overlap(calls.waitTable.column('start_ns')[w], calls.waitTable.column('end_ns')[w], from, until);
	return ns;
}

/* Waiting of a call in ns. */
function waitingOf(i) {
	let ns = 0;
	for (let w = calls.wait[i], n = calls.waits[i]; n > 0; w++, n--)
		ns += calls.waitTable.column('end_ns')[w] - calls.waitTable.column('start_ns')[w];
	return ns;
}

/* What the first picture needs besides threads and findings: sums of the run, bins, sums by thread. */
async function loadSums() {
	[run.profile, run.categorySums, run.waitTotals, run.bins, run.waitBins] =
		await loadChunks(['profile', 'category_sums', 'wait_totals', 'bins', 'wait_bins']);
	await Promise.all([loadWholes(), loadPyramid(), loadThreadSums()]);
}
