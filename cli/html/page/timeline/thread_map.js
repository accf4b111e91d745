/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every thread as a cell, in the order of ranks, row by row: by computing, waiting or blame. */

const threadMap = {by: 'computing', values: {}, picture: null, hover: null};

/* Sums by thread.row that pictures of many threads need: waiting of each, for each, on the path, computing. */
async function loadThreadSums() {
	const [waits, path, categories] = await loadChunks(['thread_waits', 'thread_path', 'categories']);
	const n = run.threads.length, of = (table, i) => run.threadById.get(table.column('thread_id')[i]);
	Object.assign(run, {waited: new Float64Array(n), blamed: new Float64Array(n), caused: new Float64Array(n), onPath: new Float64Array(n),
		computing: new Float64Array(n), categoryTable: categories, blamedSum: 0});
	for (let i = 0; i < waits.n; i++) {
		const thread = of(waits, i);
		if (!thread) continue;
		run.waited[thread.row] = waits.column('waited_ns')[i] * !waits.isNull('waited_ns', i);
		run.blamed[thread.row] = waits.column('blamed_ns')[i] * !waits.isNull('blamed_ns', i);
		run.caused[thread.row] = waits.column('caused')[i] * !waits.isNull('caused', i);
	}
	run.blamedSum = run.waited.reduce((a, b) => a + b, 0);
	for (let i = 0; i < path.n; i++) if (of(path, i)) run.onPath[of(path, i).row] = path.column('time_ns')[i];
	for (let i = 0; i < categories.n; i++)
		if (categories.get('category', i) === 'computation' && of(categories, i)) run.computing[of(categories, i).row] = categories.column('time_ns')[i];
}

function threadMapValues() {
	return {computing: run.computing, waits: run.waited, blamed: run.blamed}[threadMap.by];
}

function threadMapShape(width) {
	const columns = Math.ceil(Math.sqrt(run.threads.length)), cell = width / columns;
	return {columns, cell, lines: Math.ceil(run.threads.length / columns)};
}

function drawThreadRing(c, shape, thread, stroke, label) {
	const x = (thread.row % shape.columns + .5) * shape.cell, y = (Math.floor(thread.row / shape.columns) + .5) * shape.cell;
	c.strokeStyle = stroke;
	c.lineWidth = 2;
	c.beginPath();
	c.arc(x, y, Math.max(6, shape.cell), 0, 2 * Math.PI);
	c.stroke();
	if (!label) return;
	c.font = font(11, 600);
	c.textBaseline = 'middle';
	const width = c.measureText(label).width, left = x + 12 + width > shape.cell * shape.columns ? x - 14 - width : x + 12;
	c.fillStyle = color('--panel');
	c.fillRect(left - 3, y - 8, width + 6, 16);
	c.fillStyle = stroke;
	c.fillText(label, left, y + .5);
}

/* The cells, a pixel each. */
function threadMapCells(values, shape, low, high) {
	const canvas = document.createElement('canvas'), scale = high > low ? 1 / (high - low) : 0;
	canvas.width = shape.columns;
	canvas.height = shape.lines;
	const c = canvas.getContext('2d'), image = c.createImageData(shape.columns, shape.lines);
	const fills = [0, 1, 2, 3, 4].map(i => d3.rgb(amountColor(i / 5 + .01)));
	for (let i = 0; i < values.length; i++) {
		const {r, g, b} = fills[Math.min(4, Math.floor(5 * (values[i] - low) * scale))];
		image.data.set([r, g, b, 255], 4 * i);
	}
	c.putImageData(image, 0, 0);
	return canvas;
}

function drawThreadMap(c, width) {
	const values = threadMapValues(), shape = threadMapShape(width);
	const low = threadMap.by === 'computing' ? values.reduce((a, b) => Math.min(a, b), Infinity) : 0, high = values.reduce((a, b) => Math.max(a, b), 0);
	c.imageSmoothingEnabled = false;
	c.drawImage(threadMapCells(values, shape, low, high), 0, 0, shape.columns * shape.cell, shape.lines * shape.cell);
	const bottom = shape.lines * shape.cell + 16, scale = [0, 1, 2, 3, 4];
	c.font = font(11);
	c.textBaseline = 'middle';
	c.fillStyle = color('--second');
	c.fillText(formatTime(low), 0, bottom);
	scale.forEach(i => {
		c.fillStyle = color('--amount-' + i);
		c.fillRect(74 + 22 * i, bottom - 5, 22, 10);
	});
	c.fillStyle = color('--second');
	c.fillText(formatTime(high) + ' ' + {computing: 'computing', waits: 'waiting', blamed: 'of others’ waiting'}[threadMap.by], 192, bottom);
	for (const thread of listCulprits().slice(0, 3)) drawThreadRing(c, shape, thread, color('--cause'), thread.name);
	if (state.thread !== null && run.threadById.has(state.thread)) drawThreadRing(c, shape, run.threadById.get(state.thread), color('--ink'), '');
}

function threadAt(event) {
	const canvas = threadMap.picture.node, [x, y] = d3.clientPoint(canvas, event), shape = threadMapShape(canvas.clientWidth);
	const column = Math.floor(x / shape.cell), row = Math.floor(y / shape.cell) * shape.columns + column;
	return column < shape.columns ? run.threads[row] || null : null;
}

function buildThreadMap(node) {
	threadMap.picture = makeCanvas('every ' + run.word + ' as a cell', width => threadMapShape(width).lines * threadMapShape(width).cell + 26,
		drawThreadMap);
	const line = make('p', {class: 'hover'}), canvas = threadMap.picture.node;
	const choice = makeChoice('cells by', [['computing', 'computing'], ['waits', 'waits'], ['blamed', 'blamed']], threadMap.by, value => {
		threadMap.by = value;
		pressChoice(choice, value);
		threadMap.picture.draw();
	});
	canvas.addEventListener('click', event => {
		const thread = threadAt(event);
		if (thread) setState({event: null, thread: thread.id});
	});
	canvas.addEventListener('mousemove', event => {
		const thread = threadAt(event);
		line.textContent = thread ? thread.name + (thread.host ? ' on ' + thread.host : '') + ': ' + formatTime(threadMapValues()[thread.row]) : '';
	});
	append(node, [make('div', {class: 'head'}, make('h3', {}, 'Every ' + run.word), make('span', {class: 'space'}), choice), canvas, line]);
	node.tableOf = () => ({columns: [run.word, 'host', 'computing', 'waiting', 'blamed for'], rows: run.threads.map(t =>
		[t.name, t.host, formatTime(run.computing[t.row]), formatTime(run.waited[t.row]), formatTime(run.blamed[t.row])])});
	onState(['thread', 'theme', 'repaint'], () => threadMap.picture.draw());
}
