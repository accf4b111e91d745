/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collective calls: who is in one, who came last; names of teams and ranks in arguments. */

/* The collective of a call: {id, team_id, sequence, root, expected, seen, first_enter_ns, last_enter_ns, last_thread_id, last_event_id}, or null. */
function collectiveOf(i) {
	const id = i < 0 || calls === null ? undefined : calls.collectiveOf.get(calls.id[i]), table = calls && calls.collectiveCalls;
	if (id === undefined || !table.n) return null;
	const at = firstFrom(table.column('id'), 0, table.n, id, false);
	return at < table.n && table.column('id')[at] === id ? table.row(at) : null;
}

/* Indices of the calls of a collective that are in the page; those of the last ones are kept. */
const membersKept = new Map();
function membersOf(id) {
	if (membersKept.size > 4) membersKept.clear();
	if (!membersKept.has(id)) membersKept.set(id, findMembers(id));
	return membersKept.get(id);
}

function findMembers(id) {
	const table = calls.collectiveTable, of = table.column('collective_id'), events = table.column('event_id'), list = [];
	for (let i = firstFrom(of, 0, table.n, id, false); i < table.n && of[i] === id; i++) list.push(callById(events[i]));
	return list.filter(i => i >= 0);
}

/* Entries of the members: {row, x, y, last}, from the top; of those in a cluster at one pixel one. */
function collectivePoints(view, layout, collective) {
	const points = [], taken = new Set();
	for (const m of membersOf(collective.id)) {
		const row = layout.rowOf[calls.thread[m]], x = view.x(calls.start[m]), last = calls.id[m] === collective.last_event_id;
		if (!row) continue;
		const key = Math.round(x) * layout.rows.length + layout.rows.indexOf(row);
		if (row.kind !== 'thread' && !last && taken.has(key)) continue;
		taken.add(key);
		points.push({row, x, y: row.y + row.height / 2, last});
	}
	return points.sort((a, b) => a.y - b.y);
}

/* A line through the members' entries, a dot at each; the last one's is full. */
function drawCollective(c, view, layout, i, clicked) {
	const collective = collectiveOf(i);
	if (!collective) return;
	const points = collectivePoints(view, layout, collective);
	c.save();
	c.beginPath();
	c.rect(view.left, rowGeometry.top - 4, view.right - view.left, layout.height);
	c.clip();
	for (const [width, stroke] of [[clicked ? 4.5 : 4, '--page'], [clicked ? 1.8 : 1.4, clicked ? '--ink' : '--third']]) {
		c.strokeStyle = color(stroke);
		c.lineWidth = width;
		c.beginPath();
		points.forEach((p, n) => n ? c.lineTo(p.x, p.y) : c.moveTo(p.x, p.y));
		c.stroke();
	}
	for (const p of points) {
		c.beginPath();
		c.arc(p.x, p.y, p.last ? 4.5 : 3, 0, 2 * Math.PI);
		c.fillStyle = p.last ? c.strokeStyle : color('--panel');
		c.fill();
		c.stroke();
	}
	c.restore();
}

function drawCollectives(c, view, layout) {
	if (!calls) return;
	const clicked = callById(state.event), hovered = timeline.hover ? timeline.hover.call : -1;
	drawCollective(c, view, layout, clicked, true);
	if (hovered >= 0 && (clicked < 0 || calls.collectiveOf.get(calls.id[hovered]) !== calls.collectiveOf.get(calls.id[clicked]))) drawCollective(c, view, layout, hovered, false);
}

/* "MPI_COMM_WORLD"; "split 5" of one without a name. */
function teamName(id) {
	const team = calls.teams.get(id);
	return !team ? 'team ' + id : team.name === team.kind && team.kind !== 'world' ? team.name + ' ' + id : team.name;
}

/* "number 3 on MPI_COMM_WORLD"; a start of a persistent one: "start 2 of number 3 on ...". */
function collectiveNumber(collective) {
	const starts = Math.floor(collective.sequence / 2 ** 32);
	if (starts >= 256) return 'the program’s end';
	return (starts ? 'start ' + formatCount(starts) + ' of ' : '') + 'number ' + formatCount(collective.sequence % 2 ** 32 + 1) + ' on ' + teamName(collective.team_id);
}

function makeCollective(i) {
	const one = collectiveOf(i);
	if (!one) return null;
	const spread = one.last_enter_ns - one.first_enter_ns, self = one.last_event_id === calls.id[i];
	return [make('h4', {}, 'Collective'), makeFacts([['which', collectiveNumber(one)],
		['members', formatCount(one.seen) + (one.expected > one.seen ? ' of ' + formatCount(one.expected) + ', the others are not recorded' : '')],
		['root', one.root === null ? null : threadName(one.root)],
		['came last', one.seen < 2 ? null : [threadName(one.last_thread_id) + ', ' + formatTime(spread) + ' after the first ', self ? null : makeJump('go there', one.last_event_id)]]])];
}

/* --- arguments ------------------------------------------------------------------- */

/* Arguments that are ranks: what -1 and -2 mean. */
const rankArguments = {peer: ['none', 'not known'], posted_peer: ['any', 'none'], receive_peer: ['none', 'not known'], root: ['none', 'none'],
	source_thread: ['none', 'none'], target_thread: ['none', 'none']};
const byteArguments = new Set(['bytes', 'bytes_received', 'limit', 'element_bytes']);

function teamOfCall(i) {
	const collective = collectiveOf(i), message = (calls.messageOf.get(calls.id[i]) || [])[0];
	return collective ? collective.team_id : message === undefined ? null : calls.messageTable.get('team_id', message);
}

/* An argument's value as text: names of teams and ranks, units. */
function argumentText(i, name, value) {
	if (rankArguments[name])
		return value < 0 ? rankArguments[name][-1 - value] || String(value) : run.word + ' ' + value;
	if (name === 'posted_tag' && value < 0) return value === -1 ? 'any' : 'none';
	if (byteArguments.has(name)) return formatBytes(value);
	if (name !== 'team') return formatCount(value);
	const team = teamOfCall(i);
	return team === null ? 'number ' + formatCount(value) + ' of the process' : teamName(team);
}
