/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Balance: each line's time on every thread, by thread and by value; imbalance as in gaspdb analyze load-imbalance. */

moreSections.push({id: 'balance', title: 'Balance', build: buildBalance});

const balanceLines = 12, balancePitch = 26;
const balance = {lines: [], others: null, threads: [], order: 'value', picture: null};

/* (most - mean) / most x n / (n - 1): 0: all have the same; 1: one thread has it all. */
function imbalanceOf(values) {
	const most = values.reduce((a, b) => Math.max(a, b), 0), mean = values.reduce((a, b) => a + b, 0) / values.length;
	return most > 0 && values.length > 1 ? (most - mean) / most * values.length / (values.length - 1) : 0;
}

/* The whole run: {values, waits} by source, computing by row. */
async function readWholeLines() {
	const table = await loadChunk('balance'), lines = new Map();
	for (let i = 0; i < table.n; i++) {
		const thread = run.threadById.get(table.column('thread_id')[i]);
		if (!thread) continue;
		const line = lineOf(lines, table.column('source_id')[i]);
		line.values[thread.row] += table.get('self_ns', i) || 0;
		line.waits[thread.row] += table.get('wait_ns', i) || 0;
	}
	return lines;
}

function wholeComputing() {
	const values = new Float64Array(run.threads.length);
	for (let i = 0, c = run.categoryTable; i < c.n; i++)
		if (c.get('category', i) === 'computation' && run.threadById.has(c.column('thread_id')[i]))
			values[run.threadById.get(c.column('thread_id')[i]).row] += c.column('time_ns')[i];
	return values;
}

const processorText = 'computing here contains time without a processor';

/* Time without a processor is not computing; of which interval it is, is not known. */
function lackedProcessor() {
	for (let i = 0, c = run.categoryTable; i < c.n; i++) if (c.get('category', i) === 'no processor') return true;
	return false;
}

/*
 * Lines of what is chosen: {name, place, source (null: computing), values, waits (by number in balance.threads)}; computing
 * first, then by what most exceeds the mean.
 */
function listLines(sums, whole) {
	const rows = balance.threads.map(t => t.row), pick = values => Float64Array.from(rows, row => values[row]);
	const computing = sums && state.interval ? computingOf(sums) : wholeComputing();
	const lines = Array.from((sums ? sums.lines : whole).values()).filter(line => run.sources.has(line.source)).map(line => {
		const source = run.sources.get(line.source);
		return {name: source.type === 'function' && source.function ? source.function + '()' : source.operation, place: source.location || '', source: source.id,
			values: pick(line.values), waits: pick(line.waits)};
	});
	const above = line => line.values.reduce((a, b) => Math.max(a, b), 0) - line.values.reduce((a, b) => a + b, 0) / rows.length;
	const some = lines.filter(line => line.values.some(v => v > 0)).sort((a, b) => above(b) - above(a)), shown = some.slice(0, balanceLines - 1);
	balance.others = sums && !sums.exact ? null : otherLines(shown, sums ? some : null);
	return [{name: 'computing', place: '', source: null, values: pick(computing), waits: new Float64Array(rows.length)}].concat(shown);
}

/* Lines that are not shown, of these or of the whole run: {shown, n, ns}; null: there are none. */
function otherLines(shown, all) {
	const sum = lines => lines.reduce((total, line) => total + line.values.reduce((a, b) => a + b, 0), 0), whole = run.wholes.get('balance');
	const n = all ? all.length : whole ? whole.n : 0, ns = all ? sum(all) : whole ? whole.ns : 0;
	return n > shown.length && shown.length && ns - sum(shown) >= 1 ? {shown: shown.length, n, ns: Math.max(0, ns - sum(shown))} : null;
}

function makeOtherLines(sums) {
	const others = balance.others;
	return makeRest([sums && state.interval && lackedProcessor() && processorText, binnedLinesText(sums), others && 'the ' + formatCount(others.shown) + ' most uneven of ' + formatCount(others.n) + ' lines; the others take ' + formatTime(others.ns)]);
}

/* Cells of the strip: a thread each up to 64, else quantiles of the sorted values: the first and last are real threads. */
function stripOf(values) {
	const list = Array.from(values, (value, row) => ({value, row}));
	if (list.length <= 64) return list;
	list.sort((a, b) => a.value - b.value);
	return Array.from({length: 64}, (_, i) => list[Math.round(i * (list.length - 1) / 63)]);
}

/* Threads near one another share a pill: {from, until (px), rows, wait: is most of it waiting}. */
function pillsOf(line, x) {
	const order = Array.from(line.values, (value, row) => ({value, row})).sort((a, b) => a.value - b.value), pills = [];
	for (const {value, row} of order) {
		const at = x(value), last = pills[pills.length - 1];
		if (last && at - last.until < 17) {
			last.until = at;
			last.rows.push(row);
		} else {
			pills.push({from: at, until: at, rows: [row]});
		}
	}
	return pills;
}

/* Gives a pill its text and place on the canvas: at, half (its width). */
function placePill(c, pill, brief) {
	const text = pillText(pill, brief);
	return Object.assign(pill, {text, at: (pill.from + pill.until) / 2, half: Math.max(8, c.measureText(text).width / 2 + 6, (pill.until - pill.from) / 2 + 4)});
}

/* Pills with places; those whose outlines would overlap have brief texts; if they still do, they are one. */
function placePills(c, line, x) {
	const overlaps = (a, b) => b.at - b.half < a.at + a.half + 1, pills = pillsOf(line, x).map(pill => placePill(c, pill, false));
	const brief = pills.some((pill, i) => i && overlaps(pills[i - 1], pill));
	for (let i = 0; brief && i < pills.length;) {
		const before = pills[i - 1], pill = placePill(c, pills[i], true);
		if (before && overlaps(before, pill)) pills.splice(--i, 2, {from: before.from, until: pill.until, rows: before.rows.concat(pill.rows)});
		else i++;
	}
	for (const pill of pills)
		pill.wait = pill.rows.reduce((sum, row) => sum + line.waits[row], 0) * 2 > pill.rows.reduce((sum, row) => sum + line.values[row], 0);
	return pills;
}

/* The ranks; of many, how many: brief, where pills would overlap. */
function pillText(pill, brief) {
	const ranks = pill.rows.map(row => balance.threads[row]).map(t => t.rank === null ? t.id : t.rank).sort((a, b) => a - b);
	const text = formatRanges(Array.from(new Set(ranks)));
	return text.length <= (brief ? 7 : 9) ? text : brief ? '×' + formatCount(pill.rows.length) : formatCount(pill.rows.length) + ' ' + run.words;
}

function balanceGeometry(width) {
	const label = Math.min(300, width * 0.3), cells = Math.min(64, balance.threads.length), cell = Math.max(2, Math.min(18, Math.floor(150 / cells)));
	return {strip: label, cell, cells, left: label + cell * cells + 28, right: width - 60};
}

function drawBalanceLine(c, g, line, y, x) {
	const chosen = line.source !== null && line.source === state.source, middle = y + balancePitch / 2 - 2;
	if (chosen) {
		c.fillStyle = color('--selected');
		c.fillRect(0, y, g.right + 60, balancePitch - 4);
		c.fillStyle = color('--cause');
		c.fillRect(0, y, 3, balancePitch - 4);
	}
	c.font = line.source === null ? font(12, 600) : font(12, 400, monoFont);
	c.fillStyle = color('--ink');
	c.textAlign = 'left';
	c.fillText(fitText(c, line.source === null ? line.name : line.place || line.name, g.strip * 0.52 - 10), 8, middle);
	c.font = font(12);
	c.fillStyle = color('--second');
	if (line.source !== null && line.place) c.fillText(fitText(c, line.name, g.strip * 0.44), g.strip * 0.55, middle);
	const most = line.values.reduce((a, b) => Math.max(a, b), 0) || 1;
	stripOf(line.values).forEach((one, i) => {
		c.fillStyle = color('--amount-' + Math.min(4, Math.floor(4.99 * one.value / most)));
		c.fillRect(g.strip + i * g.cell, y + 3, g.cell - (g.cell > 4 ? 1 : 0), balancePitch - 10);
	});
	drawPills(c, line, middle, x);
	c.font = font(12);
	c.fillStyle = color('--ink');
	c.textAlign = 'right';
	c.fillText(Math.round(100 * imbalanceOf(line.values)) + ' %', g.right + 56, middle);
}

function drawPills(c, line, middle, x) {
	c.font = font(11, 600);
	const pills = placePills(c, line, x), mean = line.values.reduce((a, b) => a + b, 0) / line.values.length;
	c.strokeStyle = color('--third');
	c.lineWidth = 1;
	c.beginPath();
	c.moveTo(pills[0].from, middle);
	c.lineTo(pills[pills.length - 1].until, middle);
	c.stroke();
	c.textAlign = 'center';
	for (const {text, at, half, wait} of pills) {
		c.beginPath();
		c.roundRect(at - half, middle - 8, 2 * half, 16, 8);
		c.fillStyle = color('--panel');
		c.fill();
		c.lineWidth = wait ? 3 : 1.2;
		c.strokeStyle = wait ? hatch(c) : color('--ink');
		c.stroke();
		if (wait) {
			c.lineWidth = 1;
			c.strokeStyle = color('--waiting');
			c.stroke();
		}
		c.fillStyle = color('--ink');
		if (c.measureText(text).width < 2 * half - 2) c.fillText(text, at, middle + .5);
	}
	const at = x(mean);
	c.fillStyle = color('--ink');
	c.beginPath();
	c.moveTo(at - 4, middle - 13);
	c.lineTo(at + 4, middle - 13);
	c.lineTo(at, middle - 8.5);
	c.fill();
}

/* A text cut to a width, its end kept: the line number is there. */
function fitText(c, text, width) {
	if (c.measureText(text).width <= width) return text;
	for (let n = text.length - 1; n > 3; n--)
		if (c.measureText('…' + text.slice(-n)).width <= width) return '…' + text.slice(-n);
	return text.slice(-3);
}

/* Bars by thread in place of pills. */
function drawByThread(c, g, line, y) {
	const n = line.values.length, most = line.values.reduce((a, b) => Math.max(a, b), 0) || 1, step = (g.right - g.left) / n;
	for (let row = 0; row < n; row++) {
		const tall = (balancePitch - 6) * line.values[row] / most, waiting = Math.min(1, line.values[row] ? line.waits[row] / line.values[row] : 0);
		c.fillStyle = color('--amount-3');
		c.fillRect(g.left + row * step, y + balancePitch - 4 - tall, Math.max(1, step - (step > 3 ? 1 : 0)), tall);
		if (waiting) {
			c.fillStyle = hatch(c);
			c.fillRect(g.left + row * step, y + balancePitch - 4 - tall, Math.max(1, step - (step > 3 ? 1 : 0)), tall * waiting);
		}
	}
}

function drawBalance(c, width) {
	const g = balanceGeometry(width), most = Math.max(1, ...balance.lines.map(l => l.values.reduce((a, b) => Math.max(a, b), 0)));
	const x = ns => g.left + 12 + (g.right - g.left - 24) * ns / most;
	c.textBaseline = 'middle';
	c.font = font(11);
	c.fillStyle = color('--second');
	c.textAlign = 'left';
	c.fillText(balance.threads.length <= 64 ? 'by ' + run.word : 'least to most', g.strip, 8);
	c.textAlign = 'right';
	c.fillText('uneven', g.right + 56, 8);
	c.textAlign = 'center';
	if (balance.order === 'value')
		for (const tick of d3.scaleLinear().domain([0, most / 1e9]).ticks(5)) {
			c.fillStyle = color('--second');
			c.fillText(tick ? formatRough(tick * 1e9) : '0', x(tick * 1e9), 8);
			c.fillStyle = color('--rule');
			c.fillRect(x(tick * 1e9), 18, 1, balance.lines.length * balancePitch);
		}
	balance.lines.forEach((line, i) => {
		const y = 20 + i * balancePitch;
		if (balance.order === 'value') {
			drawBalanceLine(c, g, line, y, x);
		} else {
			drawBalanceLine(c, g, Object.assign({}, line), y, () => -1000);
			drawByThread(c, g, line, y);
		}
	});
}

function onBalanceClick(event) {
	const line = balance.lines[Math.floor((event.offsetY - 20) / balancePitch)];
	if (line && line.source !== null) setState({source: state.source === line.source ? null : line.source});
}

async function buildBalance(node) {
	if (run.threads.length < 2) {
		append(node, [make('h2', {}, 'Balance'), make('p', {class: 'sub'}, 'One ' + run.word + ': nothing to compare.')]);
		return;
	}
	const whole = await readWholeLines(), about = make('span', {class: 'sub'}), rest = make('div'), none = make('p', {class: 'sub', hidden: true}, 'No time in it: nothing to compare.');
	balance.picture = makeCanvas('balance: time of every ' + run.word + ' at each line', () => 24 + balance.lines.length * balancePitch, drawBalance);
	const choice = makeChoice('order', [['value', 'by value'], ['thread', 'by ' + run.word]], balance.order, value => {
		balance.order = value;
		pressChoice(choice, value);
		balance.picture.draw();
	});
	balance.picture.node.addEventListener('click', onBalanceClick);
	onState(['source', 'theme'], () => balance.picture.draw());
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'Balance'),
		about, make('span', {class: 'space'}), choice), makeChips('whole run'), balance.picture.node, none, rest]);
	followChoice(sums => {
		balance.threads = sums ? sums.threads : run.threads;
		balance.lines = listLines(sums, whole);
		about.textContent = 'every ' + run.word + ' at every line; ▾ mean' + (isProfile() ? '' : '; hatched rim: mostly waiting') + choiceText(sums);
		none.hidden = balance.lines.some(line => line.values.some(v => v > 0));
		balance.picture.node.hidden = !none.hidden;
		replaceChildren(rest, makeOtherLines(sums));
		balance.picture.draw();
	});
	node.tableOf = () => ({columns: ['line', 'operation', 'uneven %', 'mean ns', 'most ns', 'by', 'least ns', 'by'], rows: balance.lines.map(line => {
		const order = Array.from(line.values, (value, row) => ({value, row})).sort((a, b) => a.value - b.value), least = order[0], most = order[order.length - 1];
		return [line.place, line.name, Math.round(100 * imbalanceOf(line.values)), Math.round(order.reduce((a, o) => a + o.value, 0) / order.length), Math.round(most.value),
			balance.threads[most.row].name, Math.round(least.value), balance.threads[least.row].name];
	})});
}
