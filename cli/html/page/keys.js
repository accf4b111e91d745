/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys: one list for what they do and for the help. */

/* [keys, help, what they do]; a key is event.key, "Shift+N" with Shift. */
const keyList = [
	[['w', '+', '='], 'zoom in', () => zoomAt(middleOfWindow(), 0.6)],
	[['s', '-'], 'zoom out', () => zoomAt(middleOfWindow(), 1 / 0.6)],
	[['a', 'ArrowLeft'], 'earlier', () => shiftWindow(-0.15)],
	[['d', 'ArrowRight'], 'later', () => shiftWindow(0.15)],
	[['0'], 'the whole run', () => showWindow(run.from, run.until, true)],
	[['Backspace'], 'back to the former window', goBack],
	[['n'], 'the next instance of the finding, by length', () => stepInstance(1)],
	[['Shift+N'], 'the previous one', () => stepInstance(-1)],
	[['c'], 'to the cause of the clicked call', goToCause],
	[['m'], 'to the other end of its message', goToPartner],
	[['p'], 'pin or unpin the clicked row', () => state.thread !== null && togglePin(state.thread)],
	[['/'], 'search: an operation, a line, a rank', () => document.getElementById('search').focus()],
	[['t'], 'pictures as tables', toggleTables],
	[['i'], 'save the time line as a picture', savePicture],
	[['?'], 'this list', () => document.getElementById('help').showModal()],
	[['Escape'], 'close, choose nothing', () => setState({event: null, thread: null, interval: null, threads: null, source: null, filter: null})],
];

function middleOfWindow() {
	return timeline.hover ? timelineView(timeline.picture.node.clientWidth).ns(timeline.hover.x) : (state.from + state.until) / 2;
}

function shiftWindow(share) {
	const by = share * (state.until - state.from);
	showWindow(state.from + by, state.until + by);
}

function goToCause() {
	const i = callById(state.event);
	if (i >= 0 && calls.waits[i]) goTo(calls.waitTable.get('cause_event_id', calls.wait[i]));
}

function goToPartner() {
	const m = calls && (calls.messageOf.get(state.event) || [])[0];
	if (m === undefined || m === null) return;
	const row = calls.messageTable.row(m);
	goTo(row.send_event_id === state.event ? row.receive_event_id : row.send_event_id);
}

/* Arrows on the time line go from call to call of the clicked row. */
function stepCall(step) {
	let i = callById(state.event);
	if (i < 0) return;
	const row = calls.rows[calls.thread[i]];
	for (i += step; i >= row.first && i < row.last && calls.level[i] !== 1;) i += step;
	if (i >= row.first && i < row.last) goTo(calls.id[i]);
}

/* To the call of another row at the same time. */
function stepRow(step) {
	const i = callById(state.event), rows = timeline.layout.rows.filter(row => row.kind === 'thread');
	const at = rows.findIndex(row => row.thread.row === calls.thread[i]), row = rows[at + step];
	if (at < 0 || !row) return;
	const [first, last] = callsIn(row.thread.row, calls.start[i], run.until + 1);
	for (let k = first; k < last; k++) if (calls.level[k] === 1) return void goTo(calls.id[k]);
}

/* The first call in view of the clicked row, or of the first one. */
function enterRow() {
	const row = run.threadById.get(state.thread) || (timeline.layout.rows.find(r => r.kind === 'thread') || {}).thread;
	if (!row || !isInFull(state.from, state.until)) return;
	const [first, last] = callsIn(row.row, state.from, state.until);
	for (let i = first; i < last; i++) if (calls.level[i] === 1) return void goTo(calls.id[i]);
}

function savePicture() {
	const link = make('a', {href: timeline.picture.node.toDataURL('image/png'), download: (run.report.summary.program || 'run') + '.png'});
	link.click();
}

function onKey(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
	if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
		if (event.key === 'Escape') event.target.blur();
		return;
	}
	if (event.target === timeline.picture.node && event.key.startsWith('Arrow') && callById(state.event) >= 0) {
		if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') stepCall(event.key === 'ArrowLeft' ? -1 : 1);
		else stepRow(event.key === 'ArrowUp' ? -1 : 1);
		event.preventDefault();
		return;
	}
	if (event.target === timeline.picture.node && event.key === 'Enter') {
		enterRow();
		return;
	}
	const key = event.shiftKey && /^[A-Z]$/.test(event.key) ? 'Shift+' + event.key : event.key;
	const found = keyList.find(entry => entry[0].includes(key));
	if (!found) return;
	event.preventDefault();
	found[2]();
}

function makeHelp() {
	return make('dialog', {id: 'help', 'aria-label': 'keys'}, make('form', {method: 'dialog'}, make('button', {class: 'close', 'aria-label': 'close'}, '×')),
		make('h2', {}, 'Keys and mouse'), make('dl', {},
			keyList.map(([keys, help]) => [make('dt', {}, keys.slice(0, 2).map(k => make('kbd', {}, k.length === 1 ? k.toUpperCase() : k))), make('dd', {}, help)]),
			[['wheel', 'zoom at the pointer; with Shift: move'], ['drag', 'move the window; on the time axis: choose an interval; on labels: choose rows'],
				['click', 'what a call is, whom it waited for; on the overview: go there'], ['two fingers', 'zoom and move'],
				['Tab', 'through the findings to the time line; Enter: show the finding, the first call'],
				['← → ↑ ↓', 'with the time line in focus: from call to call, from row to row']].map(([what, help]) => [make('dt', {}, what), make('dd', {}, help)])));
}

headerTools.push(node => {
	const help = makeHelp();
	node.append(make('button', {'aria-label': 'keys', title: 'keys (?)', on: {click: () => help.showModal()}}, '?'));
	document.body.append(help);
	document.addEventListener('keydown', onKey);
});
