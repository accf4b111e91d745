/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that have only their largest rows (sql/page/page.sql): what the rest of each is, in numbers and in words. */

/* By chunk: {n, ns, bytes, calls}: rows and sums without the limit. */
async function loadWholes() {
	run.wholes = new Map((await loadChunk('wholes')).rows().map(row => [row.chunk, row]));
}

function sumOf(table, column) {
	let sum = 0;
	for (let i = 0; i < table.n; i++) sum += table.get(column, i) || 0;
	return sum;
}

/*
 * What a table lacks: {shown, n (rows of both), ns, bytes, calls}; null: nothing. columns: names of the table's columns for these,
 * as {ns, bytes, calls}; shown: its number of rows, if these are not what is counted.
 */
function restOf(chunk, table, columns, shown) {
	const whole = run.wholes.get(chunk), rest = {shown: shown === undefined ? table.n : shown, n: whole ? whole.n : 0, ns: 0, bytes: 0, calls: 0};
	if (rest.n <= rest.shown) return null;
	for (const key of ['ns', 'bytes', 'calls'])
		if (columns[key]) rest[key] = Math.max(0, whole[key] - sumOf(table, columns[key]));
	return rest;
}

/* "the 5,000 largest of 6,000 sums of waiting; the rest, 1.2 s, is in the database"; amounts: texts. */
function restText(rest, what, amounts) {
	return 'the ' + formatCount(rest.shown) + ' largest of ' + formatCount(rest.n) + ' ' + what + '; the rest, ' + amounts.join(', ') + ', is in the database';
}

/* A paragraph of such texts as sentences; null: there are none. */
function makeRest(texts) {
	const list = texts.filter(Boolean).map(upper);
	return list.length ? make('p', {class: 'sub rest'}, list.join('. ') + '.') : null;
}
