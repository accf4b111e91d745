/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of the time line's parts on a canvas. x(ns) is the scale; view: {from, until, left, right, x}. */

/* Calls in a row's window from which on they are drawn as shares of bins. */
const denseCalls = 4000;

/* The colour of a call by its place, as state.color says. */
function placeColor(source) {
	if (!source) return color('--communicating');
	if (state.color === 'operation') return hueColor(hueNumber('operation', source.operation));
	if (state.color === 'function') return hueColor(hueNumber('function', source.function || ''));
	return categoryColor(source.category);
}

/* Operations and functions by time: the first eight have a hue. */
const hueNumbers = {operation: null, function: null};
function hueNumber(kind, name) {
	if (!hueNumbers[kind]) {
		const sums = new Map();
		for (let i = 0; i < run.profile.n; i++) {
			const source = run.sources.get(run.profile.get('source_id', i)), key = source && (source[kind] || '');
			if (source && runtimeCategories.has(source.category))
				sums.set(key, (sums.get(key) || 0) + (run.profile.get('self_ns', i) || 0));
		}
		hueNumbers[kind] = Array.from(sums).sort((a, b) => b[1] - a[1]).map(entry => entry[0]);
	}
	const at = hueNumbers[kind].indexOf(name);
	return at < 0 ? 8 : at;
}

function isFiltered(i) {
	if (!state.filter) return true;
	const f = state.filter, source = run.sources.get(calls.source[i]);
	return (!f.operation || source && source.operation.toLowerCase().includes(f.operation)) &&
		(f.source === undefined || calls.source[i] === f.source) &&
		(f.bytes === undefined || (calls.table.get('bytes', i) || 0) >= f.bytes);
}

/* --- a thread's row --------------------------------------------------------- */

function drawGround(c, view, row) {
	const thread = row.thread, from = Math.max(view.left, view.x(thread.first_ns)), until = Math.min(view.right, view.x(thread.last_ns));
	if (until <= from) return;
	c.fillStyle = color('--computing');
	c.fillRect(from, row.y, until - from, row.height);
	for (const gap of run.gaps)
		if (gap.thread_id === thread.id) drawGap(c, view, row, view.x(gap.start_ns), view.x(gap.end_ns));
	if (!thread.complete && view.x(thread.last_ns) < view.right) drawGap(c, view, row, view.x(thread.last_ns), view.x(run.until));
}

/* What was not recorded, or is lost: a dotted outline, not empty. */
function drawGap(c, view, row, from, until) {
	from = Math.max(view.left, from);
	until = Math.min(view.right, until);
	if (until - from < 1) return;
	c.fillStyle = color('--page');
	c.fillRect(from, row.y, until - from, row.height);
	c.setLineDash([2, 3]);
	c.strokeStyle = color('--third');
	c.lineWidth = 1;
	c.strokeRect(from + .5, row.y + .5, until - from - 1, row.height - 1);
	c.setLineDash([]);
}

/* --- bins ---------------------------------------------------------------------- */

/*
 * Rows of bins are made pixel by pixel: hundreds of rectangles a row, hatched ones too, take a browser without a graphics
 * card a second. What it takes is kept until the choice of colours or the theme changes: fills by code of cells, the tile
 * of the hatch, as pixels.
 */
const strips = {palette: null, by: '', fills: null, tile: null, size: 0, ground: 0, wait: 0, images: new Map()};

function pixelOf(text) {
	const {r, g, b} = d3.rgb(text);
	return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

/* Weighted mean of pixels: [pixel, weight] pairs. */
function mixPixels(parts) {
	let r = 0, g = 0, b = 0;
	for (const [pixel, weight] of parts) {
		r += (pixel & 255) * weight;
		g += (pixel >> 8 & 255) * weight;
		b += (pixel >> 16 & 255) * weight;
	}
	return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

function prepareStrips() {
	if (strips.palette === paletteCache && strips.by === state.color) return;
	const ratio = window.devicePixelRatio || 1, canvas = document.createElement('canvas');
	strips.size = canvas.width = canvas.height = Math.round(7 * ratio);
	const c = canvas.getContext('2d');
	c.scale(ratio, ratio);
	c.fillStyle = hatch(c);
	c.fillRect(0, 0, strips.size, strips.size);
	strips.tile = new Uint32Array(c.getImageData(0, 0, strips.size, strips.size).data.buffer);
	strips.fills = Uint32Array.from({length: 256}, (_, code) => pixelOf(placeColor(pyramidSource(code))));
	Object.assign(strips, {palette: paletteCache, by: state.color, ground: pixelOf(color('--computing')), wait: pixelOf(color('--waiting'))});
}

/* An image of that size, and a canvas for it; empty. */
function stripImage(width, height) {
	const key = width + 'x' + height;
	if (strips.images.size > 8) strips.images.clear();
	if (!strips.images.has(key)) {
		const canvas = document.createElement('canvas');
		canvas.width = width;
		canvas.height = height;
		const context = canvas.getContext('2d'), image = context.createImageData(width, height);
		strips.images.set(key, {canvas, context, image, pixels: new Uint32Array(image.data.buffer)});
	}
	const strip = strips.images.get(key);
	strip.pixels.fill(0);
	return strip;
}

/* Shares of bins, a column a pixel: waiting from the top, then calls. */
function drawShares(c, view, row) {
	if (!run.pyramid) return;
	prepareStrips();
	const ratio = window.devicePixelRatio || 1, wide = view.right - view.left, width = Math.max(1, Math.round(wide * ratio));
	const height = Math.max(1, Math.round(row.height * ratio)), strip = stripImage(width, height), {pixels} = strip;
	const level = pyramidLevel((view.until - view.from) / width), base = row.thread.row * level.bins;
	const step = (view.until - view.from) / width / level.bin_ns, start = (view.from - run.from) / level.bin_ns;
	for (let x = 0; x < width; x++) {
		const first = Math.max(0, Math.floor(start + x * step)), last = Math.min(level.bins, Math.max(first + 1, Math.floor(start + (x + 1) * step)));
		let busy = 0, wait = 0, most = 0, code = 255;
		for (let i = base + first; i < base + last; i++) {
			busy += level.busy[i];
			wait += Math.min(level.wait[i], level.busy[i]);
			if (level.busy[i] > most) {
				most = level.busy[i];
				code = level.source[i];
			}
		}
		if (!busy) continue;
		const all = 255 * (last - first);
		if (height < 4) { /* no room for parts: a mixture */
			const waits = state.waits ? wait / all : 0, colour = mixPixels([[strips.ground, 1 - busy / all], [strips.wait, waits],
				[strips.fills[code], busy / all - waits]]);
			for (let y = 0; y < height; y++) pixels[y * width + x] = colour;
			continue;
		}
		const waiting = state.waits ? Math.round(height * wait / all) : 0;
		const end = Math.max(1, Math.round(height * busy / all)), fill = strips.fills[code], column = x % strips.size;
		for (let y = 0, at = x; y < end; y++, at += width)
			pixels[at] = y < waiting ? strips.tile[y % strips.size * strips.size + column] : fill;
	}
	strip.context.putImageData(strip.image, 0, 0);
	c.drawImage(strip.canvas, view.left, row.y, wide, row.height);
}

/* --- calls --------------------------------------------------------------------- */

function drawBar(c, view, row, i, left, right) {
	const source = run.sources.get(calls.source[i]), fill = placeColor(source);
	c.globalAlpha = isFiltered(i) ? 1 : 0.15;
	c.fillStyle = fill;
	c.fillRect(left, row.y, Math.max(0.6, right - left), row.height);
	if (state.waits && calls.waits[i]) {
		const starts = calls.waitTable.column('start_ns'), ends = calls.waitTable.column('end_ns');
		for (let w = calls.wait[i], n = calls.waits[i]; n > 0; w++, n--) {
			const a = Math.max(view.left, view.x(starts[w])), b = Math.min(view.right, view.x(ends[w]));
			if (b - a < 0.6) continue;
			c.fillStyle = hatch(c);
			c.fillRect(a, row.y, b - a, row.height);
			c.fillStyle = fill;
			c.fillRect(a, row.y, b - a, Math.min(3, row.height / 4));
		}
	}
	c.globalAlpha = 1;
}

/* The name in a bar from 60 px, with its time from 100; on a hatch on a plate. */
function drawName(c, row, name, time, left, right, plate) {
	const room = right - left - 10;
	if (room < 50 || row.height < 16) return;
	c.font = font(11);
	let text = room >= 90 ? name + ' ' + time : name;
	if (c.measureText(text).width > room) text = name;
	const width = c.measureText(text).width;
	if (width > room) return;
	const middle = row.y + row.height / 2;
	if (plate) {
		c.globalAlpha = 0.9;
		c.fillStyle = color('--panel');
		c.fillRect(left + 5, middle - 8, width + 8, 16);
		c.globalAlpha = 1;
	}
	c.fillStyle = plate ? color('--ink') : color('--second');
	c.textBaseline = 'middle';
	c.textAlign = 'left';
	c.fillText(text, left + 9, middle + .5);
}

function drawNames(c, view, row, first, last) {
	let end = Math.max(row.thread.first_ns, view.from);
	for (let i = first; i < last; i++) {
		if (calls.level[i] !== 1) continue;
		const left = Math.max(view.left, view.x(calls.start[i])), right = Math.min(view.right, view.x(calls.end[i]));
		const source = run.sources.get(calls.source[i]);
		drawName(c, row, source.operation, formatTime(calls.end[i] - calls.start[i]), left, right, true);
		drawName(c, row, 'computing', formatTime(calls.start[i] - end), view.x(end), left, false);
		end = Math.max(end, calls.end[i]);
	}
	const stop = Math.min(view.until, row.thread.last_ns);
	drawName(c, row, 'computing', formatTime(stop - end), view.x(end), Math.min(view.right, view.x(stop)), false);
}

/* Calls one by one; those below 0.6 px by the bins' shares, which lie below. */
function drawThreadRow(c, view, row) {
	drawGround(c, view, row);
	const full = isInFull(view.from, view.until), range = full ? callsIn(row.thread.row, view.from, view.until) : [0, 0];
	if (!full || range[1] - range[0] > denseCalls) {
		drawShares(c, view, row);
		return;
	}
	let far = -1;
	for (let i = range[0]; i < range[1]; i++) {
		if (calls.level[i] !== 1 || calls.end[i] < view.from) continue;
		const left = Math.max(view.left, view.x(calls.start[i])), right = Math.min(view.right, view.x(calls.end[i]));
		if (right < far + 0.3) continue; /* another one has this pixel */
		drawBar(c, view, row, i, left, right);
		far = right;
	}
	drawNames(c, view, row, range[0], range[1]);
}

/* --- overlays ---------------------------------------------------------------- */

/* Pieces of the path in view: {row, left, right}. Where they are many, of every 12 px the row that has most of it. */
function pathPieces(view, layout) {
	const t = calls.pathTable, list = [];
	if (!t.n) return list;
	const starts = t.column('start_ns'), ends = t.column('end_ns'), threads = t.column('thread_id');
	for (let i = firstFrom(ends, 0, t.n, view.from, false); i < t.n && starts[i] <= view.until; i++) {
		const thread = run.threadById.get(threads[i]), row = thread && layout.rowOf[thread.row];
		if (row) list.push({row, left: Math.max(view.left, view.x(starts[i])), right: Math.min(view.right, view.x(ends[i]))});
	}
	return list.length > (view.right - view.left) / 12 ? mergePieces(list, view) : list;
}

function mergePieces(list, view) {
	const merged = [];
	for (let left = view.left, i = 0; left < view.right; left += 12) {
		const right = Math.min(view.right, left + 12), sums = new Map();
		while (i < list.length && list[i].right <= left) i++;
		for (let k = i; k < list.length && list[k].left < right; k++)
			sums.set(list[k].row, (sums.get(list[k].row) || 0) + Math.min(right, list[k].right) - Math.max(left, list[k].left));
		const best = Array.from(sums).reduce((a, b) => b[1] > a[1] ? b : a, [null, 0])[0], last = merged[merged.length - 1];
		if (last && last.row === best) last.right = right;
		else if (best) merged.push({row: best, left, right});
	}
	return merged;
}

/* The critical path: 3 px below the bars with a halo, vertical where it changes the row. */
function drawPath(c, view, layout) {
	if (!state.path || !calls) return;
	const points = [];
	for (const {row, left, right} of pathPieces(view, layout)) {
		const y = row.y + row.height + Math.min(5, (row.pitch - row.height) / 2);
		points.push([left, y], [right, y]);
	}
	if (!points.length) return;
	for (const [width, stroke] of [[7, '--page'], [3, '--ink']]) {
		c.strokeStyle = color(stroke);
		c.lineWidth = width;
		c.lineJoin = 'miter';
		c.beginPath();
		points.forEach((p, i) => i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1]));
		c.stroke();
	}
}

function drawArrowHead(c, x, y, angle, size) {
	c.beginPath();
	c.moveTo(x, y);
	c.lineTo(x - size * Math.cos(angle - .42), y - size * Math.sin(angle - .42));
	c.lineTo(x - size * Math.cos(angle + .42), y - size * Math.sin(angle + .42));
	c.closePath();
	c.fill();
}

/* Messages: all that are in view when they are at most 400, else those of the clicked call. */
function drawMessages(c, view, layout) {
	if (!calls || !state.messages) return;
	const t = calls.messageTable, sent = t.n ? t.column('sent_ns') : [], chosen = calls.messageOf.get(state.event) || [];
	let list = [];
	const last = firstFrom(sent, 0, t.n, view.until, false);
	for (let i = 0; i < last && list.length <= 400; i++)
		if ((t.get('received_ns', i) || 0) >= view.from) list.push(i);
	if (list.length > 400 || !isInFull(view.from, view.until)) list = [];
	c.save();
	c.beginPath();
	c.rect(view.left, 0, view.right - view.left, layout.height);
	c.clip();
	for (const i of new Set(list.concat(chosen))) drawMessage(c, view, layout, t.row(i), chosen.includes(i));
	c.restore();
}

function drawMessage(c, view, layout, m, chosen) {
	const from = run.threadById.get(m.sender), to = run.threadById.get(m.receiver);
	const a = from && layout.rowOf[from.row], b = to && layout.rowOf[to.row];
	if (!a || !b || a === b || m.received_ns === null) return;
	const down = b.y > a.y, x1 = view.x(m.sent_ns), x2 = view.x(m.received_ns);
	const y1 = down ? a.y + a.height : a.y, y2 = down ? b.y : b.y + b.height;
	c.strokeStyle = c.fillStyle = color(chosen ? '--ink' : '--message');
	c.lineWidth = chosen ? 1.6 : 1;
	c.beginPath();
	c.moveTo(x1, y1);
	c.lineTo(x2, y2);
	c.stroke();
	drawArrowHead(c, x2, y2, Math.atan2(y2 - y1, x2 - x1), 7);
}

/* Instances to explain: of the shown finding those in view, and that of the clicked call. */
function causesInView(view) {
	const finding = shownFinding(), list = [];
	if (finding)
		for (const one of finding.instances)
			if (one.cause_ns !== null && one.cause_ns >= view.from && one.cause_ns <= view.until && list.length < 200) list.push(one);
	const i = callById(state.event);
	if (i >= 0 && calls.waits[i]) {
		const wait = calls.waitTable.row(calls.wait[i]);
		if (wait.cause_ns !== null && !list.some(one => one.waits.some(w => w.event_id === state.event)))
			list.push({waits: [Object.assign(wait, {thread_id: run.threads[calls.thread[i]].id})], cause_thread_id: wait.cause_thread_id,
				cause_ns: wait.cause_ns, start_ns: wait.start_ns, end_ns: wait.end_ns, ns: wait.end_ns - wait.start_ns});
	}
	return list;
}

/* The culprit's outlined stretch says what it did while the others waited. */
function drawMeanwhile(c, view, row, one, x) {
	const left = view.x(Math.max(one.start_ns, view.from)), width = Math.max(0, x - left), middle = (one.start_ns + one.cause_ns) / 2;
	const busy = calls && isInFull(middle, middle) ? callAt(row.threads[0].row, middle) : -1;
	const source = busy >= 0 && calls.level[busy] === 1 ? run.sources.get(calls.source[busy]) : null;
	if (width > 12 && !source) {
		c.fillStyle = color('--computing');
		c.fillRect(left, row.y, width, row.height);
		c.fillStyle = color('--cause');
		drawName(c, row, 'still computing', formatTime(one.cause_ns - one.start_ns), left, left + width, true);
	}
	c.strokeStyle = c.fillStyle = color('--cause');
	c.lineWidth = 2;
	c.strokeRect(left, row.y - 1, width, row.height + 2);
}

/* Rows with waits of an instance, each with one of them, first the clicked one: kept until the rows change. */
function victimsOf(one, layout, culprit) {
	if (one.victims && one.victims.layout === layout && one.victims.event === state.event) return one.victims.list;
	const list = new Map();
	for (const wait of one.waits) {
		const t = run.threadById.get(wait.thread_id), row = t && layout.rowOf[t.row];
		if (row && row !== culprit && (!list.has(row) || wait.event_id === state.event)) list.set(row, wait);
	}
	one.victims = {layout, event: state.event, list};
	return list;
}

/* A dot where the culprit at last arrives, a trunk through the rows, an arrow into every wait that it ended. */
function drawCause(c, view, layout, one, shown) {
	const thread = run.threadById.get(one.cause_thread_id), culprit = thread && layout.rowOf[thread.row];
	if (!culprit) return;
	const x = view.x(one.cause_ns), middle = culprit.y + culprit.height / 2;
	const victims = victimsOf(one, layout, culprit);
	c.strokeStyle = c.fillStyle = color('--cause');
	c.globalAlpha = shown ? 1 : 0.55;
	if (culprit.height >= 10 && shown && culprit.kind === 'thread') {
		drawMeanwhile(c, view, culprit, one, x);
	}
	for (const [row, wait] of victims) {
		const y = row.y + row.height / 2, thick = wait.event_id === state.event;
		c.lineWidth = thick ? 3 : 1.4;
		c.beginPath();
		c.moveTo(x, middle);
		c.lineTo(x, y);
		c.stroke();
		const tip = Math.min(x - 14, view.x(wait.end_ns) - 6);
		c.beginPath();
		c.moveTo(x, y);
		c.lineTo(tip + 6, y);
		c.stroke();
		drawArrowHead(c, tip, y, Math.PI, 9);
	}
	c.beginPath();
	c.arc(x, middle, shown ? 5 : 3, 0, 2 * Math.PI);
	c.fill();
	c.lineWidth = 1.5;
	c.strokeStyle = color('--page');
	c.stroke();
	c.globalAlpha = 1;
}

function drawCauses(c, view, layout) {
	if (!state.causes) return;
	const shown = shownInstance(), all = causesInView(view), crowded = all.length * 20 > view.right - view.left;
	/* Where there is no room for all, the shown one and that of the clicked call. */
	for (const one of all.filter(o => !crowded || o === shown || o.waits.some(w => w.event_id === state.event))) drawCause(c, view, layout, one, one === shown || one.waits.some(w => w.event_id === state.event));
}

/* What the culprit did meanwhile, in words beside its outline. */
function drawCauseText(c, view, layout) {
	const one = shownInstance();
	if (!one || !state.causes || one.cause_ns === null || one.cause_ns < view.from || one.cause_ns > view.until) return;
	const thread = run.threadById.get(one.cause_thread_id), row = thread && layout.rowOf[thread.row];
	if (!row) return;
	c.font = font(11, 600);
	c.fillStyle = color('--cause');
	c.textBaseline = 'alphabetic';
	const text = 'caused by ' + thread.name + ', ' + formatTime(one.ns) + ' later', width = c.measureText(text).width;
	const x = Math.min(view.x(one.cause_ns) + 10, view.right - width);
	if (row.pitch - row.height < 16) return;
	const y = row.y > rowGeometry.top + 10 ? row.y - 8 : row.y + row.height + 18;
	c.globalAlpha = .9;
	c.fillStyle = color('--page');
	c.fillRect(x - 3, y - 11, width + 6, 15);
	c.globalAlpha = 1;
	c.fillStyle = color('--cause');
	c.fillText(text, x, y);
}

/* The clicked call: an ink frame. */
function drawClicked(c, view, layout) {
	const i = callById(state.event);
	if (i < 0 || calls.end[i] < view.from || calls.start[i] > view.until) return;
	const row = layout.rowOf[calls.thread[i]];
	if (!row) return;
	const left = Math.max(view.left, view.x(calls.start[i])), right = Math.min(view.right, view.x(calls.end[i]));
	c.strokeStyle = color('--ink');
	c.lineWidth = 2;
	c.strokeRect(left - 2, row.y - 2, Math.max(3, right - left) + 4, row.height + 4);
}
