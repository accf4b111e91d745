/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search: operations, lines and ranks; what is found is chosen, and other calls are dimmed. "bytes>1000" filters by size. */

const searchRows = 10;

/* Hits of a text: {text, about, choose}. */
function searchHits(text) {
	const word = text.trim().toLowerCase(), hits = [];
	if (!word) return hits;
	const size = /^bytes\s*>=?\s*(\d+)$/.exec(word), rank = /^(?:rank|pe|thread|process)?\s*(\d+)$/.exec(word);
	if (size) hits.push({text: 'calls of at least ' + formatBytes(Number(size[1])), about: 'size', choose: () => setState({filter: {bytes: Number(size[1])}})});
	if (rank)
		for (const thread of run.threads)
			if (String(thread.rank) === rank[1]) hits.push({text: thread.name, about: thread.host || '', choose: () => chooseThread(thread)});
	const operations = new Set();
	for (const source of run.sources.values()) {
		if (source.operation.toLowerCase().includes(word) && !operations.has(source.operation)) {
			operations.add(source.operation);
			hits.push({text: source.operation, about: 'operation', choose: () => setState({filter: {operation: source.operation.toLowerCase()}})});
		}
		if ([source.location, source.function].some(t => t && t.toLowerCase().includes(word)))
			hits.push({text: (source.location || '') + ' ' + source.operation, about: source.function || '', choose: () => choosePlace(source)});
	}
	return hits.slice(0, searchRows);
}

function chooseThread(thread) {
	setState({thread: thread.id, event: null, pinned: state.pinned.includes(thread.id) ? state.pinned : state.pinned.concat(thread.id)});
	document.getElementById('timeline').scrollIntoView({block: 'nearest'});
}

/* A line: its longest call is clicked, if the page has it. */
function choosePlace(source) {
	let best = -1;
	if (calls)
		for (let i = 0; i < calls.n; i++)
			if (calls.source[i] === source.id && (best < 0 || calls.end[i] - calls.start[i] > calls.end[best] - calls.start[best])) best = i;
	setState({source: source.id, filter: {source: source.id}});
	if (best >= 0) goTo(calls.id[best]);
	document.getElementById('timeline').scrollIntoView({block: 'nearest'});
}

headerTools.unshift(node => {
	const list = make('ul', {class: 'hits', role: 'listbox', hidden: true});
	const input = make('input', {id: 'search', type: 'search', placeholder: 'operation, line, ' + run.word, 'aria-label': 'search', autocomplete: 'off'});
	let hits = [];
	const choose = hit => {
		list.hidden = true;
		input.blur();
		hit.choose();
	};
	input.addEventListener('input', () => {
		hits = searchHits(input.value);
		list.hidden = !hits.length;
		replaceChildren(list, hits.map(hit => make('li', {role: 'option', on: {mousedown: () => choose(hit)}}, hit.text, make('span', {class: 'sub'}, hit.about))));
		if (!input.value) setState({filter: null});
	});
	input.addEventListener('keydown', event => {
		if (event.key === 'Enter' && hits.length) choose(hits[0]);
	});
	input.addEventListener('blur', () => { list.hidden = true; });
	node.append(make('span', {class: 'search'}, input, list));
});
