/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clusters: rows for many threads. Threads that do alike at the same time are one row, an area whose height is how many of
 * them do what; above and below it the thread that waits most and the one that waits least, as they are. Threads for which
 * others wait long have rows of their own.
 */

/* Rows at most, without those of chosen threads; bins that tell threads apart; parts of an opened cluster. */
const clusterRows = 12, clusterBins = 32, clusterParts = 6;
const clusterStrip = 9, clusterGap = 2;
/* Share of all waiting for a thread from which on it has a row. */
const culpritShare = 0.05;

const clusters = {features: null, width: 0, tree: null, hosts: null};

/* --- features ---------------------------------------------------------------- */

/* What tells threads apart: busy and waiting share of each bin, time in files and memory; a row of numbers a thread. */
function clusterFeatures() {
	if (clusters.features) return clusters.features;
	let level = run.pyramid.levels[0];
	for (let i = 1; level.bins > clusterBins; i++) {
		if (i === run.pyramid.levels.length) run.pyramid.levels.push(halve(level, run.threads.length));
		level = run.pyramid.levels[i];
	}
	const width = clusters.width = 3 * level.bins, features = new Float32Array(width * run.threads.length);
	const other = run.pyramid.sources.map(id => ['io', 'allocation'].includes((run.sources.get(id) || {}).category));
	for (let t = 0, to = 0; t < run.threads.length; t++)
		for (let b = 0; b < level.bins; b++) {
			const i = t * level.bins + b;
			features[to++] = level.busy[i] / 255;
			features[to++] = level.wait[i] / 255;
			features[to++] = other[level.source[i]] ? (level.busy[i] - level.wait[i]) / 255 : 0;
		}
	return clusters.features = features;
}

function meanOf(rows) {
	const f = clusterFeatures(), width = clusters.width, mean = new Float64Array(width);
	for (const row of rows)
		for (let k = 0, at = row * width; k < width; k++) mean[k] += f[at + k];
	return mean.map(v => v / rows.length);
}

/* The direction in which rows differ most: power iteration from the row farthest from the mean. */
function mainDirection(rows, mean) {
	const f = clusterFeatures(), width = clusters.width;
	let direction = new Float64Array(width), farthest = -1;
	for (const row of rows) {
		let sum = 0;
		for (let k = 0, at = row * width; k < width; k++) sum += (f[at + k] - mean[k]) ** 2;
		if (sum > farthest) {
			farthest = sum;
			for (let k = 0, at = row * width; k < width; k++) direction[k] = f[at + k] - mean[k];
		}
	}
	const step = Math.max(1, Math.floor(rows.length / 2000)); /* a sample is enough */
	for (let turn = 0; turn < 4; turn++) {
		const next = new Float64Array(width);
		for (let r = 0; r < rows.length; r += step) {
			const at = rows[r] * width;
			let dot = 0;
			for (let k = 0; k < width; k++) dot += (f[at + k] - mean[k]) * direction[k];
			for (let k = 0; k < width; k++) next[k] += dot * (f[at + k] - mean[k]);
		}
		const length = Math.hypot(...next);
		if (!length) break;
		direction = next.map(v => v / length);
	}
	const length = Math.hypot(...direction);
	return length ? direction.map(v => v / length) : direction;
}

/*
 * The best cut of rows in two along that direction: {parts, gain (squares that it explains), share (of those along the
 * direction), spread (mean difference of a bin)}; null: all are alike.
 */
function cutRows(rows) {
	if (rows.length < 2) return null;
	const f = clusterFeatures(), width = clusters.width, mean = meanOf(rows), direction = mainDirection(rows, mean);
	const n = rows.length, values = new Float64Array(n);
	rows.forEach((row, r) => {
		for (let k = 0, at = row * width; k < width; k++) values[r] += (f[at + k] - mean[k]) * direction[k];
	});
	const order = Uint32Array.from(rows, (_, r) => r).sort((a, b) => values[a] - values[b] || a - b);
	let sum = 0, left = 0, best = 0, at = 0, all = 0;
	for (const v of values) {
		sum += v;
		all += v * v;
	}
	for (let i = 1; i < n; i++) {
		left += values[order[i - 1]];
		const gain = left * left / i + (sum - left) * (sum - left) / (n - i);
		if (gain > best && values[order[i]] > values[order[i - 1]]) {
			best = gain;
			at = i;
		}
	}
	if (!at || all < 1e-9) return null;
	const pick = (from, until) => Array.from(order.subarray(from, until), r => rows[r]).sort((a, b) => a - b);
	return {parts: [pick(0, at), pick(at, n)], gain: best, share: best / all, spread: Math.sqrt(all / n / width)};
}

/* Cuts rows where it explains most, into at most so many parts; unless forced, only where groups are distinct. */
function splitRows(rows, most, forced) {
	const parts = [{rows, cut: cutRows(rows)}];
	while (parts.length < most) {
		let best = null;
		for (const part of parts)
			if (part.cut && (forced || part.cut.share > 0.8 && part.cut.spread > 0.004 || part.cut.spread > 0.05) &&
				(!best || part.cut.gain > best.cut.gain)) best = part;
		if (!best) break;
		parts.splice(parts.indexOf(best), 1, ...best.cut.parts.map(p => ({rows: p, cut: cutRows(p)})));
	}
	return parts.map(p => p.rows).sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/* --- names -------------------------------------------------------------------- */

function waitedOf(thread) {
	return run.waited ? run.waited[thread.row] : 0;
}

/* A host if they are one; ranks if these are regular; else what they do more or less than all. */
function clusterName(threads) {
	const hosts = new Set(threads.map(t => t.host));
	if (hosts.size === 1 && threads.length > 1) {
		if (!clusters.hosts) {
			clusters.hosts = new Map();
			for (const t of run.threads) clusters.hosts.set(t.host, (clusters.hosts.get(t.host) || 0) + 1);
		}
		const host = threads[0].host;
		if (host && clusters.hosts.size > 1) return clusters.hosts.get(host) === threads.length ? 'host ' + host : 'of host ' + host;
	}
	const ranks = threads.map(t => t.rank), step = ranks[1] - ranks[0];
	if (ranks.every((r, i) => r !== null && (!i || r - ranks[i - 1] === step)) && ranks.length > 2)
		return step === 1 ? ranks[0] + '–' + ranks[ranks.length - 1] : 'every ' + step + 'th';
	const ranges = formatRanges(ranks.slice(0, 5000));
	return ranks.length <= 5000 && ranges.split(', ').length <= 2 ? ranges : describeCluster(threads);
}

function describeCluster(threads) {
	const mean = meanOf(threads.map(t => t.row)), all = clusters.mean || (clusters.mean = meanOf(run.threads.map(t => t.row)));
	const sums = [0, 0, 0];
	mean.forEach((v, k) => { sums[k % 3] += (v - all[k]) / (mean.length / 3); });
	const [busy, wait, other] = sums;
	if (other > 0.005) return 'files, memory';
	if (Math.abs(wait) < 0.01 && Math.abs(busy - wait) < 0.01) return 'as most';
	if (Math.abs(wait) >= Math.abs(busy - wait)) return wait > 0 ? 'wait more' : 'wait less';
	return busy > wait ? 'call more' : 'compute more';
}

/* --- rows ---------------------------------------------------------------------- */

/* Threads for which others wait longest, at most 6; most blamed first. */
function listCulprits() {
	if (!run.blamed) return [];
	const least = culpritShare * run.blamedSum;
	return run.threads.filter(t => run.blamed[t.row] >= least && least > 0).sort((a, b) => run.blamed[b.row] - run.blamed[a.row]).slice(0, 6);
}

function makeClusterRow(members, depth) {
	const most = members.reduce((a, t) => waitedOf(t) > waitedOf(a) ? t : a), least = members.reduce((a, t) => waitedOf(t) < waitedOf(a) ? t : a);
	const key = members[0].id + 'x' + members.length, opened = state.open.includes(key) && members.length > 1;
	return {kind: 'cluster', members, threads: opened ? [] : members, key, depth, opened, most, least,
		label: formatCount(members.length) + ' ' + (members.length === 1 ? run.word : run.words), name: clusterName(members),
		weight: opened ? 0.4 : 1, sums: {}};
}

function makeThreadRow(thread, note) {
	return {kind: 'thread', thread, threads: [thread], label: thread.name, note, weight: 0.45};
}

/* The row of a group, and those of its parts if it is opened. */
function rowsOfGroup(members, depth, rows) {
	if (members.length === 1) {
		rows.push(makeThreadRow(members[0], ''));
		return;
	}
	const row = makeClusterRow(members, depth);
	rows.push(row);
	if (!row.opened) return;
	const key = row.key;
	if (!clusters.parts) clusters.parts = new Map();
	if (!clusters.parts.has(key))
		clusters.parts.set(key, members.length <= clusterRows ? members.map(t => [t.row])
			: splitRows(members.map(t => t.row), clusterParts, true));
	const parts = clusters.parts.get(key);
	for (const part of parts.length > 1 ? parts : cutInPieces(members)) rowsOfGroup(part.map(r => run.threads[r]), depth + 1, rows);
}

/* Threads that are all alike are cut by number. */
function cutInPieces(members) {
	const size = Math.ceil(members.length / clusterParts), rows = members.map(t => t.row);
	return Array.from({length: Math.ceil(rows.length / size)}, (_, i) => rows.slice(i * size, (i + 1) * size));
}

function listClusters() {
	const culprits = listCulprits(), pinned = state.pinned.map(id => run.threadById.get(id)).filter(Boolean);
	const clicked = callById(state.event), shown = clicked < 0 ? [] : [run.threads[calls.thread[clicked]]];
	const own = new Set([...culprits, ...pinned, ...shown]), others = run.threads.filter(t => !own.has(t)), rows = [];
	if (!run.pyramid) return Array.from(own, t => makeThreadRow(t, ''));
	const known = culprits.map(t => t.id).join();
	if (!clusters.tree || clusters.known !== known) {
		const left = run.threads.filter(t => !culprits.includes(t)).map(t => t.row);
		Object.assign(clusters, {known, tree: splitRows(left, Math.max(4, clusterRows - culprits.length), false), parts: null});
	}
	const free = new Set(others.map(t => t.row));
	for (const group of clusters.tree) {
		const members = group.filter(r => free.has(r)).map(r => run.threads[r]);
		if (members.length) rowsOfGroup(members, 0, rows);
	}
	for (const thread of shown) if (!culprits.includes(thread) && !pinned.includes(thread)) rows.push(makeThreadRow(thread, 'clicked'));
	for (const thread of pinned) if (!culprits.includes(thread)) rows.push(makeThreadRow(thread, 'pinned'));
	for (const thread of culprits.reverse()) rows.push(makeThreadRow(thread, pinned.includes(thread) ? 'pinned' : ''));
	return rows;
}

/* --- what a cluster does --------------------------------------------------------- */

/* Groups of the stack from the top, below waiting: [fill]; groupOf(source) is an index. */
function stackGroups() {
	if (state.color === 'category') {
		const order = categoryOrder.slice(1).reverse();
		return {fills: order.map(categoryColor), groupOf: source => Math.max(0, order.indexOf(source ? source.category : 'communication'))};
	}
	return {fills: Array.from({length: 9}, (_, i) => hueColor(i)),
		groupOf: source => source ? hueNumber(state.color, source[state.color] || '') : 8};
}

/* Sums over the cluster's cells: waiting and each group, by bin, as shares of a thread's bin. */
function clusterSums(row) {
	if (row.sums[state.color]) return row.sums[state.color];
	const level = run.pyramid.levels[0], {fills, groupOf} = stackGroups();
	const groups = fills.map(() => new Float32Array(level.bins)), wait = new Float32Array(level.bins);
	const groupOfCode = Uint8Array.from({length: 256}, (_, code) => groupOf(pyramidSource(code)));
	for (const t of row.members)
		for (let b = 0, i = t.row * level.bins; b < level.bins; b++, i++) {
			if (!level.busy[i]) continue;
			const waits = Math.min(level.busy[i], level.wait[i]);
			wait[b] += waits / 255;
			groups[groupOfCode[level.source[i]]][b] += (level.busy[i] - waits) / 255;
		}
	return row.sums[state.color] = {wait, groups};
}

/* Adds a span of columns, its ends by their parts, to sums (cover) and differences (steps). */
function addSpan(into, a, b, sign) {
	const i = Math.floor(a), j = Math.floor(b);
	if (i === j) {
		into.cover[i] += sign * (b - a);
		return;
	}
	into.cover[i] += sign * (i + 1 - a);
	into.cover[j] += sign * (b - j);
	into.steps[i + 1] += sign;
	into.steps[j] -= sign;
}

function sumSpans(into, n) {
	const sums = new Float32Array(n);
	for (let x = 0, height = 0; x < n; x++) {
		height += into.steps[x];
		sums[x] = Math.max(0, height + into.cover[x]);
	}
	return sums;
}

/* The same by columns of pixels, from calls one by one. */
function clusterColumns(row, view) {
	const n = Math.max(1, Math.ceil(view.right - view.left)), {fills, groupOf} = stackGroups();
	const make = () => ({cover: new Float32Array(n + 2), steps: new Float32Array(n + 3)});
	const groups = fills.map(make), wait = make(), starts = calls.waitTable.n ? calls.waitTable.column('start_ns') : [];
	const ends = calls.waitTable.n ? calls.waitTable.column('end_ns') : [], groupOfSource = new Map();
	const scale = n / (view.until - view.from), x = ns => Math.max(0, Math.min(n, (ns - view.from) * scale));
	for (const t of row.members) {
		const [first, last] = callsIn(t.row, view.from, view.until);
		for (let i = first; i < last; i++) {
			if (calls.level[i] !== 1 || calls.end[i] < view.from) continue;
			const id = calls.source[i];
			if (!groupOfSource.has(id)) groupOfSource.set(id, groups[groupOf(run.sources.get(id))]);
			const group = groupOfSource.get(id);
			addSpan(group, x(calls.start[i]), x(calls.end[i]), 1);
			for (let w = calls.wait[i], k = calls.waits[i]; k > 0; w++, k--) {
				addSpan(wait, x(starts[w]), x(ends[w]), 1);
				addSpan(group, x(starts[w]), x(ends[w]), -1);
			}
		}
	}
	return {wait: sumSpans(wait, n), groups: groups.map(g => sumSpans(g, n))};
}

/* Points of the stack: {xs: left ends and the last right end, wait, groups}. Calls where the page has all, else bins. */
function clusterStack(row, view) {
	if (isInFull(view.from, view.until)) {
		const key = [view.from, view.until, view.right, state.color].join();
		if (row.key2 !== key) Object.assign(row, {key2: key, columns: clusterColumns(row, view)});
		const n = row.columns.wait.length;
		return Object.assign({xs: Float32Array.from({length: n + 1}, (_, i) => view.left + i * (view.right - view.left) / n), from: 0, n, step: 1},
			row.columns);
	}
	const bin = run.pyramid.levels[0].bin_ns, bins = run.pyramid.levels[0].bins;
	const first = Math.max(0, Math.floor((view.from - run.from) / bin)), last = Math.min(bins, Math.ceil((view.until - run.from) / bin));
	let step = 1;
	while ((last - first) / step > view.right - view.left) step *= 2;
	const n = Math.ceil((last - first) / step);
	const xs = Float32Array.from({length: n + 1}, (_, i) =>
		Math.max(view.left, Math.min(view.right, view.x(run.from + Math.min(bins, first + i * step) * bin))));
	return Object.assign({xs, from: first, n, step}, clusterSums(row));
}

/* --- drawing ------------------------------------------------------------------------ */

/* One layer between two lines; returns the lower one. */
function drawLayer(c, stack, sums, upper, scale, fill) {
	const lower = new Float32Array(stack.n);
	let any = false;
	for (let i = 0; i < stack.n; i++) {
		let sum = 0;
		for (let k = 0, at = stack.from + i * stack.step; k < stack.step; k++) sum += sums[at + k] || 0;
		lower[i] = upper[i] + sum / stack.step * scale;
		any = any || sum > 0;
	}
	if (!any) return upper;
	c.fillStyle = fill;
	c.beginPath();
	c.moveTo(stack.xs[0], upper[0]);
	for (let i = 0; i < stack.n; i++) {
		c.lineTo(stack.xs[i], upper[i]);
		c.lineTo(stack.xs[i + 1], upper[i]);
	}
	for (let i = stack.n - 1; i >= 0; i--) {
		c.lineTo(stack.xs[i + 1], lower[i]);
		c.lineTo(stack.xs[i], lower[i]);
	}
	c.fill();
	return lower;
}

function drawClusterRow(c, view, row) {
	const strips = row.opened ? 0 : clusterStrip + clusterGap, top = row.y + strips, tall = row.height - 2 * strips;
	const from = Math.max(view.left, view.x(run.from)), until = Math.min(view.right, view.x(run.until));
	c.fillStyle = color('--computing');
	c.fillRect(from, top, until - from, tall);
	const stack = clusterStack(row, view), scale = tall / row.members.length;
	if (stack.n > 0) {
		let line = new Float32Array(stack.n).fill(top);
		if (state.waits) line = drawLayer(c, stack, stack.wait, line, scale, hatch(c));
		stackGroups().fills.forEach((fill, g) => { line = drawLayer(c, stack, stack.groups[g], line, scale, fill); });
	}
	if (row.opened) return;
	drawThreadRow(c, view, {thread: row.most, y: row.y, height: clusterStrip});
	drawThreadRow(c, view, {thread: row.least, y: row.y + row.height - clusterStrip, height: clusterStrip});
}

/* Label of a cluster: a triangle, how many, a name; the extremes beside their strips. */
function drawClusterLabel(c, row) {
	const left = 12 * row.depth, middle = row.y + row.height / 2;
	c.fillStyle = color('--ink');
	c.font = font(12, 600);
	c.textBaseline = 'middle';
	c.fillText((row.opened ? '▾ ' : '▸ ') + row.label, left, row.opened ? middle : middle - 7);
	c.fillStyle = color('--second');
	c.font = font(11);
	if (row.opened) return;
	c.fillText(row.name, left + 13, middle + 8);
	c.textAlign = 'right';
	c.fillText('most: ' + row.most.short, rowGeometry.label + 84, row.y + clusterStrip / 2);
	c.fillText('least: ' + row.least.short, rowGeometry.label + 84, row.y + row.height - clusterStrip / 2);
	c.textAlign = 'left';
}

/* Columns at the right: waiting of a row as a share of its time, and for it as a share of all waiting. */
const clusterSide = 150;

function drawAmount(c, x, y, share, most, fill) {
	const width = share > 0 ? Math.max(1, 30 * share / most) : 0;
	c.fillStyle = fill;
	c.fillRect(x, y - 5, width, 10);
	c.fillStyle = color('--second');
	c.fillText(share < 0.0005 ? '0 %' : share < 0.01 ? '< 1 %' : Math.round(100 * share) + ' %', x + width + 4, y);
}

function rowShares(row) {
	const members = row.members || row.threads;
	let waited = 0, blamed = 0, time = 0;
	for (const t of members) {
		waited += run.waited[t.row];
		blamed += run.blamed[t.row];
		time += t.last_ns - t.first_ns;
	}
	return {waits: time ? waited / time : 0, blamed: run.blamedSum ? blamed / run.blamedSum : 0};
}

function drawClusterAmounts(c, width, layout) {
	if (run.threads.length <= clusterLimit || !run.waited) return;
	const left = width - clusterSide + 14;
	for (const row of layout.rows) row.shares = row.shares || rowShares(row);
	const most = Math.max(0.01, ...layout.rows.map(r => r.shares.waits));
	c.font = font(11);
	c.textBaseline = 'middle';
	c.fillStyle = color('--second');
	c.fillText('waits', left, 28);
	c.fillText('blamed for', left + 70, 28);
	for (const row of layout.rows) {
		const y = row.y + row.height / 2;
		drawAmount(c, left, y, row.shares.waits, most, hatch(c));
		drawAmount(c, left + 70, y, row.shares.blamed, 1, color('--cause'));
	}
}

/* --- mouse ---------------------------------------------------------------------------- */

function toggleCluster(row) {
	setState({open: row.opened ? state.open.filter(k => k !== row.key) : state.open.concat(row.key)});
}

/* A click on the label opens or closes; on a strip it chooses its thread. */
function clickCluster(row, x, y) {
	if (x < rowGeometry.label + 84 || row.opened) toggleCluster(row);
	else if (y < row.y + clusterStrip + 1) setState({event: null, thread: row.most.id});
	else if (y > row.y + row.height - clusterStrip - 1) setState({event: null, thread: row.least.id});
}

/* What a cluster does at a moment. */
function clusterText(row, ns) {
	if (!run.pyramid) return row.label;
	const width = (state.until - state.from) / 1000, full = isInFull(ns, ns + width);
	const sums = full ? clusterColumns(row, {from: ns, until: ns + width, left: 0, right: 1}) : clusterSums(row);
	const at = full ? 0 : Math.min(sums.wait.length - 1, Math.max(0, Math.floor((ns - run.from) / run.pyramid.levels[0].bin_ns)));
	const n = row.members.length, calling = sums.groups.reduce((sum, g) => sum + g[at], 0);
	return row.label + ' (' + row.name + '), ' + formatMoment(ns, width) + ' s: ' + formatShare(sums.wait[at] / n) + ' wait, ' +
		formatShare(calling / n) + ' call, ' + formatShare(Math.max(0, 1 - (sums.wait[at] + calling) / n)) + ' compute';
}
