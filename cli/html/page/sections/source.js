/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's lines with time, waiting and bytes beside them. */

moreSections.push({id: 'source', title: 'Source', build: buildSource});

/* Sums of sources in the form of the choice's lines. */
function wholeSources() {
	return Array.from({length: run.profile.n}, (_, i) => run.profile.row(i)).filter(row => !row.nested).map(row =>
		({source: row.source_id, ns: row.self_ns || 0, wait: row.wait_ns || 0, bytes: row.bytes || 0, calls: row.calls}));
}

function profileRest() {
	const rest = restOf('profile', run.profile, {ns: 'self_ns', bytes: 'bytes', calls: 'calls'});
	return rest && restText(rest, 'calls at a line', [formatTime(rest.ns), formatBytes(rest.bytes), formatCount(rest.calls) + ' calls']);
}

/* Of computing between calls; where the page has every call, it is from these. */
function betweenRest(table) {
	const rest = isInFull(run.from, run.until) ? null : restOf('between', table, {ns: 'ns'});
	return rest && 'computing between two calls: ' + restText(rest, 'pairs of calls', [formatTime(rest.ns)]);
}

/* By file and line: {ns, wait, bytes, calls, category, sources}. */
function readLines(sums) {
	const lines = new Map();
	for (const row of sums ? sums.lines.values() : wholeSources()) {
		const source = run.sources.get(row.source);
		if (!source || !source.file || !source.line) continue;
		const key = source.file + '\n' + source.line;
		if (!lines.has(key)) lines.set(key, {ns: 0, wait: 0, bytes: 0, calls: 0, category: source.category, sources: []});
		const line = lines.get(key);
		line.ns += row.ns;
		line.wait += row.wait;
		line.bytes += row.bytes;
		line.calls += row.calls;
		line.sources.push(source);
	}
	return lines;
}

function makeAmount(text, share, kind) {
	const bar = make('i', {class: kind === 'hatched' ? 'under hatched' : 'under', data: kind === 'hatched' ? {} : {category: kind}});
	bar.style.width = Math.round(100 * share) + '%';
	return make('td', {class: 'number'}, text, bar);
}

function makeSourceLine(file, number, text, about, most) {
	const row = make('tr', {data: {line: file + ':' + number}},
		about ? makeAmount(formatTime(about.ns), about.ns / most, about.category) : make('td'),
		about && about.wait ? makeAmount(formatTime(about.wait), about.wait / most, 'hatched') : make('td'),
		make('td', {class: 'number sub'}, about && about.bytes ? formatBytes(about.bytes) : ''), make('td', {class: 'braces'}),
		make('td', {class: 'number sub'}, number), make('td', {class: 'text'}, make('code', {}, text)));
	if (about) row.addEventListener('click', () => setState({source: about.sources.some(s => s.id === state.source) ? null : about.sources[0].id}));
	return row;
}

function makeSourceFile(file, lines, most, between) {
	const body = make('tbody'), shown = file.lines, braces = listBraces(between, file.name);
	shown.forEach(([number, text], i) => {
		if (i && number !== shown[i - 1][0] + 1)
			body.append(make('tr', {class: 'skipped'}, make('td', {colspan: 6}, (number - shown[i - 1][0] - 1) + ' lines without calls')));
		body.append(makeSourceLine(file.name, number, text, lines.get(file.name + '\n' + number), most));
	});
	drawBraces(braces, shown.map(line => line[0]), body.querySelectorAll('td.braces'));
	return make('table', {class: braces.length ? 'source braced' : 'source'}, make('thead', {}, make('tr', {}, ['time', isProfile() ? '' : 'waiting', 'bytes', '', '', ''].map(t => make('th', {scope: 'col'}, t)))), body);
}

async function buildSource(node) {
	const chunk = await loadChunk('source', true), files = chunk.head.files || [], about = make('span', {class: 'sub'});
	let lines = readLines(null), between = [];
	const read = files.filter(f => f.state === 'read'), most = () => Math.max(1, ...Array.from(lines.values()).map(l => l.ns));
	const weight = f => Array.from(lines).filter(([key]) => key.startsWith(f.name + '\n')).reduce((sum, [, l]) => sum + l.ns, 0);
	read.sort((a, b) => weight(b) - weight(a));
	node.tableOf = () => ({columns: ['line', 'ns', 'waiting ns', 'bytes', 'calls'], rows: Array.from(lines).sort((a, b) => b[1].ns - a[1].ns).map(([key, l]) =>
		[key.replace('\n', ':'), l.ns, l.wait, l.bytes, l.calls].map(v => typeof v === 'number' ? Math.round(v) : v))
		.concat(read.flatMap(f => listBraces(between, f.name).map(b => [f.name + ': ' + braceTitle(b), Math.round(b.ns), '', '', ''])))});
	const others = files.filter(f => f.state !== 'read').map(f => f.name + (f.state === 'changed' ? ' is newer than the recording' : ' was not there')).slice(0, 5);
	const rest = make('div'), wholeRest = [profileRest(), betweenRest(await loadChunk('between'))];
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'Source'), about, make('span', {class: 'space'})), makeChips('whole run')]);
	followChoice(sums => {
		lines = readLines(sums);
		about.textContent = read.length || sums ? 'time of ' + chosenText() + ' beside the lines' + choiceText(sums) : '';
		replaceChildren(rest, makeRest(!sums ? wholeRest : [binnedLinesText(sums)]));
	});
	if (others.length) append(node, [make('p', {class: 'sub'}, 'When the page was made, ' + others.join('; ') + '.')]);
	if (!read.length) {
		append(node, [make('p', {class: 'sub'}, others.length ? '' : lines.size ? 'No lines of the program are in the page.' :
			'No call has a line: compile the program with -g.'), rest]);
		return;
	}
	const body = make('div', {class: 'source-box'}), choice = makeChoice('file', read.slice(0, 12).map(f => [f.name, f.name]), read[0].name, show);
	let shown = read[0].name;
	function show(name) {
		shown = name;
		pressChoice(choice, name);
		replaceChildren(body, makeSourceFile(read.find(f => f.name === name), lines, most(), between));
		mark();
	}
	function mark() {
		const source = state.source === null ? null : run.sources.get(state.source);
		for (const row of body.querySelectorAll('tr[data-line]')) {
			const on = source !== null && source !== undefined && row.dataset.line === source.file + ':' + source.line;
			row.classList.toggle('selected', on);
			if (on) row.scrollIntoView({block: 'nearest'});
		}
	}
	onState(['source'], () => {
		const source = state.source === null ? null : run.sources.get(state.source), place = window.scrollY;
		if (source && read.some(f => f.name === source.file)) show(source.file);
		else mark();
		window.scrollTo(0, place);
	});
	node.firstChild.append(choice);
	append(node, [body, rest]);
	const follow = async sums => {
		between = await readBetween(sums);
		const place = window.scrollY;
		show(shown);
		window.scrollTo(0, place);
	};
	followChoice(follow);
	onState(['callsRead'], () => follow(choice.sums));
}
