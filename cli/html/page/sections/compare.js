/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs side by side (gaspdb compare --html). Each run's chunks are in an element of their own; run, calls and the other
 * globals are those of the run that is read or drawn, one at a time.
 */

const sides = []; /* {home, run, calls, findings, layout, promises, picture} of A and B */
const compareRows = 12;

/* Makes a side's data those that functions see. */
function useSide(side) {
	run = side.run;
	calls = side.calls;
	findings = side.findings;
	chunkHome = side.home;
	chunkPromises = side.promises;
	timeline.layout = side.layout;
}

/* Reads one run completely before the next begins. */
async function readSide(home, name) {
	const side = {home, name, run: Object.assign({}, run, {meta: {}, sources: new Map(), threadById: new Map()}), calls: null, findings: [], layout: null, promises: new Map()};
	useSide(side);
	await loadRun();
	await loadSums();
	await loadCalls();
	Object.assign(side, {run, calls, layout: layRows()});
	sides.push(side);
}

/* --- rows of the comparison ------------------------------------------------------- */

function formatFigure(row, value) {
	if (value === null) return row.state === 'gone' || row.state === 'new' ? '–' : '';
	return row.unit === 'ns' ? formatTime(value) : row.unit === '%' ? value.toFixed(1) + ' %' : formatCount(value);
}

function formatDifference(row) {
	if (row.difference === null) return '';
	return (row.difference > 0 ? '+' : row.difference < 0 ? '−' : '') + formatFigure(row, Math.abs(row.difference));
}

function formatChange(percent) {
	return (percent > 0 ? '+' : percent < 0 ? '−' : '') + Math.abs(percent).toFixed(1) + ' %';
}

function makePair(row, most) {
	const pair = make('span', {class: 'pair'});
	for (const value of [row.a, row.b]) {
		const bar = make('i');
		bar.style.width = Math.max(value ? 1 : 0, 120 * (value || 0) / most) + 'px';
		pair.append(bar);
	}
	return pair;
}

/* A part of the comparison as a table; more than compareRows on request. */
function makePart(title, rows, name) {
	if (!rows.length) return null;
	const most = Math.max(1, ...rows.filter(r => r.unit !== '%').map(r => Math.max(r.a || 0, r.b || 0))), body = make('tbody');
	const fill = n => replaceChildren(body, rows.slice(0, n).map(row => make('tr', {class: row.noise === 'within' ? 'sub' : ''}, make('td', {}, name(row)),
		make('td', {}, row.unit === '%' ? '' : makePair(row, most)), make('td', {class: 'number'}, formatFigure(row, row.a)), make('td', {class: 'number'}, formatFigure(row, row.b)),
		make('td', {class: 'number ' + (row.difference > 0 ? 'worse' : '')}, formatDifference(row)),
		make('td', {class: 'number sub'}, row.change === null ? row.state || '' : formatChange(row.change)))));
	fill(compareRows);
	const more = rows.length > compareRows ? make('button', {on: {click: () => {
		fill(rows.length);
		more.remove();
	}}}, (rows.length - compareRows) + ' more') : null;
	return make('section', {}, make('div', {class: 'head'}, make('h2', {}, title)), make('table', {class: 'findings'}, make('thead', {}, make('tr', {},
		['', 'A above, B below', 'A', 'B', 'difference', 'change'].map(t => make('th', {scope: 'col'}, t)))), body), more);
}

function makePlaceName(row) {
	return [row.name ? make('b', {}, row.name + ' ') : '', make('code', {}, row.location || ''), ' ', make('span', {class: 'sub'}, row.operation || '')];
}

/* "B takes 3.44 s longer than A, 134 %", and what grew most. */
function compareHeadline(rows) {
	const time = rows.find(r => r.section === 'run' && r.name === 'run time'), longer = time.difference > 0;
	const head = Math.abs(time.change) < 0.5 ? 'A and B take the same time' : 'B takes ' + formatTime(Math.abs(time.difference)) + (longer ? ' longer' : ' less') + ' than A';
	const most = rows.filter(r => r.section === 'cause').sort((a, b) => longer ? b.difference - a.difference : a.difference - b.difference)[0];
	const lead = ['A: ' + formatTime(time.a) + ', B: ' + formatTime(time.b) + (time.change === null ? '' : ' (' + formatChange(time.change) + ')') + '. '];
	if (most && most.difference && most.difference > 0 === longer)
		lead.push('Of what was waited for, ' + most.name + ' at ', make('code', {}, most.location || '?'), ' changed most: ', make('b', {}, formatDifference(most)), ' of all ' + run.words + '’ time.');
	return [make('h1', {}, head), make('p', {class: 'lead'}, lead)];
}

/* --- time lines on one scale ---------------------------------------------------------- */

function drawSide(side, c, width, height) {
	useSide(side);
	const view = timelineView(width), from = run.from;
	/* Both runs begin at the left: the scale is that of time since each run's start. */
	view.from += from;
	view.until += from;
	view.x = ns => view.left + (ns - view.from) / (view.until - view.from) * (view.right - view.left);
	drawRuler(c, view, height);
	for (const row of side.layout.rows)
		drawRow(c, view, row);
	drawPath(c, view, side.layout);
	drawLabels(c, side.layout);
}

function buildSide(side, letter) {
	useSide(side);
	const summary = run.report.summary, picture = makeCanvas('time line of ' + letter, () => side.layout.height, (c, w, h) => drawSide(side, c, w, h)), canvas = picture.node;
	let start = null;
	canvas.addEventListener('wheel', event => {
		useSide(side);
		timeline.picture = picture;
		onTimelineWheel(event);
	}, {passive: false});
	d3.select(canvas).call(d3.drag().container(function () { return this; })
		.on('start', () => { start = [d3.event.x, state.from, state.until]; })
		.on('drag', () => {
			const view = timelineView(canvas.clientWidth), shift = (start[0] - d3.event.x) / (view.right - view.left) * (start[2] - start[1]);
			showWindow(start[1] + shift, start[2] + shift);
		}));
	side.picture = picture;
	onState(['from', 'until', 'theme', 'color'], () => picture.draw());
	return make('div', {class: 'side'}, make('h3', {}, letter + ': ' + side.name + ', ' + formatTime(run.until - run.from) + ', ' + formatCount(run.threads.length) + ' ' +
		(run.threads.length === 1 ? run.word : run.words) + ', ' + summary.program), canvas);
}

function buildTimelines() {
	const colors = makeChoice('colour by', [['category', 'category'], ['operation', 'operation'], ['function', 'function']], state.color, value => setState({color: value}));
	onState(['color'], () => pressChoice(colors, state.color));
	return make('section', {id: 'timeline'}, make('div', {class: 'head'}, make('h2', {}, 'Time lines'), make('span', {class: 'sub'}, 'on one scale; wheel: zoom; drag: move; 0: whole runs'),
		make('span', {class: 'space'}), colors, make('button', {on: {click: () => showWindow(...extent(), true)}}, 'whole runs')),
	sides.map((side, i) => buildSide(side, 'AB'[i])), makeLegend());
}

async function bootComparison() {
	const rows = (await loadChunk('compared', true)).head;
	for (const id of ['run-a', 'run-b']) await readSide(document.getElementById(id), id === 'run-a' ? 'first run' : 'second run');
	const longest = Math.max(...sides.map(s => s.run.until - s.run.from));
	for (const side of sides) side.name = side.run.meta.run_name;
	Object.assign(state, {from: 0, until: longest}, readHash());
	applyTheme();
	onState(['theme'], applyTheme);
	extent = () => [0, longest];
	const of = section => rows.filter(r => r.section === section);
	const page = document.getElementById('page'), main = make('main');
	useSide(sides[0]);
	page.append(make('header', {}, make('b', {}, 'gaspdb compare'), make('span', {class: 'sub facts'}, 'A: ' + sides[0].name + ' · B: ' + sides[1].name),
		make('span', {class: 'tools'}, make('button', {'aria-label': 'light or dark', on: {click: toggleTheme}}, '◐'))), make('div', {class: 'columns one'}, main));
	append(main, [make('section', {id: 'verdict'}, compareHeadline(rows)), buildTimelines(), makePart('The runs', of('run'), row => row.name),
		makePart('What was waited for, and small accesses', of('cause'), makePlaceName), makePart('Time by category', of('category'), row => categoryNames[row.name] || row.name),
		makePart('Waiting, by kind', of('wait'), row => row.name), makePart('Calls by line', of('line'), makePlaceName)]);
	document.addEventListener('keydown', event => {
		const keys = {w: () => zoomAt((state.from + state.until) / 2, .6), s: () => zoomAt((state.from + state.until) / 2, 1 / .6), 0: () => showWindow(0, longest, true),
			a: () => shiftWindow(-.15), d: () => shiftWindow(.15), Backspace: goBack};
		if (keys[event.key] && !event.ctrlKey && !event.metaKey) keys[event.key]();
	});
	document.documentElement.dataset.state = 'ready';
}
