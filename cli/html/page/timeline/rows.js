/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of the time line: {kind: 'thread', thread, y, height, label}, {kind: 'host', ...} (hosts.js) or {kind: 'cluster', threads, ...} (clusters.js).
 * y and height are those of the bar's area in CSS pixels; below a bar is room for the critical path.
 */

const rowGeometry = {label: 64, top: 46, pathRoom: 7, least: 12, most: 67, tall: 640};

/* Threads on the time line as rows: pinned ones first, then by id. */
function listRows() {
	const pinned = state.pinned.map(id => run.threadById.get(id)).filter(Boolean);
	const others = run.threads.filter(t => !state.pinned.includes(t.id));
	return pinned.concat(others).map(thread => ({kind: 'thread', thread, threads: [thread], label: run.word + ' ' + thread.short}));
}

/* Lays rows out; returns {rows, height, rowOf: by thread.row}. */
function layRows() {
	const many = run.threads.length > clusterLimit;
	const rows = many ? listClusters() : run.hosts.length > 1 ? addHostRows(listRows()) : listRows();
	const g = rowGeometry, weight = rows.reduce((sum, r) => sum + (r.tall ? 0 : r.weight || 1), 0), least = many ? 56 : g.least, most = many ? 84 : g.most;
	const unit = Math.max(least, Math.min(most, Math.floor(g.tall / Math.max(1, weight))));
	const rowOf = new Array(run.threads.length).fill(null);
	let y = g.top;
	for (const row of rows) {
		const tall = row.tall || Math.round(unit * (row.weight || 1));
		row.pitch = tall;
		row.y = y;
		row.height = Math.max(6, tall > 30 && row.kind === 'thread' ? Math.round(tall / 2) : tall - Math.min(many ? 16 : g.pathRoom, tall / 4));
		for (const thread of row.threads) rowOf[thread.row] = row;
		y += tall;
	}
	return {rows, height: y + 6, rowOf};
}

const clusterLimit = 64;

/* The row at a height; null: none. */
function rowAt(layout, y) {
	return layout.rows.find(row => y >= row.y - 2 && y < row.y + row.pitch - 2) || null;
}
