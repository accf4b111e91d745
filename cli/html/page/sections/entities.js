/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entities of the program: time by entity, or by the values of an attribute, over the run; hatched: waiting. */

const entityRows = 12, entityPitch = 24;
moreSections.push({id: 'entities', title: 'Entities', build: buildEntities});

/* {byId: entities by id, keys: names of attributes, bins: table, width: of a bin} */
async function readEntities() {
	const [list, attributes, bins] = await Promise.all(['entities', 'entity_attributes', 'entity_bins'].map(name => loadChunk(name)));
	const byId = new Map(), keys = new Set();
	for (let i = 0; i < list.n; i++) byId.set(list.column('id')[i], Object.assign(list.row(i), {attributes: new Map()}));
	for (let i = 0; i < attributes.n; i++) {
		const entity = byId.get(attributes.column('entity_id')[i]), key = attributes.get('key', i);
		keys.add(key);
		if (entity) entity.attributes.set(key, attributes.get('value', i));
	}
	return {list, byId, keys: Array.from(keys).sort(), bins, width: Number(run.meta.thread_bin_ns)};
}

/* An entity's value of an attribute, or that of the next one above that has it; null: none. */
function attributeOf(data, entity, key) {
	for (let e = entity, n = 0; e && n < 64; e = data.byId.get(e.parent_id), n++) if (e.attributes.has(key)) return e.attributes.get(key);
	return null;
}

/* Rows of the picture, most time first: {name, ns, wait, calls, bins: [[start, ns, wait]]}; key null: an entity each. */
function groupEntities(data, key) {
	const groups = new Map(), groupOf = new Map();
	for (const entity of data.byId.values()) {
		const name = key === null ? (entity.within ? entity.within + ' / ' : '') + entity.name : attributeOf(data, entity, key);
		const at = key === null ? entity.id : name;
		if (!groups.has(at)) groups.set(at, {name: name === null ? 'without ' + key : name, ns: 0, wait: 0, calls: 0, bins: new Map()});
		const group = groups.get(at);
		group.ns += entity.self_ns || 0;
		group.wait += entity.wait_ns || 0;
		group.calls += entity.calls || 0;
		groupOf.set(entity.id, group);
	}
	for (let i = 0, b = data.bins; i < b.n; i++) {
		const group = groupOf.get(b.column('entity_id')[i]), start = b.column('start_ns')[i];
		if (!group) continue;
		const bin = group.bins.get(start) || [0, 0];
		group.bins.set(start, [bin[0] + b.column('self_ns')[i], bin[1] + b.column('wait_ns')[i]]);
	}
	return Array.from(groups.values()).filter(g => g.ns > 0).sort((a, b) => b.ns - a.ns);
}

/* A row: its name and time, and a bar for each bin of the window; scale: ns of the highest one. */
function drawEntity(c, view, group, number, width, scale) {
	const y = number * entityPitch, room = entityPitch - 5;
	c.fillStyle = color('--ink');
	c.font = font(12);
	c.fillText(fitText(c, group.name, view.left - 78), 0, y + room / 2);
	c.fillStyle = color('--second');
	c.textAlign = 'right';
	c.fillText(formatTime(group.ns), view.left - 8, y + room / 2);
	c.textAlign = 'left';
	for (const [start, [ns, wait]] of group.bins) {
		const from = Math.max(view.left, view.x(start)), until = Math.min(view.right, view.x(start + width));
		if (until <= from) continue;
		const tall = room * ns / scale, waits = tall * wait / ns;
		c.fillStyle = hueColor(number % 8);
		c.fillRect(from, y + room - tall, Math.max(.6, until - from), tall - waits);
		c.fillStyle = hatch(c);
		c.fillRect(from, y + room - waits, Math.max(.6, until - from), waits);
	}
}

async function buildEntities(node) {
	const data = await readEntities();
	if (isProfile() || !data.byId.size) {
		append(node, [make('h2', {}, 'Entities'), make('p', {class: 'sub'}, (isProfile() ? 'It needs a trace' : 'The program maps no time to entities (gaspdb.h)') + ': nothing to draw.')]);
		return;
	}
	let key = null, groups = groupEntities(data, null);
	const shown = () => groups.slice(0, entityRows), viewOf = width => {
		const left = Math.min(260, width / 3), right = width - 1;
		return {left, right, x: ns => left + (ns - state.from) / (state.until - state.from) * (right - left), ns: x => state.from + (x - left) / (right - left) * (state.until - state.from)};
	};
	const picture = makeCanvas('time by entity', entityPitch, (c, width) => {
		const scale = Math.max(1, ...shown().flatMap(g => Array.from(g.bins.values(), bin => bin[0])));
		c.textBaseline = 'middle';
		c.textAlign = 'left';
		shown().forEach((group, i) => drawEntity(c, viewOf(width), group, i, data.width, scale));
	}), line = make('p', {class: 'hover'}), choice = make('span', {}), rest = make('div', {});
	const show = to => {
		key = to;
		groups = groupEntities(data, key);
		choice.replaceChildren(...(data.keys.length ? [makeChoice('entities by', [['', 'entity']].concat(data.keys.slice(0, 8).map(k => [k, k])), key || '', k => show(k || null))] : []));
		const whole = restOf('entities', data.list, {ns: 'self_ns'});
		const texts = makeRest([groups.length > entityRows && entityRows + ' of ' + formatCount(groups.length) + ', most time first', whole && restText(whole, 'entities', [formatTime(whole.ns)])]);
		rest.replaceChildren(...(texts ? [texts] : []));
		picture.height = Math.max(1, shown().length) * entityPitch;
		picture.draw();
	};
	picture.node.addEventListener('mousemove', event => {
		const group = shown()[Math.floor(event.offsetY / entityPitch)], ns = viewOf(picture.node.clientWidth).ns(event.offsetX);
		const bin = group && group.bins.get(Math.floor(ns / data.width) * data.width);
		line.textContent = group ? group.name + ': ' + formatTime(group.ns) + ', ' + formatTime(group.wait) + ' of it waiting' +
			(bin ? '; here ' + formatTime(bin[0]) + ' of ' + formatTime(data.width) + ' of each ' + run.word : '') : '';
	});
	onState(['from', 'until', 'theme'], () => picture.draw());
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'Entities'), make('span', {class: 'sub'}, 'time of all ' + run.words + ' for each; hatched: waiting; the window of the time line'), choice),
		picture.node, line, rest]);
	show(null);
	node.tableOf = () => ({columns: [key === null ? 'entity' : key, 'calls', 'time ns', 'waiting ns'], rows: groups.map(g => [g.name, g.calls, g.ns, g.wait])});
}
