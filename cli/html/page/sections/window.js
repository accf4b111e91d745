/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In this window: operations, waits by cause, messages of what is chosen. */

moreSections.push({id: 'window', title: 'Window', build: buildWindow, needsTrace: true});

const windowRows = 8;

function windowBar(kind, ns, most, waiting) {
	const bar = make('span', {class: 'bars'});
	for (const [part, name] of [[waiting, 'hatched'], [ns - waiting, '']]) {
		const node = make('i', {class: name, data: name ? {} : {category: kind}});
		node.style.width = Math.max(0, 118 * part / most) + 'px';
		bar.append(node);
	}
	return bar;
}

function makeOperations(sums, mark) {
	const places = Array.from(sums.places.values()).filter(p => p.ns > 0).sort((a, b) => b.ns - a.ns), computing = Math.max(0, sums.whole - sums.busy);
	const most = Math.max(1, computing, ...places.slice(0, windowRows).map(p => p.ns));
	const rows = [make('tr', {}, make('td', {}, 'computing'), make('td', {}, windowBar('computation', computing, most, 0)),
		make('td', {class: 'number'}, mark + formatTime(computing)))];
	for (const place of places.slice(0, windowRows)) {
		const source = run.sources.get(place.source);
		rows.push(make('tr', {class: state.source === source.id ? 'selected' : ''},
			make('td', {}, make('button', {class: 'link plain', on: {click: () => setState({source: state.source === source.id ? null : source.id})}},
				source.operation + ' ' + shortPlace(source.location))),
			make('td', {}, windowBar(source.category, place.ns, most, place.wait)), make('td', {class: 'number'}, mark + formatTime(place.ns))));
	}
	const unknown = sums.exact ? 0 : Math.max(0, sums.busy - places.reduce((sum, p) => sum + p.ns, 0));
	if (places.length > windowRows)
		rows.push(make('tr', {}, make('td', {class: 'sub'}, (places.length - windowRows) + ' more'), make('td'),
			make('td', {class: 'number sub'}, mark + formatTime(places.slice(windowRows).reduce((sum, p) => sum + p.ns, 0)))));
	if (hasLinesWithoutBins() && unknown)
		rows.push(make('tr', {}, make('td', {class: 'sub'}, 'lines beyond the 64 with most time'), make('td'), make('td', {class: 'number sub'}, mark + formatTime(unknown))));
	return make('div', {}, make('h3', {}, 'Operations'), make('table', {class: 'plain'}, rows));
}

/* Of 64 places the page has bins. */
function hasLinesWithoutBins() {
	return Array.from(run.sources.values()).filter(source => runtimeCategories.has(source.category)).length > 64;
}

/* ":155" of "heat2d.c:155" where the run has one file only; else the place. */
function shortPlace(location) {
	if (!location) return '';
	const files = new Set(Array.from(run.sources.values()).map(s => s.file).filter(Boolean));
	return files.size === 1 ? location.replace(/^.*:/, ':') : location;
}

function makeWaitsByCause(sums, mark) {
	const waits = Array.from(sums.waits.values()).sort((a, b) => b.ns - a.ns), most = Math.max(1, ...waits.map(w => w.ns));
	if (!waits.length) return make('div', {}, make('h3', {}, 'Waits'), make('p', {class: 'sub'}, 'No waiting.'));
	return make('div', {}, make('h3', {}, 'Waits, and who caused them'), make('table', {class: 'plain'}, waits.slice(0, windowRows).map(w =>
		make('tr', {}, make('td', {}, w.kind), make('td', {}, w.cause === null ? make('span', {class: 'sub'}, sums.exact ? 'not known' : '') : threadName(w.cause)),
			make('td', {}, windowBar('', w.ns, most, w.ns)), make('td', {class: 'number'}, mark + formatTime(w.ns))))));
}

function makeSmallMatrix(sums) {
	const list = Array.from(sums.messages.values());
	if (!sums.exact) return make('div', {}, make('h3', {}, 'Messages'), make('p', {class: 'sub'}, 'The page has messages one by one only near the findings: zoom in there.'));
	if (!list.length) return make('div', {}, make('h3', {}, 'Messages'), make('p', {class: 'sub'}, 'No messages are sent in it, and no memory is accessed.'));
	const ids = Array.from(new Set(list.flatMap(m => [m.sender, m.receiver]))).sort((a, b) => a - b);
	if (ids.length > 12) {
		const top = list.sort((a, b) => b.messages - a.messages).slice(0, windowRows);
		return make('div', {}, make('h3', {}, 'Messages, most first'), make('table', {class: 'plain'}, top.map(m => make('tr', {},
			make('td', {}, threadName(m.sender) + ' → ' + threadName(m.receiver)), make('td', {class: 'number'}, formatCount(m.messages)),
			make('td', {class: 'number sub'}, formatBytes(m.bytes))))));
	}
	const most = Math.max(...list.map(m => m.messages));
	return make('div', {}, make('h3', {}, 'Messages and accesses, from row to column'), make('table', {class: 'matrix'},
		make('tr', {}, make('th'), ids.map(id => make('th', {}, run.threadById.has(id) ? run.threadById.get(id).short : '?'))),
		ids.map(from => make('tr', {}, make('th', {}, threadName(from)), ids.map(to => {
			const m = sums.messages.get(from + ':' + to), cell = make('td', {title: m ? formatBytes(m.bytes) : false}, m ? formatCount(m.messages) : '');
			cell.dataset.amount = m ? Math.min(4, 1 + Math.floor(3.99 * m.messages / most)) : 'none';
			return cell;
		})))));
}

function buildWindow(node) {
	const title = make('span', {class: 'sub'}), body = make('div', {class: 'three'});
	let timer = 0, asked = 0;
	const fill = async () => {
		const number = ++asked, sums = await chosenSums(), mark = sums.exact ? '' : '~ ';
		if (number !== asked) return;
		title.textContent = chosenText() + ', ' + formatTime(sums.until - sums.from) + '; drag along the time axis to choose an interval, along the labels to choose ' + run.words;
		replaceChildren(body, makeOperations(sums, mark), makeWaitsByCause(sums, mark), makeSmallMatrix(sums));
		node.sums = sums;
	};
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'In this window'), title), makeChips('the window', true), body]);
	node.tableOf = () => ({columns: ['operation', 'line', 'ns', 'waiting ns', 'calls', 'bytes'],
		rows: node.sums ? Array.from(node.sums.places.values()).sort((a, b) => b.ns - a.ns).map(p => {
			const source = run.sources.get(p.source);
			return [source.operation, source.location || '', Math.round(p.ns), Math.round(p.wait), Math.round(p.calls), Math.round(p.bytes)];
		}) : []});
	onState(['from', 'until', 'interval', 'threads', 'source', 'callsRead'], () => {
		clearTimeout(timer);
		timer = setTimeout(fill, 100);
	});
	fill();
}
