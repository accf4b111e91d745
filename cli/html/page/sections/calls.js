/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree as flame graph and table: width is time, waiting or bytes of all threads. */

moreSections.push({id: 'calls', title: 'Calls', build: buildCalls});

const flame = {root: null, nodes: [], kind: 'time', picture: null, zoom: null};
const flameRow = 22;

/*
 * The tree: all; below it computing, functions and user events. The source's function stands between, where calls have no call
 * path with functions. Nodes: {name, place, category, ns, wait, bytes, calls, source, children, isUser, depth, from, until}.
 */
async function readCallTree() {
	const table = await loadChunk('callpaths'), byId = new Map();
	const whole = run.threads.reduce((sum, t) => sum + t.last_ns - t.first_ns, 0);
	const root = makeNode('all ' + run.words, {ns: whole});
	const waits = new Map(), totals = new Map();
	for (let i = 0; i < run.profile.n; i++) waits.set(run.profile.get('source_id', i), run.profile.get('wait_ns', i) || 0);
	for (let i = 0; i < table.n; i++) {
		const id = table.column('source_id')[i];
		totals.set(id, (totals.get(id) || 0) + table.column('total_ns')[i]);
	}
	for (let i = 0; i < table.n; i++) {
		const row = table.row(i), source = run.sources.get(row.source_id) || {operation: '?', category: 'communication'};
		const ns = row.total_ns, share = totals.get(row.source_id) ? ns / totals.get(row.source_id) : 0;
		const node = makeSourceNode(source, {ns, wait: (waits.get(row.source_id) || 0) * share, bytes: row.bytes || 0, calls: row.calls,
			source: row.source_id});
		byId.set(row.id, node);
		const parent = row.parent_id === null ? null : byId.get(row.parent_id);
		functionNode(parent || root, source).children.push(node);
	}
	addRest(root, table);
	return closeTree(root);
}

/* Outermost paths that the table lacks, as one node: else their time would look like computing. */
function addRest(root, table) {
	const whole = run.wholes.get('callpath_roots');
	let n = 0, ns = 0, calls = 0;
	for (let i = 0; i < table.n; i++)
		if (table.isNull('parent_id', i)) {
			n++;
			ns += table.column('total_ns')[i];
			calls += table.column('calls')[i];
		}
	if (whole && whole.n > n) root.children.push(makeNode('other calls', {ns: Math.max(0, whole.ns - ns), calls: Math.max(0, whole.calls - calls)}));
}

async function makePathsRest() {
	const rest = restOf('callpaths', await loadChunk('callpaths'), {ns: 'self_ns', bytes: 'bytes', calls: 'calls'});
	return makeRest([rest && restText(rest, 'call paths', [formatTime(rest.ns) + ' of their own', formatBytes(rest.bytes), formatCount(rest.calls) + ' calls'])]);
}

function makeNode(name, more) {
	return Object.assign({name, place: '', category: null, ns: 0, wait: 0, bytes: 0, calls: 0, source: null, children: []}, more);
}

function isFunctionSource(source) {
	return source.type === 'function' || source.type === 'caller';
}

/* User events (without category) are above what begins in them. */
function makeSourceNode(source, more) {
	const isUser = source.type === 'user';
	return makeNode(isFunctionSource(source) ? source.function || source.operation : source.operation, Object.assign({
		place: source.location || '', category: isUser ? null : source.category, source: source.id, isUser, function: source.function}, more));
}

/* The node of a source below another one. */
function nodeBelow(up, source) {
	if (!up.bySource) up.bySource = new Map();
	if (!up.bySource.has(source.id)) {
		up.bySource.set(source.id, makeSourceNode(source));
		up.children.push(up.bySource.get(source.id));
	}
	return up.bySource.get(source.id);
}

/* The same of what is chosen, where the page has every call of it: from the calls, each below what it is in. */
function chosenTree(sums) {
	const root = makeNode(chosenText(), {ns: sums.whole}), nodes = new Map(), {from, until} = sums;
	for (const thread of sums.threads) {
		const [first, last] = callsIn(thread.row, from, until);
		let phases = []; // open user events
		for (let i = first; i < last; i++) {
			const source = run.sources.get(calls.source[i]);
			if (!source || calls.end[i] < from) continue;
			const begins = calls.start[i] >= from && calls.start[i] < until;
			phases = phases.filter(p => calls.end[p] > calls.start[i]);
			const node = nodeBelow(functionNode(nodes.get(Math.max(parentOf(i), ...phases)) || root, source), source);
			if (source.type === 'user') phases.push(i);
			nodes.set(i, node);
			node.ns += overlap(calls.start[i], calls.end[i], from, until);
			node.wait += waitingIn(i, from, until);
			node.calls += begins ? 1 : 0;
			node.bytes += begins ? calls.table.get('bytes', i) || 0 : 0;
		}
	}
	return closeTree(root);
}

/* Sums up; what is in no call is computing. */
function closeTree(root) {
	sumFlame(root);
	addComputing(root, true);
	return root;
}

/* User events have computing of their own; that of a function is its own time. */
function addComputing(node, hasOwn) {
	const called = node.children.reduce((sum, child) => sum + child.ns, 0);
	for (const child of node.children) addComputing(child, child.isUser);
	if (hasOwn) node.children.push(makeNode('computing', {category: 'computation', ns: Math.max(0, node.ns - called)}));
}

/* Where a call goes: below the function that it stands in, if that is known and not above it anyway. */
function functionNode(up, source) {
	if (isFunctionSource(source) || !source.function || (up.source !== null && !up.isUser) || up.function === source.function) return up;
	if (!up.functions) up.functions = new Map();
	if (!up.functions.has(source.function)) {
		const node = makeNode(source.function, {place: source.file || '', made: true, function: source.function});
		up.functions.set(source.function, node);
		up.children.push(node);
	}
	return up.functions.get(source.function);
}

/* Waiting and bytes of what lies below; time of function nodes that were made here. */
function sumFlame(node) {
	for (const child of node.children) sumFlame(child);
	if (node.made) node.ns = node.children.reduce((sum, child) => sum + child.ns, 0);
	node.wait += node.children.reduce((sum, child) => sum + child.wait, 0);
	node.bytes += node.children.reduce((sum, child) => sum + child.bytes, 0);
}

function flameValue(node) {
	return flame.kind === 'time' ? node.ns : flame.kind === 'waiting' ? node.wait : node.bytes;
}

/* Places nodes as shares of the zoomed one: from, until, depth. */
function layFlame(node, from, until, depth) {
	Object.assign(node, {from, until, depth});
	flame.nodes.push(node);
	const value = flameValue(node), children = node.children.slice().sort((a, b) => (b.category === 'computation') - (a.category === 'computation') || flameValue(b) - flameValue(a));
	const sum = Math.max(value, children.reduce((all, child) => all + flameValue(child), 0));
	let at = from;
	for (const child of children) {
		const share = sum > 0 ? (until - from) * flameValue(child) / sum : 0;
		if (share > 0.0005) layFlame(child, at, at + share, depth + 1);
		at += share;
	}
}

function flameColor(node) {
	return node.category === null ? color('--rule') : node.category === 'computation' ? color('--computing') : categoryColor(node.category);
}

function drawFlameNode(c, width, node) {
	const left = node.from * width, tall = flameRow - 2, y = node.depth * flameRow, wide = (node.until - node.from) * width - 1;
	c.fillStyle = flameColor(node);
	c.fillRect(left, y, Math.max(.5, wide), tall);
	if (node.wait && !node.children.length && flame.kind !== 'bytes') {
		c.fillStyle = hatch(c);
		c.fillRect(left, y + 4, Math.max(.5, flame.kind === 'time' && node.ns ? wide * Math.min(1, node.wait / node.ns) : wide), tall - 4);
	}
	if (node.source !== null && node.source === state.source) {
		c.strokeStyle = color('--ink');
		c.lineWidth = 2;
		c.strokeRect(left + 1, y + 1, wide - 2, tall - 2);
	}
	if (wide < 36) return;
	c.font = font(12, node.depth ? 400 : 600);
	const amount = flame.kind === 'bytes' ? formatBytes(node.bytes) : formatTime(flameValue(node));
	let text = node.name + (node.children.length || !node.place ? '' : ' ' + shortPlace(node.place)) + ', ' + amount;
	if (c.measureText(text).width > wide - 10) text = node.name;
	if (c.measureText(text).width > wide - 10) text = fitText(c, node.name, wide - 10);
	const plate = node.category !== null && node.category !== 'computation';
	if (plate) {
		c.globalAlpha = .9;
		c.fillStyle = color('--panel');
		c.fillRect(left + 3, y + 3, c.measureText(text).width + 6, tall - 6);
		c.globalAlpha = 1;
	}
	c.fillStyle = color('--ink');
	c.textAlign = 'left';
	c.fillText(text, left + 6, y + tall / 2 + .5);
}

function drawFlame(c, width) {
	flame.nodes = [];
	layFlame(flame.zoom || flame.root, 0, 1, 0);
	c.textBaseline = 'middle';
	for (const node of flame.nodes) drawFlameNode(c, width, node);
}

function flameDepth(node) {
	return 1 + Math.max(0, ...node.children.map(flameDepth));
}

function flameAt(event) {
	const share = event.offsetX / flame.picture.node.clientWidth, depth = Math.floor(event.offsetY / flameRow);
	return flame.nodes.find(n => n.depth === depth && share >= n.from && share < n.until) || null;
}

function flameLine(node) {
	return !node ? '' : node.name + (node.place ? ' at ' + node.place : '') + ': ' + formatTime(node.ns) + ' of ' + flame.root.name + (node.calls ? ', ' + formatCount(node.calls) + ' calls' : '') +
		(node.wait ? ', waiting ' + formatTime(node.wait) : '') + (node.bytes ? ', ' + formatBytes(node.bytes) : '');
}

/* Rows of the tree as a table, indented. */
function flameRows(node, depth, rows) {
	rows.push(['  '.repeat(depth) + node.name, node.place, Math.round(node.ns), Math.round(node.wait), node.calls, node.bytes]);
	for (const child of node.children.slice().sort((a, b) => b.ns - a.ns)) flameRows(child, depth + 1, rows);
	return rows;
}

async function buildCalls(node) {
	const whole = await readCallTree(), about = make('span', {class: 'sub'});
	flame.root = whole;
	flame.picture = makeCanvas('call tree', () => (flameDepth(flame.zoom || flame.root)) * flameRow + 4, drawFlame);
	const line = make('p', {class: 'hover'}), table = make('div'), rest = make('div', {}, await makePathsRest()), choice = makeChoice('width', [['time', 'time'], ['waiting', 'waiting'], ['bytes', 'bytes']].filter(([k]) => k !== 'waiting' || !isProfile()), flame.kind, value => {
		flame.kind = value;
		pressChoice(choice, value);
		flame.picture.draw();
	});
	flame.picture.node.addEventListener('mousemove', event => { line.textContent = flameLine(flameAt(event)); });
	flame.picture.node.addEventListener('click', event => {
		const hit = flameAt(event);
		if (!hit) return;
		if (hit.children.length) flame.zoom = hit === flame.zoom || hit === flame.root ? null : hit;
		else if (hit.source !== null) setState({source: state.source === hit.source ? null : hit.source});
		flame.picture.draw();
	});
	const more = make('button', {'aria-pressed': 'false', on: {click: () => {
		const on = more.getAttribute('aria-pressed') === 'false';
		more.setAttribute('aria-pressed', String(on));
		replaceChildren(table, on ? makeTextTable(node.tableOf()) : []);
	}}}, 'table');
	onState(['source', 'theme'], () => flame.picture.draw());
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'Calls'), about,
		make('span', {class: 'space'}), choice, more), makeChips('whole run'), flame.picture.node, line, rest, table]);
	followChoice(sums => {
		flame.root = sums && sums.exact ? chosenTree(sums) : whole;
		flame.zoom = null;
		rest.hidden = flame.root !== whole;
		about.textContent = 'width: of ' + flame.root.name + '; click a function to enlarge it, a call to choose its line' + choiceText(sums, !sums || sums.exact);
		flame.picture.draw();
		if (more.getAttribute('aria-pressed') === 'true') replaceChildren(table, makeTextTable(node.tableOf()));
	});
	node.tableOf = () => ({columns: ['call', 'line', 'ns', 'waiting ns', 'calls', 'bytes'], rows: flameRows(flame.root, 0, [])});
}
