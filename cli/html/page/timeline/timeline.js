/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line: canvas, ruler, labels; pan and zoom. */

const timeline = {picture: null, layout: null, hover: null};

function timelineView(width) {
	const left = rowGeometry.label + (run.threads.length > clusterLimit ? 84 : 0) + 16, right = width - (run.threads.length > clusterLimit ? clusterSide : 1);
	return {from: state.from, until: state.until, left, right,
		x: ns => left + (ns - state.from) / (state.until - state.from) * (right - left),
		ns: x => state.from + (x - left) / (right - left) * (state.until - state.from)};
}

function drawRuler(c, view, height) {
	const ticks = d3.scaleLinear().domain([view.from / 1e9, view.until / 1e9]).ticks(Math.max(2, Math.floor((view.right - view.left) / 110)));
	const step = ticks.length > 1 ? (ticks[1] - ticks[0]) * 1e9 : 1e9;
	c.font = font(11);
	c.textAlign = 'center';
	c.textBaseline = 'alphabetic';
	ticks.forEach((tick, i) => {
		const x = view.x(tick * 1e9);
		drawMoment(c, x, height, '--rule');
		c.fillStyle = color('--second');
		const text = formatMoment(tick * 1e9, step) + (i === 0 ? ' s' : ''), half = c.measureText(text).width / 2;
		c.fillText(text, Math.max(view.left + half, Math.min(view.right - half, x)), rowGeometry.top - 18);
	});
	c.textAlign = 'left';
}

function drawLabels(c, layout) {
	c.textBaseline = 'middle';
	c.textAlign = 'left';
	for (const row of layout.rows) {
		if (row.kind !== 'thread') {
			(row.kind === 'host' ? drawHostLabel : drawClusterLabel)(c, row);
			continue;
		}
		const on = state.threads === null || state.threads.includes(row.thread.id);
		c.font = font(row.pitch >= 16 ? 12 : 10, state.pinned.includes(row.thread.id) || state.thread === row.thread.id ? 700 : 500);
		c.fillStyle = color(on ? '--ink' : '--third');
		c.fillText(row.label, 0, row.y + row.height / 2);
		if (!row.note) continue;
		c.fillStyle = color('--second');
		c.font = font(11);
		c.fillText(row.note, rowGeometry.label + 40, row.y + row.height / 2);
	}
}

function drawChosenInterval(c, view, height) {
	if (!state.interval) return;
	const a = Math.max(view.left, view.x(state.interval[0])), b = Math.min(view.right, view.x(state.interval[1]));
	if (b <= a) return;
	c.fillStyle = color('--selected');
	c.fillRect(a, rowGeometry.top - 30, b - a, height);
}

/* Triangles above the rows: instances of the shown finding, the shown one filled. */
function drawMarkers(c, view) {
	const finding = shownFinding();
	if (!finding) return;
	let far = -Infinity;
	const order = finding.instances.map((one, i) => ({one, i})).sort((a, b) => (a.i === state.instance) - (b.i === state.instance)); /* the shown one on top */
	order.forEach(({one, i}) => {
		const at = one.cause_ns === null ? one.end_ns : one.cause_ns, x = view.x(at), shown = i === state.instance;
		if (x < view.left || x > view.right || (!shown && Math.abs(x - far) < 9)) return;
		far = x;
		c.beginPath();
		c.moveTo(x - 4.5, rowGeometry.top - 12);
		c.lineTo(x + 4.5, rowGeometry.top - 12);
		c.lineTo(x, rowGeometry.top - 4);
		c.closePath();
		c.strokeStyle = c.fillStyle = color('--cause');
		c.lineWidth = 1.2;
		if (shown) c.fill();
		c.stroke();
	});
	drawMarkersLabel(c, view, finding);
}

/* Left of the markers: which one is shown. */
function drawMarkersLabel(c, view, finding) {
	if (!finding.instances.length) return;
	c.font = font(11, 600);
	c.textBaseline = 'middle';
	c.fillStyle = color('--cause');
	c.fillText(fitText(c, formatCount(state.instance + 1) + ' of ' + formatCount(finding.instances.length), view.left - 6), 0, rowGeometry.top - 8);
}

function drawHover(c, view, height) {
	if (!timeline.hover) return;
	const x = timeline.hover.x;
	if (x < view.left || x > view.right) return;
	drawMoment(c, x, height, '--third');
}

/* A line through all rows. */
function drawMoment(c, x, height, name) {
	c.strokeStyle = color(name);
	c.lineWidth = 1;
	c.beginPath();
	c.moveTo(Math.round(x) + .5, rowGeometry.top - 12);
	c.lineTo(Math.round(x) + .5, height);
	c.stroke();
}

function drawRow(c, view, row) {
	if (row.kind === 'thread') drawThreadRow(c, view, row);
	else if (row.kind === 'host') drawHostRow(c, view, row);
	else drawClusterRow(c, view, row);
}

function drawTimeline(c, width, height) {
	const view = timelineView(width), layout = timeline.layout;
	drawChosenInterval(c, view, height);
	drawRuler(c, view, height);
	drawPhases(c, view);
	for (const row of layout.rows)
		drawRow(c, view, row);
	drawPath(c, view, layout);
	drawMessages(c, view, layout);
	drawCollectives(c, view, layout);
	drawCauses(c, view, layout);
	drawClicked(c, view, layout);
	drawCauseText(c, view, layout);
	drawMarkers(c, view);
	drawLabels(c, layout);
	drawClusterAmounts(c, width, layout);
	drawHover(c, view, height);
}

/* --- mouse ------------------------------------------------------------------ */

function hoveredCall(row, ns) {
	return isInFull(ns, ns) && row.kind === 'thread' ? callAt(row.thread.row, ns) : -1;
}

/* Of a moment whose calls are not in the page: the bin's share, and its longest call. */
function binText(row, ns) {
	if (!run.pyramid) return 'not in the page';
	const level = pyramidLevel((state.until - state.from) / timeline.picture.node.clientWidth), i = row * level.bins + Math.floor((ns - run.from) / level.bin_ns);
	const source = pyramidSource(level.source[i]);
	return '~ ' + formatShare(level.busy[i] / 255) + ' in calls' + (source ? ', the longest ' + source.operation + (source.location ? ' at ' + source.location : '') : '');
}

function hoverText(row, ns) {
	if (row.kind === 'cluster') return clusterText(row, ns);
	const i = hoveredCall(row, ns);
	const name = row.kind === 'thread' ? row.thread.name : row.label;
	if (row.kind === 'host') return name + (row.folded ? '' : ': click to fold');
	if (i < 0) return name + ', ' + formatMoment(ns, (state.until - state.from) / 1000) + ' s: ' + (isInFull(ns, ns) || row.kind !== 'thread' ? 'computing' : binText(row.thread.row, ns));
	const source = run.sources.get(calls.source[i]), wait = waitingOf(i);
	return name + ': ' + source.operation + (source.location ? ' at ' + source.location : '') + ', ' +
		formatTime(calls.end[i] - calls.start[i]) + (wait ? ', of which waiting ' + formatTime(wait) : '');
}

function onTimelineMove(event) {
	const canvas = timeline.picture.node, [x, y] = d3.clientPoint(canvas, event), view = timelineView(canvas.clientWidth);
	const row = rowAt(timeline.layout, y);
	timeline.hover = {x, y, call: row && x >= view.left ? hoveredCall(row, view.ns(x)) : -1};
	timeline.line.textContent = row && x >= view.left ? hoverText(row, view.ns(x)) : '';
	timeline.picture.draw();
}

function onTimelineClick(event) {
	const canvas = timeline.picture.node, [x, y] = d3.clientPoint(canvas, event), view = timelineView(canvas.clientWidth);
	const row = rowAt(timeline.layout, y);
	if (!row) return;
	if (row.kind === 'host' && (!row.folded || x < view.left)) {
		toggleHost(row.host);
		return;
	}
	if (row.kind !== 'thread') {
		if (row.kind !== 'host') clickCluster(row, x, y);
		return;
	}
	const ns = view.ns(x), i = x >= view.left && isInFull(ns, ns) ? callAt(row.thread.row, ns) : -1;
	setState({event: i < 0 ? null : calls.id[i], thread: row.thread.id});
}

/* Drags: on the ruler an interval, on labels rows, else the window. */
function timelineDrag() {
	let mode, startX, startRow, startView;
	return d3.drag().clickDistance(4).container(function () { return this; })
		.on('start', () => {
			const view = timelineView(timeline.picture.node.clientWidth);
			startX = d3.event.x;
			startView = [state.from, state.until];
			startRow = rowAt(timeline.layout, d3.event.y);
			mode = d3.event.x < view.left ? 'rows' : d3.event.y < rowGeometry.top - 2 ? 'interval' : 'pan';
		})
		.on('drag', () => {
			const view = timelineView(timeline.picture.node.clientWidth), moved = Math.abs(d3.event.x - startX) > 4;
			if (mode === 'pan') {
				const shift = (startX - d3.event.x) / (view.right - view.left) * (startView[1] - startView[0]);
				showWindow(startView[0] + shift, startView[1] + shift);
			} else if (mode === 'interval' && moved) {
				const ends = [view.ns(startX), view.ns(d3.event.x)].sort((a, b) => a - b);
				setState({interval: [Math.max(run.from, ends[0]), Math.min(run.until, ends[1])]});
			} else if (mode === 'rows') {
				const row = rowAt(timeline.layout, d3.event.y), rows = timeline.layout.rows;
				if (!row || !startRow || row === startRow) return;
				const ends = [rows.indexOf(startRow), rows.indexOf(row)].sort((a, b) => a - b);
				setState({threads: rows.slice(ends[0], ends[1] + 1).flatMap(r => r.threads.map(t => t.id))});
			}
		})
		.on('end', () => {
			if (mode === 'pan' && (state.from !== startView[0] || state.until !== startView[1])) stateHistory.push(startView);
		});
}

function onTimelineWheel(event) {
	if (event.ctrlKey || !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) {
		const canvas = timeline.picture.node, view = timelineView(canvas.clientWidth), [x] = d3.clientPoint(canvas, event);
		zoomAt(view.ns(Math.max(view.left, x)), Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0022)));
	} else {
		const shift = (event.deltaX || event.deltaY) / 1000 * (state.until - state.from);
		showWindow(state.from + shift, state.until + shift);
	}
	event.preventDefault();
}

/* Zooms by a factor round a moment. */
function zoomAt(ns, factor, remember) {
	const width = Math.max(20, Math.min((state.until - state.from) * factor, extent()[1] - extent()[0]));
	const share = (ns - state.from) / (state.until - state.from), from = ns - share * width;
	showWindow(from, from + width, remember);
}

/* Two fingers: zoom and pan. */
function addTouch(canvas) {
	let start = null;
	const points = event => Array.from(event.touches).map(t => t.clientX - canvas.getBoundingClientRect().left).sort((a, b) => a - b);
	canvas.addEventListener('touchstart', event => {
		if (event.touches.length !== 2) return;
		const view = timelineView(canvas.clientWidth);
		start = points(event).map(view.ns);
		event.preventDefault();
	}, {passive: false});
	canvas.addEventListener('touchmove', event => {
		if (!start || event.touches.length !== 2) return;
		const view = timelineView(canvas.clientWidth), now = points(event);
		const scale = (start[1] - start[0]) / Math.max(8, now[1] - now[0]);
		const from = start[0] - (now[0] - view.left) * scale;
		showWindow(from, from + (view.right - view.left) * scale);
		event.preventDefault();
	}, {passive: false});
	canvas.addEventListener('touchend', () => { start = null; });
}

/* --- the section ------------------------------------------------------------- */

/* ": the page has 12 of its 40 waits"; empty: it has all of the finding. */
function knownWaitsText(finding, known) {
	if (calls === null || isInFull(run.from, run.until) || finding.cases && finding.cases <= known) return '';
	return ': the page has ' + (finding.cases ? formatCount(known) + ' of its ' + formatCount(finding.cases) + ' waits' : 'those near its worst waits');
}

/* The triangle; and how much of the finding the page has. */
function makeInstanceKey() {
	const node = make('span', {class: 'cause'});
	const show = () => {
		const finding = shownFinding(), known = finding ? finding.instances.reduce((n, one) => n + one.waits.length, 0) : 0;
		node.hidden = !known;
		node.textContent = known ? '▽ instance of the finding, the longest first' + knownWaitsText(finding, known) : '';
	};
	onState(['finding', 'findingsRead', 'callsRead'], show);
	show();
	return node;
}

/* What the critical path and what is not recorded lack in the page; known when the calls are read. */
function makeTimelineRest() {
	const node = make('div');
	onState(['callsRead'], () => {
		const path = restOf('path', calls.pathTable, {}), gaps = restOf('gaps', {n: run.gaps.length, get: (key, i) => run.gaps[i].end_ns - run.gaps[i].start_ns}, {ns: 'ns'});
		const t = calls.pathTable, length = t.n ? sumOf(t, 'end_ns') - sumOf(t, 'start_ns') : 0;
		replaceChildren(node, makeRest([path && 'critical path: ' + restText(path, 'pieces', [formatTime(Math.max(0, run.until - run.from - length))]),
			gaps && 'not recorded: ' + restText(gaps, 'stretches', [formatTime(gaps.ns)])]));
	});
	return node;
}

function makeLegend() {
	const used = new Set(Array.from(run.sources.values()).map(s => s.category));
	const items = categoryOrder.filter(c => c === 'computation' || used.has(c)).map(c =>
		make('span', {}, make('i', {class: 'swatch', data: {category: c}}), categoryNames[c]));
	return make('p', {class: 'legend'}, items, make('span', {}, make('i', {class: 'swatch hatched'}), 'waiting'),
		make('span', {class: 'cause'}, '● caused by'), make('span', {}, make('b', {class: 'stroke'}), 'critical path'),
		make('span', {}, '↗ message'),
		makeInstanceKey(),
		run.threads.length > clusterLimit ? make('span', {}, 'height: how many of a row’s ' + run.words +
			' · thin bars: the two that wait most and least · ▸ opens') : null);
}

function makeOverlayButtons() {
	const group = make('span', {class: 'choice', role: 'group', 'aria-label': 'what is drawn'});
	for (const key of ['waits', 'causes', 'path', 'messages'])
		group.append(make('button', {'aria-pressed': String(state[key]), title: key === 'path' ? 'critical path' : false, data: {value: key},
			on: {click: () => setState({[key]: !state[key]})}}, key));
	onState(['waits', 'causes', 'path', 'messages'], () => {
		for (const button of group.children) button.setAttribute('aria-pressed', String(state[button.dataset.value]));
	});
	return group;
}

function makeTimelineHead() {
	const colors = makeChoice('colour by', [['category', 'category'], ['operation', 'operation'], ['function', 'function']], state.color,
		value => setState({color: value}));
	onState(['color'], () => pressChoice(colors, state.color));
	const window = make('span', {class: 'sub'});
	const tell = () => {
		window.textContent = formatMoment(state.from, (state.until - state.from) / 100) + ' to ' +
			formatMoment(state.until, (state.until - state.from) / 100) + ' s of ' + formatTime(run.until - run.from);
	};
	onState(['from', 'until'], tell);
	tell();
	const middle = () => (state.from + state.until) / 2;
	return make('div', {class: 'head'}, make('h2', {}, 'Time line'), window, make('span', {class: 'space'}),
		make('span', {class: 'sub'}, 'colour by'), colors, makeOverlayButtons(),
		makeFoldButton(), make('span', {class: 'choice'},
			make('button', {title: 'zoom out (-)', on: {click: () => zoomAt(middle(), 2, true)}}, '−'),
			make('button', {title: 'zoom in (+)', on: {click: () => zoomAt(middle(), .5, true)}}, '+'),
			make('button', {title: 'whole run (0)', on: {click: () => showWindow(run.from, run.until, true)}}, 'whole run'),
			make('button', {title: 'back (backspace)', on: {click: goBack}}, '↶')));
}

function buildTimeline(node) {
	node.tableOf = timelineTable;
	timeline.layout = layRows();
	timeline.line = make('p', {class: 'hover', 'aria-live': 'off'});
	timeline.picture = makeCanvas('time line: a row for each ' + run.word, () => timeline.layout.height, drawTimeline);
	const canvas = timeline.picture.node;
	canvas.addEventListener('mousemove', onTimelineMove);
	canvas.addEventListener('mouseleave', () => {
		timeline.hover = null;
		timeline.line.textContent = '';
		timeline.picture.draw();
	});
	canvas.addEventListener('wheel', onTimelineWheel, {passive: false});
	canvas.addEventListener('click', onTimelineClick);
	d3.select(canvas).call(timelineDrag());
	addTouch(canvas);
	append(node, [buildOverview(), canvas, timeline.line, makeTimelineHead(), makeLegend(), makeTimelineRest()]); /* the head is drawn first: style.css */
	onState(['pinned', 'open', 'folded', 'callsRead'].concat(run.threads.length > clusterLimit ? ['event'] : []), () => {
		rowGeometry.top = hasNestedPhases() ? 46 + phaseTall : 46;
		timeline.layout = layRows();
		timeline.picture.draw();
	});
	onState(['from', 'until', 'finding', 'instance', 'findingsRead', 'event', 'thread', 'threads', 'interval', 'color', 'waits', 'causes', 'path',
		'messages', 'filter', 'theme', 'callsRead'], () => timeline.picture.draw());
}
