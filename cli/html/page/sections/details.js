/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clicked call: what, where, how long, for whom it waited, its partners. */

function makeFacts(pairs) {
	return make('dl', {}, pairs.filter(p => p[1] !== null && p[1] !== undefined && p[1] !== '').map(([name, value]) =>
		[make('dt', {}, name), make('dd', {}, value)]));
}

function goTo(eventId) {
	const i = callById(eventId);
	if (i < 0) return;
	setState({event: eventId, thread: run.threads[calls.thread[i]].id});
	if (calls.end[i] < state.from || calls.start[i] > state.until) {
		const width = state.until - state.from, middle = (calls.start[i] + calls.end[i]) / 2;
		showWindow(middle - width / 2, middle + width / 2, true);
	}
}

function makeJump(text, eventId, key) {
	return callById(eventId) < 0 ? null : make('button', {on: {click: () => goTo(eventId)}}, text, key ? make('kbd', {}, key) : '');
}

function describeCall(eventId) {
	const i = callById(eventId);
	if (i < 0) return 'not in the page';
	const source = run.sources.get(calls.source[i]);
	return source.operation + (source.location ? ' at ' + source.location : '');
}

function causeOf(wait) {
	if (wait.cause_thread_id === null) return [make('h4', {}, 'Waiting: ' + wait.kind), make('p', {}, 'For whom is not known.')];
	const name = threadName(wait.cause_thread_id), source = callById(wait.cause_event_id) < 0 ? null : describeCall(wait.cause_event_id);
	return [make('h4', {}, 'Caused by ' + name),
		make('p', {}, wait.kind + ': ' + name + (source ? ' came to ' + source : ' ended it') +
			(wait.cause_ns === null ? '' : ' at ' + formatMoment(wait.cause_ns, 1000) + ' s') + ', ' + formatTime(wait.end_ns - wait.start_ns) +
			' after the waiting began.')];
}

function makeCauses(i) {
	if (!calls.waits[i]) return null;
	const list = [];
	for (let w = calls.wait[i], n = calls.waits[i]; n > 0 && list.length < 4; w++, n--) list.push(calls.waitTable.row(w));
	return make('div', {class: 'cause-box'}, list.map(causeOf), make('p', {class: 'buttons'},
		makeJump('go to the cause', list[0].cause_event_id, 'C'),
		findings.length ? make('button', {on: {click: () => stepInstance(1)}}, 'next worst', make('kbd', {}, 'N')) : null));
}

function makePartners(id) {
	const t = calls.messageTable;
	return (calls.messageOf.get(id) || []).slice(0, 8).map(m => {
		const row = t.row(m), sends = row.send_event_id === id, other = sends ? row.receive_event_id : row.send_event_id;
		const peer = threadName(sends ? row.receiver : row.sender);
		return makeFacts([[sends ? 'message to' : 'message from', [peer + ', ' + formatBytes(row.bytes) + ', tag ' + row.tag + ' ',
			makeJump('its ' + (sends ? 'receive' : 'send'), other)]]]);
	});
}

/* Calls up to which the page has all arguments (sql/page/page.sql). */
const argumentCalls = 30000;

/* Arguments of a call, when they are inflated. */
async function addArguments(node, i) {
	const [values, names] = await loadChunks(['arguments', 'argument_names']);
	const nameOf = new Map(names.rows().map(row => [row.id, row])), ids = values.n ? values.column('event_id') : [], list = [];
	for (let a = 0; a < values.n; a++)
		if (ids[a] === calls.id[i]) {
			const about = nameOf.get(values.get('argument_id', a));
			if (about && about.code !== 'h' && about.code !== 'p') list.push([about.name.replace(/_/g, ' '), argumentText(i, about.name, values.get('value', a))]);
		}
	if (!node.isConnected) return;
	if (list.length) append(node, [make('h4', {}, 'Arguments'), makeFacts(list)]);
	else if (calls.n > argumentCalls) append(node, [make('h4', {}, 'Arguments'), make('p', {class: 'sub'}, 'In the database: the page has those of the calls that wait longest.')]);
}

function makeCallDetails(i) {
	const id = calls.id[i], source = run.sources.get(calls.source[i]), thread = run.threads[calls.thread[i]];
	const took = calls.end[i] - calls.start[i], wait = waitingOf(i), peer = calls.table.get('peer', i);
	const strip = make('div', {class: 'strip tall'}, [['hatched', wait], ['', took - wait]].map(([kind, ns]) => {
		const part = make('i', {class: kind, data: kind ? {} : {category: source.category}});
		part.style.flexGrow = took ? ns / took : 0;
		return part;
	}));
	const box = make('div', {}, make('button', {class: 'close', 'aria-label': 'close', on: {click: () => setState({event: null})}}, '×'),
		make('h3', {}, source.operation), make('p', {class: 'sub'}, thread.name + (source.function ? ', in ' : ''),
			source.function ? make('code', {}, source.function) : '', source.location ? ', ' : '',
			source.location ? make('button', {class: 'link', on: {click: () => setState({source: source.id})}}, source.location) : ''),
		strip, make('p', {class: 'ends'}, make('span', {}, make('b', {}, formatTime(wait)), ' waiting'), make('span', {}, formatTime(took - wait) + ' itself')),
		makeFacts([['began', formatMoment(calls.start[i], 1000) + ' s'], ['took', formatTime(took)], ['category', categoryNames[source.category]],
			['bytes', calls.table.get('bytes', i) === null ? null : formatBytes(calls.table.get('bytes', i))],
			['peer', peer === null ? null : threadName(peer)], ['open', calls.table.get('open', i) ? 'it never ended' : null]]),
		makeCauses(i), makeCollective(i), makePartners(id));
	const finding = findings.find(f => f.instances.some(one => one.waits.some(w => w.event_id === id)));
	if (finding && finding.advice)
		append(box, [make('h4', {}, 'Try'), make('p', {}, upper(finding.advice) + '.'),
			finding.holds_when ? make('p', {class: 'sub'}, 'Holds when ' + finding.holds_when + '.') : null]);
	addArguments(box, i);
	return box;
}

/* Without a clicked call: the clicked thread. */
function makeThreadDetails(thread) {
	const c = run.categoryTable, pairs = [], time = thread.last_ns - thread.first_ns, row = thread.row;
	for (let i = 0; i < c.n; i++)
		if (c.column('thread_id')[i] === thread.id) pairs.push([categoryNames[c.get('category', i)] || c.get('category', i), formatTime(c.column('time_ns')[i])]);
	const mean = run.computing.reduce((sum, ns) => sum + ns, 0) / run.threads.length, share = formatShare;
	if (mean > 0 && run.threads.length > 1) pairs.push(['it computes', formatDigits(run.computing[row] / mean) + ' times the mean']);
	pairs.push(['waits', formatTime(run.waited[row]) + ', ' + share(run.waited[row] / time) + ' of its time'],
		['blamed for', formatTime(run.blamed[row]) + (run.blamedSum ? ', ' + share(run.blamed[row] / run.blamedSum) + ' of all waiting' : '')],
		['on the path', share(run.onPath[row] / (run.until - run.from)) + ' of the run'],
		['was late for', formatCount(run.caused[row]) + ' waits of others']);
	return make('div', {}, make('button', {class: 'close', 'aria-label': 'close', on: {click: () => setState({thread: null})}}, '×'),
		make('h3', {}, upper(thread.name)), make('p', {class: 'sub'}, thread.host ? 'host ' + thread.host : ''),
		makeFacts(pairs),
		make('p', {class: 'buttons'}, make('button', {on: {click: () => togglePin(thread.id)}},
			state.pinned.includes(thread.id) ? 'unpin' : 'pin', make('kbd', {}, 'P'))));
}

function togglePin(id) {
	setState({pinned: state.pinned.includes(id) ? state.pinned.filter(p => p !== id) : state.pinned.concat(id)});
}

function buildDetails(node) {
	const show = () => {
		const i = callById(state.event), thread = run.threadById.get(state.thread);
		node.hidden = i < 0 && !thread;
		replaceChildren(node, i >= 0 ? makeCallDetails(i) : thread ? makeThreadDetails(thread) : []);
	};
	onState(['event', 'thread', 'callsRead', 'findingsRead', 'pinned'], show);
	show();
}
