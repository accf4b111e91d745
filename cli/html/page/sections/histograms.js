/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Message sizes and durations of calls, as histograms. Of a choice they are counted from the calls, where the page has every one;
 * by interval nothing else is known.
 */

/* Bars over powers of two: list of {at (log2), parts: [[fill, value]]}; text(at) names a bar. */
function drawHistogram(c, width, height, list, text) {
	if (!list.length) return;
	const first = list[0].at, last = list[list.length - 1].at, pitch = Math.min(46, width / (last - first + 1)), room = height - 36;
	const sum = bar => bar.parts.reduce((a, p) => a + p[1], 0), most = Math.max(...list.map(sum)), scale = v => room * Math.log1p(v) / Math.log1p(most);
	c.font = font(11);
	c.textAlign = 'center';
	c.textBaseline = 'alphabetic';
	let far = -Infinity, farNumber = -Infinity;
	for (const bar of list) {
		const x = (bar.at - first) * pitch, all = sum(bar), tall = Math.max(1, scale(all));
		let y = height - 18 - tall;
		c.fillStyle = color('--ink');
		const number = formatShort(all), wide = c.measureText(number).width / 2;
		if (x + pitch / 2 - wide > farNumber + 3) {
			c.fillText(number, Math.max(wide, x + pitch / 2), y - 4);
			farNumber = x + pitch / 2 + wide;
		}
		for (const [fill, value] of bar.parts) {
			c.fillStyle = fill === 'hatch' ? hatch(c) : color(fill);
			c.fillRect(x + 1, y, pitch - 2, tall * value / all);
			y += tall * value / all;
		}
		const name = text(bar.at), half = c.measureText(name).width / 2;
		if (x + pitch / 2 - half < far + 6) continue;
		c.fillStyle = color('--second');
		c.fillText(name, Math.min(width - half, Math.max(half, x + pitch / 2)), height - 4);
		far = x + pitch / 2 + half;
	}
}

/* Bars from counts: [log2 class, which part, how many], the parts' fills. */
function makeBars(counts, fills) {
	const bars = new Map();
	for (const [at, part, n] of counts) {
		if (!bars.has(at)) bars.set(at, {at, parts: fills.map(fill => [fill, 0])});
		bars.get(at).parts[part][1] += n;
	}
	return Array.from(bars.values()).sort((a, b) => a.at - b.at);
}

/* 0: 0; k: from 2^(k-1) on, below 2^k. */
function powerOf(value) {
	let k = 0;
	while (k < 64 && 2 ** k <= value) k++;
	return k;
}

/* --- sizes ------------------------------------------------------------------------ */

const sizeFills = ['--amount-3', '--amount-1']; /* messages and accesses; collective calls */

async function readSizes() {
	const sizes = await loadChunk('sizes');
	return makeBars(Array.from({length: sizes.n}, (_, i) =>
		[powerOf(sizes.column('from_bytes')[i]), sizes.get('direction', i) === 'collective' ? 1 : 0, sizes.column('operations')[i]]), sizeFills);
}

/* How often a call counts, and as which part; null: it moves nothing by itself. Messages are counted apart. */
function sizePart(i) {
	const source = run.sources.get(calls.source[i]), type = source ? source.type : '';
	if (/^(get|put|atomic)/.test(type)) return [0, 1];
	if (/^copy/.test(type)) return [0, 2]; /* a get and a put */
	if (/^(barrier|notify)/.test(type) || calls.table.isNull('bytes', i)) return null;
	return calls.collectiveOf.has(calls.id[i]) || /^(all_to_all|broadcast|scatter|gather|reduce|scan|neighbor|exchange)/.test(type) ? [1, 1] : null;
}

/* Of what is chosen: messages that its threads send in the interval, accesses and collective calls that begin in it. */
function chosenSizes(sums) {
	const counts = [], ids = new Set(sums.threads.map(t => t.id)), m = calls.messageTable, {from, until} = sums;
	for (let i = m.n ? firstFrom(m.column('sent_ns'), 0, m.n, from, false) : 0; i < m.n && m.column('sent_ns')[i] < until; i++)
		if (ids.has(m.column('sender')[i])) counts.push([powerOf(m.column('bytes')[i]), 0, 1]);
	for (const thread of sums.threads)
		for (let [i, last] = callsIn(thread.row, from, until); i < last; i++) {
			const part = calls.start[i] >= from ? sizePart(i) : null;
			if (part) counts.push([powerOf(calls.table.get('bytes', i) || 0), ...part]);
		}
	return makeBars(counts, sizeFills);
}

function buildSizes(whole) {
	return buildHistogram({id: 'sizes', title: 'Message sizes', about: 'number of messages and accesses, light: collective; log scale',
		columns: ['from bytes', 'messages, accesses', 'collective'], none: 'No messages', text: at => at ? formatPower(2 ** (at - 1)) : '0',
		from: at => at ? 2 ** (at - 1) : 0, read: sums => sums && sums.exact ? chosenSizes(sums) : whole});
}

/* --- durations -------------------------------------------------------------------- */

/* Calls by [source, log2 class of the duration, calls, ns, waiting ns] that begin in the chosen interval. */
function chosenDurations(sums) {
	const list = [];
	for (const thread of sums.threads)
		for (let [i, last] = callsIn(thread.row, sums.from, sums.until); i < last; i++) {
			const ns = calls.end[i] - calls.start[i];
			if (calls.start[i] >= sums.from) list.push([calls.source[i], powerOf(ns), 1, ns, waitingOf(i)]);
		}
	return list;
}

/* Calls of the chosen line, or of all, by the logarithm of their duration; hatched: the share of their time that is waiting. */
function durationBars(list) {
	const counts = [];
	for (const [source, log, count, ns, wait] of list) {
		const about = run.sources.get(source);
		if (!about || !runtimeCategories.has(about.category) || (state.source !== null && source !== state.source)) continue;
		const waiting = ns ? Math.min(1, wait / ns) * count : 0;
		counts.push([log, 0, waiting], [log, 1, count - waiting]);
	}
	return makeBars(counts, ['hatch', '--amount-3']);
}

function buildDurations(whole) {
	return buildHistogram({id: 'durations', title: 'How long calls took', about: 'number of calls, hatched: waiting; log scale',
		columns: ['from ns', 'calls'], none: isProfile() ? 'It needs a trace' : 'No calls', text: at => formatRough(at ? 2 ** (at - 1) : 0), from: at => at ? 2 ** (at - 1) : 0,
		read: sums => durationBars(sums && sums.exact ? chosenDurations(sums) : whole)});
}

/* --- the sections ------------------------------------------------------------------- */

/* A histogram that follows the choice: {id, title, about, columns, none, text(at), from(at), read(sums)}. */
function buildHistogram(one) {
	let bars = [], sums = null;
	const about = make('span', {class: 'sub'}), none = make('p', {class: 'sub'});
	const picture = makeCanvas(one.title.toLowerCase(), 150, (c, w, h) => drawHistogram(c, w, h, bars, one.text));
	const node = make('section', {id: one.id, 'aria-label': one.title}, make('div', {class: 'head'}, make('h2', {}, one.title), about), picture.node, none);
	const show = () => {
		const source = one.id === 'durations' && state.source !== null ? run.sources.get(state.source) : null;
		bars = one.read(sums);
		about.textContent = one.about + (source ? ' · ' + source.operation + ' ' + (source.location || '') : '') + choiceText(sums, !sums || sums.exact);
		picture.node.hidden = !bars.length;
		none.textContent = bars.length ? '' : one.none + (isChosen() || source ? ' in it' : '') + ': nothing to draw.';
		picture.draw();
	};
	onState(['source'], show);
	onState(['theme'], () => picture.draw());
	followChoice(chosen => {
		sums = chosen;
		show();
	});
	node.tableOf = () => ({columns: one.columns, rows: bars.map(bar => [one.from(bar.at),
		...(one.columns.length > 2 ? bar.parts.map(p => p[1]) : [Math.round(bar.parts.reduce((a, p) => a + p[1], 0))])])});
	return node;
}
