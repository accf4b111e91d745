/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overview: the whole run above the time line, with the shown window as a frame. */

const overview = {picture: null, kept: null};

function overviewScale(width) {
	const view = timelineView(width);
	return {left: view.left, right: view.right,
		x: ns => view.left + (ns - run.from) / (run.until - run.from) * (view.right - view.left),
		ns: x => run.from + (x - view.left) / (view.right - view.left) * (run.until - run.from)};
}

function overviewRow() {
	return run.threads.length > clusterLimit ? 30 : Math.max(2, Math.min(8, Math.floor(64 / run.threads.length)));
}

function overviewHeight() {
	return 14 + (run.threads.length > clusterLimit ? 30 : overviewRow() * run.threads.length) + 20;
}

/* The run's picture is kept: only the frame moves. */
function drawOverviewRun(c, scale, top) {
	const key = [scale.left, scale.right, state.waits, state.color, window.devicePixelRatio, run.pyramid !== null].join(), kept = overview.kept;
	if (!kept || kept.key !== key || kept.palette !== paletteCache) {
		const ratio = window.devicePixelRatio || 1, canvas = document.createElement('canvas'), tall = overviewHeight() - 34;
		canvas.width = Math.ceil((scale.right + 1) * ratio);
		canvas.height = Math.ceil((top + tall + 1) * ratio);
		const to = canvas.getContext('2d');
		to.scale(ratio, ratio);
		if (run.threads.length > clusterLimit || !run.pyramid) paintOverviewSums(to, scale, top, tall);
		else paintOverviewRows(to, scale, top);
		overview.kept = {key, palette: paletteCache, canvas, width: canvas.width / ratio, height: canvas.height / ratio};
	}
	c.drawImage(overview.kept.canvas, 0, 0, overview.kept.width, overview.kept.height);
}

function paintOverviewRows(c, scale, top) {
	const tall = overviewRow(), view = {from: run.from, until: run.until, left: scale.left, right: scale.right, x: scale.x};
	run.threads.forEach((thread, i) => {
		const row = {thread, y: top + i * tall, height: Math.max(1, tall - 1)};
		drawGround(c, view, row);
		drawShares(c, view, row);
	});
}

/* All threads together, by the bins of the run: waiting from the top, then categories. */
function paintOverviewSums(c, scale, top, tall) {
	const width = Number(run.meta.bin_ns), bins = new Map();
	const add = (table, key, kind) => {
		for (let i = 0; i < table.n; i++) {
			const start = table.column('start_ns')[i];
			if (!bins.has(start)) bins.set(start, {wait: 0});
			const bin = bins.get(start), name = kind || table.get(key, i);
			bin[name] = (bin[name] || 0) + table.column('time_ns')[i];
		}
	};
	add(run.bins, 'category');
	add(run.waitBins, 'kind', 'wait');
	const whole = width * run.threads.length;
	for (const [start, bin] of bins) {
		const left = scale.x(start), right = Math.min(scale.right, scale.x(start + width));
		let y = top;
		for (const [name, fill] of [['wait', hatch(c)]].concat(categoryOrder.slice().reverse().map(k => [k, categoryColor(k)]))) {
			let ns = bin[name] || 0;
			if (name === 'communication' || name === 'synchronization') {
				const waited = Math.min(ns, bin.waitLeft === undefined ? bin.wait : bin.waitLeft);
				bin.waitLeft = (bin.waitLeft === undefined ? bin.wait : bin.waitLeft) - waited;
				ns -= waited;
			}
			const h = tall * ns / whole;
			c.fillStyle = fill;
			c.fillRect(left, y, Math.max(0.7, right - left), h);
			y += h;
		}
	}
}

function drawOverview(c, width, height) {
	const scale = overviewScale(width), top = 14;
	drawOverviewRun(c, scale, top);
	drawOverviewMarkers(c, scale);
	const a = scale.x(state.from), b = scale.x(state.until), bottom = height - 18;
	c.globalAlpha = 0.55;
	c.fillStyle = color('--page');
	c.fillRect(scale.left, top - 1, Math.max(0, a - scale.left), bottom - top + 1);
	c.fillRect(b, top - 1, Math.max(0, scale.right - b), bottom - top + 1);
	c.globalAlpha = 1;
	c.strokeStyle = color('--ink');
	c.lineWidth = 1.5;
	c.strokeRect(a, top - 2, Math.max(2, b - a), bottom - top + 3);
	drawOverviewLabels(c, scale, height, top);
}

function drawOverviewMarkers(c, scale) {
	const finding = shownFinding();
	if (!finding) return;
	c.strokeStyle = c.fillStyle = color('--cause');
	let far = -Infinity;
	finding.instances.slice(0, 2000).forEach((one, i) => {
		const x = scale.x(one.cause_ns === null ? one.end_ns : one.cause_ns);
		if (i !== state.instance && Math.abs(x - far) < 4) return;
		far = x;
		c.beginPath();
		c.moveTo(x - 4, 2);
		c.lineTo(x + 4, 2);
		c.lineTo(x, 9);
		c.closePath();
		if (i === state.instance) c.fill();
		c.lineWidth = 1;
		c.stroke();
	});
	c.font = font(11);
	c.textAlign = 'left';
	c.textBaseline = 'middle';
	c.fillText('finding ' + finding.number, 0, 6);
}

function drawOverviewLabels(c, scale, height, top) {
	c.font = font(11);
	c.fillStyle = color('--second');
	c.textBaseline = 'middle';
	c.textAlign = 'left';
	c.fillText('whole run', 0, (top + height - 18) / 2);
	c.textAlign = 'center';
	c.textBaseline = 'alphabetic';
	for (const tick of d3.scaleLinear().domain([run.from / 1e9, run.until / 1e9]).ticks(6))
		c.fillText(tick + ' s', Math.max(scale.left + 8, Math.min(scale.right - 12, scale.x(tick * 1e9))), height - 4);
	c.textAlign = 'left';
}

/* Click: the window's middle; drag: its ends. */
function buildOverview() {
	overview.picture = makeCanvas('overview of the whole run', overviewHeight, drawOverview);
	const canvas = overview.picture.node;
	canvas.tabIndex = -1; /* keys move the window, too */
	let start = null;
	d3.select(canvas).call(d3.drag().container(function () { return this; })
		.on('start', () => { start = d3.event.x; })
		.on('drag', () => {
			const scale = overviewScale(canvas.clientWidth);
			if (Math.abs(d3.event.x - start) > 4) showWindow(...[scale.ns(start), scale.ns(d3.event.x)].sort((a, b) => a - b));
		}));
	canvas.addEventListener('click', event => {
		const scale = overviewScale(canvas.clientWidth), ns = scale.ns(d3.clientPoint(canvas, event)[0]), half = (state.until - state.from) / 2;
		if (!event.defaultPrevented) showWindow(ns - half, ns + half, true);
	});
	onState(['from', 'until', 'finding', 'instance', 'findingsRead', 'theme', 'callsRead', 'waits', 'color'], () => overview.picture.draw());
	return canvas;
}
