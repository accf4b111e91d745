/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums over what is chosen: an interval (state.interval, or else the window) and threads. Exact where the page has all calls
 * of the interval; else from bins, of which those at the ends are cut: `exact` is false, shown as ~.
 */

function chosenInterval() {
	return state.interval || [state.from, state.until];
}

function chosenThreads() {
	return state.threads === null ? run.threads : run.threads.filter(t => state.threads.includes(t.id));
}

function isWholeRun() {
	const [from, until] = chosenInterval();
	return from <= run.from && until >= run.until;
}

/* Part of [start, end) in [from, until). */
function overlap(start, end, from, until) {
	return Math.max(0, Math.min(end, until) - Math.max(start, from));
}

function emptySums(from, until, threads, exact) {
	return {from, until, threads, exact, whole: threads.reduce((sum, t) => sum + overlap(t.first_ns, t.last_ns, from, until), 0),
		busy: 0, places: new Map(), waits: new Map(), messages: new Map(), traffic: new Map(), pairs: new Map(), byThread: new Map()};
}

function addPlace(sums, source, ns, wait, count, bytes) {
	if (!sums.places.has(source)) sums.places.set(source, {source, ns: 0, wait: 0, calls: 0, bytes: 0});
	const place = sums.places.get(source);
	place.ns += ns;
	place.wait += wait;
	place.calls += count;
	place.bytes += bytes;
}

function addWait(sums, kind, cause, ns) {
	const key = kind + '\n' + cause;
	if (!sums.waits.has(key)) sums.waits.set(key, {kind, cause, ns: 0});
	sums.waits.get(key).ns += ns;
}

/* Waiting by who is waited for and who waits. */
function addPair(sums, cause, victim, ns) {
	const key = cause + ':' + victim;
	if (!sums.pairs.has(key)) sums.pairs.set(key, {cause, victim, ns: 0});
	sums.pairs.get(key).ns += ns;
}

/* From calls, waits and messages one by one. Calls count that begin in the interval. */
function exactSums(from, until, threads) {
	const sums = emptySums(from, until, threads, true), t = calls.waitTable;
	const bytes = calls.n ? calls.table.column('bytes') : [];
	for (const thread of threads) {
		const [first, last] = callsIn(thread.row, from, until), own = {busy: 0, wait: 0};
		for (let i = first; i < last; i++) {
			const ns = calls.level[i] === 1 ? overlap(calls.start[i], calls.end[i], from, until) : 0;
			let wait = 0;
			for (let w = calls.wait[i], n = calls.waits[i]; n > 0; w++, n--) {
				const part = overlap(t.column('start_ns')[w], t.column('end_ns')[w], from, until);
				wait += part;
				if (!part) continue;
				addWait(sums, t.get('kind', w), t.get('cause_thread_id', w), part);
				addPair(sums, t.get('cause_thread_id', w), thread.id, part);
			}
			own.wait += wait;
			own.busy += ns;
			if (calls.level[i] !== 1) continue;
			const begins = calls.start[i] >= from && calls.start[i] < until;
			addPlace(sums, calls.source[i], ns, wait, begins ? 1 : 0, begins ? bytes[i] || 0 : 0);
		}
		sums.busy += own.busy;
		sums.byThread.set(thread.id, own);
	}
	addMessages(sums, new Set(threads.map(one => one.id)));
	addAccesses(sums, threads);
	return sums;
}

function countMessage(pairs, sender, receiver, bytes) {
	const key = sender + ':' + receiver;
	if (!pairs.has(key)) pairs.set(key, {sender, receiver, messages: 0, bytes: 0});
	pairs.get(key).messages++;
	pairs.get(key).bytes += bytes;
}

/* Gets, puts and atomics that begin in the interval: from the one whose data go to the one that gets them; as traffic: from the initiator. */
function addAccesses(sums, threads) {
	if (!calls.n) return;
	const peers = calls.table.column('peer'), bytes = calls.table.column('bytes');
	for (const thread of threads) {
		const [first, last] = callsIn(thread.row, sums.from, sums.until);
		for (let i = first; i < last; i++) {
			const source = run.sources.get(calls.source[i]), kind = source ? /^(get|put|atomic|copy)/.exec(source.type) : null;
			if (!kind || calls.start[i] < sums.from || calls.table.isNull('peer', i) || calls.table.get('nested', i)) continue;
			const ends = kind[1] === 'get' ? [peers[i], thread.id] : [thread.id, peers[i]];
			countMessage(sums.messages, ...ends, bytes[i] || 0);
			countMessage(sums.traffic, thread.id, peers[i], bytes[i] || 0);
		}
	}
}

/* Messages that are sent in the interval, by threads that send or receive. */
function addMessages(sums, ids) {
	const m = calls.messageTable;
	if (!m.n) return;
	const sent = m.column('sent_ns'), last = firstFrom(sent, 0, m.n, sums.until, false);
	for (let i = firstFrom(sent, 0, m.n, sums.from, false); i < last; i++) {
		const sender = m.column('sender')[i], receiver = m.column('receiver')[i];
		if (!ids.has(sender) && !ids.has(receiver)) continue;
		countMessage(sums.messages, sender, receiver, m.column('bytes')[i]);
		countMessage(sums.traffic, sender, receiver, m.column('bytes')[i]);
	}
}

/* From bins: places and kinds of waiting of all threads, calling and waiting of each. */
async function binnedSums(from, until, threads) {
	const bins = await loadChunk('source_bins'), sums = emptySums(from, until, threads, false);
	const width = Number(run.meta.source_bin_ns), waitWidth = Number(run.meta.bin_ns);
	for (const thread of threads) {
		const own = run.pyramid ? pyramidSums(thread.row, from, until) : {busy: 0, wait: 0};
		sums.busy += own.busy;
		sums.byThread.set(thread.id, own);
	}
	const share = threads.length / run.threads.length;
	for (let i = 0; i < bins.n; i++) {
		const start = bins.column('start_ns')[i], part = overlap(start, start + width, from, until) / width * share;
		const source = run.sources.get(bins.column('source_id')[i]);
		if (part && source && runtimeCategories.has(source.category))
			addPlace(sums, source.id, part * bins.column('self_ns')[i], 0, part * bins.column('calls')[i], part * bins.column('bytes')[i]);
	}
	for (let i = 0; i < run.waitBins.n; i++) {
		const start = run.waitBins.column('start_ns')[i], part = overlap(start, start + waitWidth, from, until) / waitWidth * share;
		if (part) addWait(sums, run.waitBins.get('kind', i), null, part * run.waitBins.column('time_ns')[i]);
	}
	return sums;
}

/* Sums of what is chosen, in the chosen interval or this one, as a promise. */
async function chosenSums(interval) {
	const [from, until] = interval || chosenInterval(), threads = chosenThreads();
	return isInFull(from, until) ? exactSums(from, until, threads) : binnedSums(from, until, threads);
}

/* --- chips: the choice, at the top of the sections that follow it -------------- */

function makeChip(text, remove) {
	return make('span', {class: 'chip'}, text, remove ? make('button', {'aria-label': 'choose all again', on: {click: remove}}, '×') : null);
}

/* none: what is said where no interval is chosen; always: without a choice too. */
function makeChips(none, always) {
	const node = make('p', {class: 'chips'});
	const tell = () => {
		const source = state.source === null ? null : run.sources.get(state.source);
		node.hidden = !always && !isChosen() && !source;
		replaceChildren(node, 'Chosen: ',
			state.interval ? makeChip(intervalText(...state.interval), () => setState({interval: null})) : makeChip(none),
			state.threads ? makeChip(chosenText(), () => setState({threads: null})) : makeChip(chosenText()),
			source ? makeChip(source.operation + ' ' + (source.location || ''), () => setState({source: null})) : null);
	};
	onState(['interval', 'threads', 'source'], tell);
	tell();
	return node;
}

/* "1.05 s to 1.2 s". */
function intervalText(from, until) {
	const step = Math.max(1, (until - from) / 100);
	return formatMoment(from, step) + ' s to ' + formatMoment(until, step) + ' s';
}

/* The chosen threads in words. */
function chosenText() {
	if (!state.threads) return run.threads.length === 1 ? run.threads[0].name : 'all ' + formatCount(run.threads.length) + ' ' + run.words;
	const numbers = chosenThreads().map(t => t.rank === null ? t.id : t.rank).sort((a, b) => a - b);
	return (numbers.length === 1 ? run.word : run.words) + ' ' + formatRanges(Array.from(new Set(numbers)));
}
