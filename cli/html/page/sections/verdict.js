/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict: headline, findings, banners, and where the time went. */

const waitKinds = new Set(['imbalance', 'barrier', 'all-to-all', 'late sender', 'late receiver', 'late broadcast', 'early reduce', 'early scan',
	'late neighbour', 'other group', 'lock', 'lock hand-over', 'lock attempt', 'late signal', 'late post', 'early wait', 'late complete',
	'notify drain']);

function shortCause(finding) {
	if (finding.thread === null) return 'not known';
	if (finding.threads > 1) return formatCount(finding.threads) + ' ' + run.words + ', most ' + threadName(finding.thread);
	return threadName(finding.thread);
}

/* One sentence: who, whom, where. */
function headlineOf() {
	const summary = run.report.summary, finding = findings[0];
	if (summary.hangs) {
		const stuck = run.report[isProfile() ? 'open-calls' : 'hangs'].rows[0];
		return ['The run hangs', stuck && stuck.location ? [' at ', make('code', {}, stuck.location)] : ''];
	}
	if (isProfile()) return ['A profile: where the time is'];
	if (!finding) return ['Nothing stands out' + (run.threads.every(t => t.complete) ? '' : ' in what was recorded')];
	const place = finding.waiting_location || finding.location, at = place ? [' at ', make('code', {}, place)] : '';
	if (waitKinds.has(finding.kind) && finding.thread !== null)
		return finding.threads > 1 && finding.pattern !== 'always'
			? [formatCount(finding.threads) + ' ' + run.words + ' keep each other waiting by turns', at]
			: [upper(threadName(finding.thread)) + ' keeps the others waiting', at];
	return [upper(finding.kind) + (finding.operation ? ', ' + finding.operation + ',' : ''), at, ' costs ' + formatTime(finding.lost_ns)];
}

function upper(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

// The error of the clocks of several hosts.
function formatError(ns) {
	return ns > 0 ? ' +- ' + formatTime(ns) : '';
}

function subtitleOf() {
	const summary = run.report.summary, finding = findings[0], parts = ['The run took ' + formatTime(summary.duration_ns) + '. '];
	if (finding && finding.on_path_ns > 0)
		parts.push('Fixing this saves ', make('b', {}, (finding.at_most ? 'at most ' : 'about ') + formatTime(finding.on_path_ns) +
			formatError(finding.on_path_error_ns) + ' (' +
			formatShare(finding.on_path_share_ratio) + ')'));
	else if (finding && finding.on_path_ns === 0) parts.push('Removing the waiting would not shorten it');
	if (summary.parallel_efficiency_ratio !== null)
		parts.push((parts.length > 1 ? '; p' : 'P') + 'arallel efficiency is ' + formatShare(summary.parallel_efficiency_ratio));
	return parts.concat('.');
}

function makeSavings(finding, most) {
	if (finding.on_path_ns === null)
		return finding.saving_ns === null ? 'not known' : 'about ' + formatTime(finding.saving_ns) + ' of thread time';
	if (finding.on_path_ns === 0) return make('span', {class: 'sub'}, 'nothing, not on the path');
	const bar = make('i', {class: 'bar ink'});
	bar.style.width = Math.max(1, 52 * finding.on_path_ns / most) + 'px';
	return [bar, formatTime(finding.on_path_ns) + formatError(finding.on_path_error_ns), make('span', {class: 'sub'}, ' ' + formatShare(finding.on_path_share_ratio))];
}

function makeLost(finding, most) {
	const bar = make('i', {class: 'bar ' + (waitKinds.has(finding.kind) ? 'hatched' : 'calling')});
	bar.style.width = Math.max(1, 64 * finding.lost_ns / most) + 'px';
	return [bar, formatTime(finding.lost_ns) + formatError(finding.error_ns), finding.cases ? make('span', {class: 'sub'}, ' in ' + formatCount(finding.cases)) : ''];
}

function makeFindingRow(finding, mostLost, mostSaved) {
	const place = finding.waiting_location || finding.location, operation = finding.waiting_operation || finding.operation;
	const because = finding.reason ? [finding.reason, finding.reason_share_ratio > 0 ? ' ' + formatShare(finding.reason_share_ratio) : '',
		finding.reason_caller ? ', mostly when called by ' + finding.reason_caller : ''] : '';
	const show = () => showFinding(finding.number, 0);
	return make('tr', {data: {finding: finding.number}, tabindex: '0', on: {dblclick: show, keydown: event => {
		if (event.key === 'Enter' && event.target === event.currentTarget) show();
	}}},
		make('td', {}, finding.number), make('td', {}, make('b', {}, finding.kind)),
		make('td', {}, make('code', {}, place || ''), ' ', make('span', {class: 'sub'}, operation || '')),
		make('td', {}, shortCause(finding)), make('td', {class: 'sub', title: finding.meaning || false}, because),
		make('td', {class: 'number'}, makeLost(finding, mostLost)), make('td', {class: 'number'}, makeSavings(finding, mostSaved)),
		make('td', {}, make('button', {class: 'show', tabindex: '-1', on: {click: show}}, 'show')));
}

function makeFindings() {
	if (isProfile())
		return make('p', {class: 'sub'}, 'Recorded as a profile: time inside calls and how it differs between ' + run.words +
			' is known. Waiting, who causes it and what it costs need a trace (--mode=trace).');
	if (!findings.length)
		return make('p', {class: 'sub'}, 'No waiting and no access that takes 1 % of all ' + run.words + '\u2019 time or of the run was found.');
	const lost = Math.max(...findings.map(f => f.lost_ns)), saved = Math.max(1, ...findings.map(f => f.on_path_ns || 0));
	const body = make('tbody', {}, findings.map(f => makeFindingRow(f, lost, saved)));
	const mark = () => {
		for (const row of body.children) {
			const on = Number(row.dataset.finding) === state.finding;
			row.classList.toggle('selected', on);
			row.querySelector('button').setAttribute('aria-pressed', String(on));
		}
	};
	onState(['finding'], mark);
	mark();
	return make('table', {class: 'findings'}, make('thead', {}, make('tr', {},
		['', 'Finding', 'Where they wait', 'Caused by', 'Because of', 'Lost, all ' + run.words, 'Saves at most', ''].map(t => make('th', {scope: 'col'}, t)))),
	body);
}

/* "The log of rank 2 breaks off at 1.31 s; what it did after that is missing." */
function brokenLogs() {
	const broken = run.threads.filter(t => !t.complete);
	if (!broken.length) return [];
	if (broken.length === 1)
		return ['The log of ' + broken[0].name + ' breaks off at ' + formatMoment(broken[0].last_ns, 1e6) + ' s; what it did after that is missing, its waits too.'];
	const first = Math.min(...broken.map(t => t.last_ns)), last = Math.max(...broken.map(t => t.last_ns));
	return ['The logs of ' + (broken.length === run.threads.length ? 'all ' + formatCount(broken.length) + ' ' + run.words : run.words + ' ' +
		formatRanges(broken.slice(0, 50).map(t => t.rank === null ? t.id : t.rank).sort((a, b) => a - b)) + (broken.length > 50 ? ' ...' : '')) +
		' break off' + (first === last ? '' : ', the first') + ' at ' + formatMoment(first, 1e6) + ' s; what they did after that is missing, their waits too.'];
}

/* Sentences about damage and what was not seen, each as a banner. */
function makeBanners() {
	const rows = (run.report.quality ? run.report.quality.rows : []).filter(row => row.severity === 'loss' && row.kind !== 'no end block');
	const texts = brokenLogs().concat(rows.map(row => row.meaning + ' (' + formatCount(row.cases) + '). ' + (row.advice || '')));
	const more = texts.length - 3;
	return texts.slice(0, 3).concat(more > 0 ? ['And ' + more + ' more: gaspdb analyze quality.'] : []).map(t => make('p', {class: 'banner', role: 'status'}, t));
}

function buildVerdict(node) {
	append(node, [makeBanners(), make('h1', {}, headlineOf()), make('p', {class: 'lead'}, subtitleOf()), makeFindings()]);
}

/* --- where the time went ------------------------------------------------------ */

/* Waiting taken out of the categories that it is in: [name, css class, ns]. */
function timeParts() {
	const sums = new Map(run.categorySums.rows().map(row => [row.category, row.time_ns]));
	let waiting = 0;
	for (let i = 0; i < run.waitBins.n; i++) waiting += run.waitBins.column('time_ns')[i];
	const get = k => sums.get(k) || 0;
	const calling = get('communication') + get('synchronization');
	const parts = [['computing', 'computation', get('computation')],
		['communicating, synchronizing', 'communication', Math.max(0, calling - waiting)]].concat(isProfile() ? [] : [['waiting', 'waiting', waiting]]);
	for (const k of ['runtime', 'io', 'allocation', 'no processor', 'tool', 'not recorded'])
		if (get(k)) parts.push([categoryNames[k], k, k === 'runtime' ? Math.max(0, get(k) - Math.max(0, waiting - calling)) : get(k)]);
	return parts;
}

function buildWhere(node) {
	const parts = timeParts(), sum = parts.reduce((a, p) => a + p[2], 0);
	const strip = make('div', {class: 'strip'}, parts.map(([name, kind, ns]) => {
		const part = make('i', {class: kind === 'waiting' ? 'hatched' : '', data: kind === 'waiting' ? {} : {category: kind}, title: name});
		part.style.flexGrow = ns / sum;
		return part;
	}));
	const summary = run.report.summary;
	append(node, [make('h3', {}, 'All ' + run.words + '\u2019 time, ' + formatTime(sum)), strip,
		make('table', {class: 'plain'}, parts.map(([name, kind, ns]) => make('tr', {},
			make('td', {}, make('i', kind === 'waiting' ? {class: 'swatch hatched'} : {class: 'swatch', data: {category: kind}}), name),
			make('td', {class: 'number'}, formatTime(ns)), make('td', {class: 'number sub'}, formatShare(ns / sum))))),
		make('p', {class: 'sub limits'}, summary.limits || '')]);
}
