/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows by host: a line with its name above each host's threads; folded: one row with their shares. */

const hostLine = 18; /* px */

function isFolded(host) {
	return state.folded.includes(run.hosts.indexOf(host));
}

function toggleHost(host) {
	const i = run.hosts.indexOf(host);
	setState({folded: state.folded.includes(i) ? state.folded.filter(one => one !== i) : state.folded.concat(i)});
}

/* Rows of threads with those of their hosts: {kind: 'host', host, folded, threads (folded: all of the host's)}. */
function addHostRows(rows) {
	const pinned = rows.filter(row => state.pinned.includes(row.thread.id)), list = pinned;
	for (const host of run.hosts) {
		const own = rows.filter(row => (row.thread.host || '') === host && !pinned.includes(row)), folded = isFolded(host);
		const label = (host || '?') + ', ' + own.length + ' ' + (own.length === 1 ? run.word : run.words);
		if (own.length) list.push({kind: 'host', host, folded, threads: folded ? own.map(row => row.thread) : [], label, tall: folded ? 0 : hostLine, weight: 2});
		if (!folded) list.push(...own);
	}
	return list;
}

/* A bin's shares: waiting, then calls by colour; what is left is computing. */
function hostBin(level, b, threads) {
	const calling = new Map();
	let wait = 0;
	for (const thread of threads) {
		const i = thread.row * level.bins + b, busy = level.busy[i], waiting = state.waits ? Math.min(busy, level.wait[i]) : 0;
		if (!busy) continue;
		wait += waiting;
		const fill = placeColor(pyramidSource(level.source[i]));
		calling.set(fill, (calling.get(fill) || 0) + busy - waiting);
	}
	return {wait, calling};
}

function drawHostShares(c, view, row) {
	const level = pyramidLevel((view.until - view.from) / (view.right - view.left)), scale = row.height / 255 / row.threads.length;
	const first = Math.max(0, Math.floor((view.from - run.from) / level.bin_ns)), last = Math.min(level.bins - 1, Math.ceil((view.until - run.from) / level.bin_ns));
	const text = bin => bin.wait + ' ' + Array.from(bin.calling).join();
	for (let b = first, n; b <= last; b += n) {
		const bin = hostBin(level, b, row.threads);
		for (n = 1; b + n <= last && text(hostBin(level, b + n, row.threads)) === text(bin);) n++; /* equal ones at once: no seams */
		const left = Math.max(view.left, view.x(run.from + b * level.bin_ns)), wide = Math.min(view.right, view.x(run.from + (b + n) * level.bin_ns)) - left;
		let y = row.y;
		for (const [fill, amount] of [[hatch(c), bin.wait]].concat(Array.from(bin.calling))) {
			c.fillStyle = fill;
			c.fillRect(left, y, Math.max(0, wide), amount * scale);
			y += amount * scale;
		}
	}
}

function drawHostRow(c, view, row) {
	if (!row.folded) {
		c.fillStyle = color('--rule');
		c.fillRect(0, row.y + hostLine - 5, view.right, 1);
		return;
	}
	const first = Math.min(...row.threads.map(t => t.first_ns)), last = Math.max(...row.threads.map(t => t.last_ns));
	const left = Math.max(view.left, view.x(first)), right = Math.min(view.right, view.x(last));
	c.fillStyle = color('--computing');
	c.fillRect(left, row.y, Math.max(0, right - left), row.height);
	if (run.pyramid) drawHostShares(c, view, row);
}

function drawHostLabel(c, row) {
	c.font = font(11, 600);
	c.fillStyle = color('--second');
	if (!row.folded) {
		c.fillText('▾ ' + row.label, 0, row.y + 4);
		return;
	}
	c.fillText(fitStart(c, '▸ ' + (row.host || '?'), rowGeometry.label + 10), 0, row.y + row.height / 2 - 7);
	c.font = font(11);
	c.fillText(row.threads.length + ' ' + run.words, 12, row.y + row.height / 2 + 7);
}

/* A text cut to a width at its end. */
function fitStart(c, text, width) {
	let n = text.length;
	while (n > 3 && c.measureText(text.slice(0, n) + (n < text.length ? '…' : '')).width > width) n--;
	return text.slice(0, n) + (n < text.length ? '…' : '');
}

/* A button that folds all hosts, or none. */
function makeFoldButton() {
	if (run.hosts.length < 2 || run.threads.length > clusterLimit) return null;
	const button = make('button', {on: {click: () => setState({folded: state.folded.length < run.hosts.length ? run.hosts.map((_, i) => i) : []})},
		title: 'a row for each host', 'aria-label': 'a row for each host'}, 'fold');
	const mark = () => button.setAttribute('aria-pressed', String(state.folded.length === run.hosts.length));
	onState(['folded'], mark);
	mark();
	return button;
}
