/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends to whom; the section of efficiency, matrix and histograms. */

moreSections.push({id: 'messages', title: 'Messages', build: buildMessages});

const matrixNumbers = 16; /* rows with numbers in the cells */
const matrixCells = 256;  /* rows at most: more are grouped */

/* A process by thread: the first thread of its rank. */
function processIds() {
	if (!run.processIds) run.processIds = listProcessIds();
	return run.processIds;
}

function listProcessIds() {
	const key = t => t.rank + '@' + (t.model || '').split('+')[0]; /* that of the rank */
	const first = new Map(run.threads.filter(t => t.number === 0).map(t => [key(t), t.id]));
	return new Map(run.threads.map(t => [t.id, first.has(key(t)) ? first.get(key(t)) : t.id]));
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

/* Lines between hosts, where there is room between them. */
function drawHostEdges(c, m, g) {
	if (m.edges.length * 6 > m.n * g.cell) return;
	c.fillStyle = color('--rule');
	for (const edge of m.edges) {
		c.fillRect(g.left + edge * g.cell - .5, g.top, 1, m.n * g.tall);
		c.fillRect(g.left, g.top + edge * g.tall - .5, m.n * g.cell, 1);
	}
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
		drawHostEdges(c, m, g);
	}
	drawMatrixEdges(c, m, g, sends, receives, kind === 'waiting' ? ['waited for', 'wait'] : ['sends', 'receives']);
}

/* Names and sums at the edges. */
function drawMatrixEdges(c, m, g, sends, receives, words) {
	const step = g.numbers ? 1 : Math.ceil(18 / g.cell), most = Math.max(...sends, ...receives, 1), right = g.left + m.n * g.cell + 8, bottom = g.top + m.n * g.tall + 6;
	let far = -Infinity;
	c.fillStyle = color('--second');
	for (let i = 0; i < m.n; i += step) {
		c.textAlign = 'right';
		c.fillText(fitText(c, (g.numbers ? m.word : '') + m.names[i], g.left - 10), g.left - 8, g.top + (i + .5) * g.tall);
		c.textAlign = 'center';
		const name = g.numbers ? fitText(c, m.names[i], g.cell - 4) : m.names[i], at = g.left + (i + .5) * g.cell, half = c.measureText(name).width / 2;
		if (at - half < far) continue;
		c.fillText(name, at, g.top - 10);
		far = at + half + (g.numbers ? 0 : 12);
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

/* What the tables of the whole run lack, when they are what is drawn: {pairs, waits}, each as restOf() or null. */
async function matrixRest(sums) {
	if (sums && sums.exact) return {pairs: null, waits: null};
	return {pairs: restOf('traffic', await loadChunk('traffic'), {bytes: 'bytes', calls: 'operations'}), waits: restOf('wait_totals', run.waitTotals, {ns: 'time_ns'})};
}

function makeMatrixRest({pairs, waits}, kind) {
	return makeRest([kind === 'waiting' ? waits && restText(waits, 'sums of waiting by line, ' + run.word + ' and cause', [formatTime(waits.ns)])
		: pairs && restText(pairs, 'pairs and directions', [formatBytes(pairs.bytes) + ' in ' + formatCount(pairs.calls) + ' messages and accesses'])]);
}

/* The matrix of section node, which has the numbers as node.matrix. */
function buildMatrix(node) {
	let kind = 'bytes', by = 'ranks', asked = 0;
	const about = make('span', {class: 'sub'}), none = make('p', {class: 'sub', hidden: true}), lacks = make('div');
	const picture = makeCanvas('who sends to whom', width => {
		const g = matrixGeometry(node.matrix, width);
		return g.top + node.matrix.n * g.tall + 36;
	}, (c, w) => drawMatrix(c, w, node.matrix, kind));
	const choose = makeChoice('amounts', matrixKinds.filter(([k]) => k !== 'waiting' || !isProfile()), kind, value => {
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
		matrix.rest = await matrixRest(sums);
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
		replaceChildren(lacks, node.matrix.rest ? makeMatrixRest(node.matrix.rest, kind) : null);
		picture.draw();
	};
	picture.node.addEventListener('mousemove', event => {
		const m = node.matrix, g = matrixGeometry(m, picture.node.clientWidth), b = Math.floor((event.offsetX - g.left) / g.cell), a = Math.floor((event.offsetY - g.top) / g.tall);
		line.textContent = a < 0 || b < 0 || a >= m.n || b >= m.n ? '' : matrixLine(m, a, b);
	});
	onState(['theme'], () => picture.draw());
	followChoice(read);
	return make('div', {}, make('div', {class: 'head'}, make('h2', {}, 'Who sends to whom'), choose, rows, about), picture.node, line, none, lacks);
}


function matrixTable(matrix) {
	const rows = [], {pairs, waits} = matrix.rest || {};
	if (pairs || waits) rows.push(['the rest', 'in the database', pairs ? pairs.bytes : 0, pairs ? pairs.calls : 0, waits ? Math.round(waits.ns) : 0]);
	for (let a = 0; a < matrix.n; a++)
		for (let b = 0; b < matrix.n; b++)
			if (matrix.messages[a * matrix.n + b] || matrix.waiting[a * matrix.n + b])
				rows.push([matrix.names[a], matrix.names[b], matrix.bytes[a * matrix.n + b], matrix.messages[a * matrix.n + b], Math.round(matrix.waiting[a * matrix.n + b])]);
	return {columns: ['from', 'to', 'bytes', 'messages', 'waiting ns'], rows};
}

async function buildMessages(node) {
	const [matrix, sizes, durations] = await Promise.all([readMatrix(null, 'ranks'), readSizes(), loadChunk('durations', true)]);
	node.matrix = matrix;
	append(node, [makeChips('whole run'), make('div', {class: 'two'}, buildEfficiency(), run.threads.length < 2 ? null : buildMatrix(node)),
		make('div', {class: 'two'}, buildSizes(sizes), buildDurations(durations.head.list || []))]);
	node.tableOf = () => matrixTable(node.matrix);
}
