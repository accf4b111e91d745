/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Efficiency, who sends to whom, message sizes and durations. */

moreSections.push({id: 'messages', title: 'Messages', build: buildMessages});

/* --- efficiency: losses as steps down from elapsed time to mean computation ------ */

/* Steps: [name, what, ns]; the first and the last are what is left. */
function efficiencySteps() {
	const rows = run.report.pop ? run.report.pop.rows : [], get = name => rows.find(r => r.efficiency === name);
	const parallel = get('parallel'), balance = get('load balance'), communication = get('communication');
	const serialization = get('serialization'), transfer = get('transfer');
	if (!parallel || parallel.part_ns === null) return [];
	const share = r => r && r.percent_ratio !== null ? ' · ' + r.efficiency + ' ' + formatShare(r.percent_ratio) : '';
	const elapsed = parallel.of_ns, mean = parallel.part_ns, most = balance && balance.of_ns !== null ? balance.of_ns : mean, steps = [];
	steps.push({name: 'what the ' + run.words + ' could compute', about: 'without start and end', from: 0, ns: elapsed, kind: 'whole'});
	if (transfer && serialization && transfer.part_ns !== null) {
		const ideal = transfer.part_ns;
		steps.push({name: 'lost in the network', about: share(transfer), from: ideal, ns: elapsed - ideal, kind: 'communication'});
		steps.push({name: 'lost waiting for one another', about: share(serialization), from: most, ns: ideal - most, kind: 'waiting'});
	} else if (communication) {
		steps.push({name: 'lost communicating and waiting', about: share(communication), from: most, ns: elapsed - most, kind: 'waiting'});
	}
	steps.push({name: 'lost to uneven work', about: share(balance), from: mean, ns: most - mean, kind: 'runtime'});
	steps.push({name: 'used: mean computation', about: ' · parallel efficiency ' + formatShare(parallel.percent_ratio), from: 0, ns: mean, kind: 'computation'});
	return steps;
}

function drawEfficiency(c, width, height, steps) {
	const most = Math.max(...steps.map(s => s.from + s.ns)), barRoom = Math.min(260, width * 0.42), x = ns => ns / most * barRoom, pitch = height / steps.length;
	c.textBaseline = 'middle';
	steps.forEach((step, i) => {
		const y = i * pitch + 4, tall = Math.min(18, pitch - 14);
		c.fillStyle = step.kind === 'waiting' ? hatch(c) : step.kind === 'whole' ? color('--rule') : categoryColor(step.kind);
		c.fillRect(x(step.from), y, Math.max(1, x(step.ns)), tall);
		c.setLineDash([2, 2]);
		c.strokeStyle = color('--third');
		c.lineWidth = 1;
		c.beginPath();
		const edge = i + 1 < steps.length - 1 ? x(step.from + (i ? 0 : step.ns)) : x(step.from);
		if (i + 1 < steps.length) {
			c.moveTo(edge, y + tall);
			c.lineTo(edge, y + pitch);
		}
		c.stroke();
		c.setLineDash([]);
		c.font = font(12, i + 1 === steps.length ? 600 : 400);
		c.fillStyle = color('--ink');
		c.fillText(step.name, barRoom + 16, y + 4);
		c.font = font(11);
		c.fillStyle = color('--second');
		c.fillText((step.kind === 'whole' || step.kind === 'computation' ? '' : '−') + formatTime(step.ns) + (step.kind === 'whole' ? ' · ' : '') + step.about,
			barRoom + 16, y + 19);
	});
}

function buildEfficiency() {
	const steps = efficiencySteps();
	if (!steps.length) return null;
	const picture = makeCanvas('efficiency, step by step', steps.length * 38, (c, w, h) => drawEfficiency(c, w, h, steps));
	onState(['theme'], () => picture.draw());
	return make('div', {}, make('div', {class: 'head'}, make('h2', {}, 'Efficiency'), make('span', {class: 'sub'}, 'of one ' + run.word + '’s mean time, step by step')),
		picture.node);
}

/* --- who sends to whom --------------------------------------------------------------- */

const matrixNumbers = 16; /* rows with numbers in the cells */
const matrixCells = 256;  /* rows at most: more are grouped */

/* A process: the first thread of a thread's rank. */
function processIds() {
	const first = new Map(run.threads.filter(t => t.number === 0).map(t => [t.rank + '@' + t.model, t.id]));
	return new Map(run.threads.map(t => [t.id, first.has(t.rank + '@' + t.model) ? first.get(t.rank + '@' + t.model) : t.id]));
}

/*
 * Rows of a matrix: {n, names, word (before a name), group (processes a row), edges (where another host begins), of: row by
 * thread.id}. Processes beyond matrixNumbers are ordered by host first, and grouped by equal ranges beyond matrixCells.
 */
function matrixRows(by) {
	if (by === 'hosts')
		return {n: run.hosts.length, names: run.hosts.map(h => h || '?'), word: '', group: 1, edges: [],
			of: new Map(run.threads.map(t => [t.id, run.hosts.indexOf(t.host || '')]))};
	const processes = run.threads.filter(t => t.number === 0), host = t => run.hosts.indexOf(t.host || ''), ofProcess = processIds();
	const byHost = run.hosts.length > 1 && processes.length > matrixNumbers;
	if (byHost) processes.sort((a, b) => host(a) - host(b) || a.row - b.row);
	const group = Math.ceil(processes.length / matrixCells), n = Math.ceil(processes.length / group), at = new Map(processes.map((t, i) => [t.id, Math.floor(i / group)]));
	const edges = byHost ? processes.map((t, i) => i && host(t) !== host(processes[i - 1]) ? i / group : 0).filter(Boolean) : [];
	return {n, group, edges, word: run.word + ' ', of: new Map(run.threads.map(t => [t.id, at.get(ofProcess.get(t.id))])),
		names: Array.from({length: n}, (_, i) => group === 1 ? processes[i].short : processes[i * group].short + '–')};
}

/* Traffic and waiting of the whole run, or of the chosen threads in it: {initiator, owner, bytes, messages} and {cause, victim, ns}. */
async function readTraffic(sums) {
	if (sums && sums.exact) return {traffic: Array.from(sums.traffic.values(), m => ({initiator: m.sender, owner: m.receiver, bytes: m.bytes, messages: m.messages})),
		waits: Array.from(sums.pairs.values())};
	const table = await loadChunk('traffic'), w = run.waitTotals, ids = new Set(sums ? sums.threads.map(t => t.id) : []), process = processIds();
	const chosen = new Set(Array.from(ids, id => process.get(id)));
	return {traffic: table.rows().map(row => ({initiator: row.initiator, owner: row.owner, bytes: row.bytes, messages: row.operations}))
		.filter(row => !sums || chosen.has(row.initiator) || chosen.has(row.owner)),
	waits: Array.from({length: w.n}, (_, i) => ({cause: w.get('cause_thread_id', i), victim: w.get('thread_id', i), ns: w.column('time_ns')[i]}))
		.filter(row => !sums || ids.has(row.victim))};
}

/* A matrix: matrixRows() with bytes, messages, waiting: arrays of n x n numbers. */
async function readMatrix(sums, by) {
	const matrix = matrixRows(by), {n, of} = matrix, {traffic, waits} = await readTraffic(sums);
	Object.assign(matrix, {bytes: new Float64Array(n * n), messages: new Float64Array(n * n), waiting: new Float64Array(n * n)});
	for (const row of traffic) {
		const a = of.get(row.initiator), b = of.get(row.owner);
		if (a === undefined || b === undefined) continue;
		matrix.bytes[a * n + b] += row.bytes;
		matrix.messages[a * n + b] += row.messages;
	}
	for (const row of waits) { /* from the late one to the one that waits */
		const a = of.get(row.cause), b = of.get(row.victim);
		if (a !== undefined && b !== undefined) matrix.waiting[a * n + b] += row.ns;
	}
	return matrix;
}

const matrixKinds = [['bytes', 'bytes', formatBytes], ['messages', 'messages', formatCount], ['waiting', 'waiting', formatTime]];

function shortAmount(kind, value) {
	if (!value) return '';
	return kind === 'bytes' ? formatBytes(value).replace('iB', '').replace(' B', '').replace(/^[\d.]+/, n => n < 9.95 ? Math.round(10 * n) / 10 : Math.round(n)) : kind === 'messages' ? formatCount(value)
		: formatTime(value);
}

function matrixGeometry(m, width) {
	const numbers = m.n <= matrixNumbers, left = 72, right = 84;
	const cell = numbers ? Math.min(58, Math.max(22, Math.floor((width - left - right) / m.n))) : Math.max(1, Math.min(17, Math.floor(Math.min(420, width - left - right) / m.n)));
	return {numbers, left, top: 22, cell, tall: numbers ? Math.min(34, cell) : cell};
}

function drawMatrix(c, width, m, kind) {
	const g = matrixGeometry(m, width), values = m[kind], most = values.reduce((a, b) => Math.max(a, b), 0) || 1, gap = g.numbers ? 2 : 0;
	const level = v => v <= 0 ? 0 : Math.max(1, Math.min(4, Math.ceil(4 * Math.sqrt(v / most))));
	c.font = font(11);
	c.textBaseline = 'middle';
	const sends = new Float64Array(m.n), receives = new Float64Array(m.n);
	for (let a = 0; a < m.n; a++)
		for (let b = 0; b < m.n; b++) {
			const v = values[a * m.n + b], x = g.left + b * g.cell, y = g.top + a * g.tall;
			sends[a] += v;
			receives[b] += v;
			if (!v && !g.numbers) continue;
			c.fillStyle = a === b && !v ? color('--page') : color('--amount-' + level(v));
			c.fillRect(x, y, g.cell - gap, g.tall - gap);
			const text = g.numbers ? shortAmount(kind, v) : '';
			if (!text || c.measureText(text).width > g.cell - 4) continue;
			c.fillStyle = level(v) >= 3 ? (isDark() ? '#11161B' : '#FFFFFF') : color('--ink');
			c.textAlign = 'center';
			c.fillText(text, x + (g.cell - gap) / 2, y + g.tall / 2);
		}
	if (!g.numbers) {
		c.strokeStyle = color('--rule');
		c.strokeRect(g.left - .5, g.top - .5, m.n * g.cell + 1, m.n * g.tall + 1);
		c.fillStyle = color('--third');
		for (const edge of m.edges) { /* between hosts */
			c.fillRect(g.left + edge * g.cell - .5, g.top, 1, m.n * g.tall);
			c.fillRect(g.left, g.top + edge * g.tall - .5, m.n * g.cell, 1);
		}
	}
	drawMatrixEdges(c, m, g, sends, receives, kind === 'waiting' ? ['waited for', 'wait'] : ['sends', 'receives']);
}

/* Names and sums at the edges. */
function drawMatrixEdges(c, m, g, sends, receives, words) {
	const step = g.numbers ? 1 : Math.ceil(18 / g.cell), most = Math.max(...sends, ...receives, 1), right = g.left + m.n * g.cell + 8, bottom = g.top + m.n * g.tall + 6;
	c.fillStyle = color('--second');
	for (let i = 0; i < m.n; i += step) {
		c.textAlign = 'right';
		c.fillText(fitText(c, (g.numbers ? m.word : '') + m.names[i], g.left - 10), g.left - 8, g.top + (i + .5) * g.tall);
		c.textAlign = 'center';
		if (g.numbers || i % (2 * step) === 0) c.fillText(g.numbers ? fitText(c, m.names[i], g.cell - 4) : m.names[i], g.left + (i + .5) * g.cell, g.top - 10);
	}
	c.fillStyle = color('--amount-3');
	for (let i = 0; i < m.n; i++) {
		c.fillRect(right, g.top + i * g.tall + (g.numbers ? 6 : 0), 56 * sends[i] / most, Math.max(1, g.tall - (g.numbers ? 14 : 0)));
		c.fillRect(g.left + i * g.cell, bottom, Math.max(1, g.cell - 2), 24 * receives[i] / most);
	}
	c.fillStyle = color('--second');
	c.textAlign = 'left';
	c.fillText(words[0], right, g.top - 10);
	c.textAlign = 'right';
	c.fillText(words[1], g.left - 8, bottom + 6);
}

function matrixLine(m, a, b) {
	return m.word + m.names[a] + ' to ' + m.names[b] + ': ' +
		matrixKinds.map(([k, name, format]) => format(m[k][a * m.n + b]) + (k === 'messages' ? ' messages' : k === 'waiting' ? ' of waiting' : '')).join(', ');
}

function matrixAbout(m, sums) {
	const parts = [m.group > 1 ? 'a cell: ' + m.group + ' by ' + m.group + ' ' + run.words : '', m.edges.length ? 'in the order of hosts' : ''].filter(Boolean);
	return parts.join(', ') + choiceText(sums, !sums || sums.exact || !state.interval).replace(/^ · /, parts.length ? ' · ' : '');
}

/* The matrix of section node, which has the numbers as node.matrix. */
function buildMatrix(node) {
	let kind = 'bytes', by = 'ranks', asked = 0;
	const about = make('span', {class: 'sub'}), none = make('p', {class: 'sub', hidden: true});
	const picture = makeCanvas('who sends to whom', width => {
		const g = matrixGeometry(node.matrix, width);
		return g.top + node.matrix.n * g.tall + 36;
	}, (c, w) => drawMatrix(c, w, node.matrix, kind));
	const choose = makeChoice('amounts', matrixKinds, kind, value => {
		kind = value;
		pressChoice(choose, kind);
		show();
	}), line = make('p', {class: 'hover'});
	const rows = run.hosts.length < 2 ? null : makeChoice('rows', [['ranks', run.words], ['hosts', 'hosts']], by, value => {
		by = value;
		pressChoice(rows, by);
		read(choice.sums);
	});
	const read = async sums => {
		const number = ++asked, matrix = await readMatrix(sums, by);
		if (number !== asked) return;
		node.matrix = matrix;
		about.textContent = matrixAbout(matrix, sums);
		show();
	};
	const show = () => {
		picture.node.hidden = line.hidden = !node.matrix[kind].some(v => v > 0);
		none.hidden = !picture.node.hidden;
		none.textContent = (kind === 'waiting' ? 'No waiting with a known cause' : kind === 'bytes' && node.matrix.messages.some(v => v > 0) ? 'Messages without data' : 'No messages') +
			(isChosen() ? ' in it' : '') + ': nothing to draw.';
		picture.draw();
	};
	picture.node.addEventListener('mousemove', event => {
		const m = node.matrix, g = matrixGeometry(m, picture.node.clientWidth), b = Math.floor((event.offsetX - g.left) / g.cell), a = Math.floor((event.offsetY - g.top) / g.tall);
		line.textContent = a < 0 || b < 0 || a >= m.n || b >= m.n ? '' : matrixLine(m, a, b);
	});
	onState(['theme'], () => picture.draw());
	followChoice(read);
	return make('div', {}, make('div', {class: 'head'}, make('h2', {}, 'Who sends to whom'), choose, rows, about), makeChips('whole run'), picture.node, line, none);
}

/* --- histograms ------------------------------------------------------------------------ */

/* Bars over powers of two: list of {at (log2), parts: [[fill, value]]}; text(at) names a bar. */
function drawHistogram(c, width, height, list, text) {
	if (!list.length) return;
	const first = list[0].at, last = list[list.length - 1].at, pitch = Math.min(46, width / (last - first + 1)), room = height - 36;
	const sum = bar => bar.parts.reduce((a, p) => a + p[1], 0), most = Math.max(...list.map(sum)), scale = v => room * Math.log1p(v) / Math.log1p(most);
	c.font = font(11);
	c.textAlign = 'center';
	c.textBaseline = 'alphabetic';
	let far = -Infinity;
	for (const bar of list) {
		const x = (bar.at - first) * pitch, all = sum(bar), tall = Math.max(1, scale(all));
		let y = height - 18 - tall;
		c.fillStyle = color('--ink');
		const number = formatCount(all);
		if (c.measureText(number).width < pitch + 4) c.fillText(number, x + pitch / 2, y - 4);
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

async function readSizes() {
	const sizes = await loadChunk('sizes'), bars = new Map();
	for (let i = 0; i < sizes.n; i++) {
		const bytes = sizes.column('from_bytes')[i], at = bytes ? Math.round(Math.log2(bytes)) + 1 : 0, collective = sizes.get('direction', i) === 'collective' ? 1 : 0;
		if (!bars.has(at)) bars.set(at, {at, parts: [['--amount-3', 0], ['--amount-1', 0]]});
		bars.get(at).parts[collective][1] += sizes.column('operations')[i];
	}
	return Array.from(bars.values()).sort((a, b) => a.at - b.at);
}

/* Calls of the chosen line, or of all, by the logarithm of their duration; hatched: the share of their time that is waiting. */
function readDurations(list) {
	const bars = new Map();
	for (const [source, log, count, ns, wait] of list) {
		const about = run.sources.get(source);
		if (!about || !runtimeCategories.has(about.category) || (state.source !== null && source !== state.source)) continue;
		if (!bars.has(log)) bars.set(log, {at: log, parts: [['hatch', 0], ['--amount-3', 0]]});
		const waiting = ns ? Math.min(1, wait / ns) * count : 0;
		bars.get(log).parts[0][1] += waiting;
		bars.get(log).parts[1][1] += count - waiting;
	}
	return Array.from(bars.values()).sort((a, b) => a.at - b.at);
}

function buildHistograms(sizes, durations) {
	const sizePicture = makeCanvas('message sizes', 150, (c, w, h) => drawHistogram(c, w, h, sizes, at => at ? formatPower(2 ** (at - 1)) : '0'));
	const timePicture = makeCanvas('durations of calls', 150, (c, w, h) => drawHistogram(c, w, h, readDurations(durations), at => formatRough(at ? 2 ** (at - 1) : 0)));
	onState(['theme', 'source'], () => {
		sizePicture.draw();
		timePicture.draw();
	});
	return make('div', {class: 'two'}, make('div', {}, make('div', {class: 'head'}, make('h2', {}, 'Message sizes'),
		make('span', {class: 'sub'}, 'number of messages and accesses, light: collective; log scale')), sizes.length ? sizePicture.node : make('p', {class: 'sub'}, 'No messages: nothing to draw.')),
	make('div', {}, make('div', {class: 'head'}, make('h2', {}, 'How long calls took'), make('span', {class: 'sub'}, 'number of calls, hatched: waiting; log scale')),
		timePicture.node));
}

async function buildMessages(node) {
	const [matrix, sizes, durations] = await Promise.all([readMatrix(null, 'ranks'), readSizes(), loadChunk('durations', true)]);
	node.matrix = matrix;
	append(node, [make('div', {class: 'two'}, buildEfficiency(), run.threads.length < 2 ? null : buildMatrix(node)),
	buildHistograms(sizes, durations.head.list || [])]);
	node.tableOf = () => {
		const rows = [], matrix = node.matrix;
		for (let a = 0; a < matrix.n; a++)
			for (let b = 0; b < matrix.n; b++)
				if (matrix.messages[a * matrix.n + b] || matrix.waiting[a * matrix.n + b])
					rows.push([matrix.names[a], matrix.names[b], matrix.bytes[a * matrix.n + b], matrix.messages[a * matrix.n + b], Math.round(matrix.waiting[a * matrix.n + b])]);
		return {columns: ['from', 'to', 'bytes', 'messages', 'waiting ns'], rows};
	};
}
