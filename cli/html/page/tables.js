/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as tables: key T. A section's tableOf() is {columns: [name], rows: [[value]]}, or a promise of it. */

const tableRows = 1000; /* at most */

function makeTextTable(table) {
	const more = table.rows.length - tableRows;
	return make('div', {class: 'as-table'}, make('table', {}, make('thead', {}, make('tr', {}, table.columns.map(c => make('th', {scope: 'col'}, c)))),
		make('tbody', {}, table.rows.slice(0, tableRows).map(row => make('tr', {}, row.map(value =>
			make('td', typeof value === 'number' ? {class: 'number'} : {}, typeof value === 'number' ? formatCount(value) : value)))))),
	more > 0 ? make('p', {class: 'sub'}, formatCount(more) + ' more rows.') : null);
}

async function toggleTables() {
	const on = !document.body.classList.contains('tables');
	document.body.classList.toggle('tables', on);
	for (const node of document.querySelectorAll('.as-table')) node.remove();
	if (!on) return;
	for (const section of document.querySelectorAll('section'))
		if (section.tableOf) section.append(makeTextTable(await section.tableOf()));
}

/* The calls of the window, for the time line's table. */
function timelineTable() {
	const rows = [];
	if (calls)
		for (const thread of chosenThreads()) {
			const [first, last] = callsIn(thread.row, ...chosenInterval());
			for (let i = first; i < last && rows.length <= tableRows; i++) {
				const source = run.sources.get(calls.source[i]);
				rows.push([thread.name, source.operation, source.location || '', calls.start[i], calls.end[i] - calls.start[i], waitingOf(i)]);
			}
		}
	return {columns: [run.word, 'operation', 'line', 'start ns', 'duration ns', 'waiting ns'], rows};
}
