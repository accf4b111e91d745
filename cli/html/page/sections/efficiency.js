/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Efficiency: losses as steps down from elapsed time to mean computation. */

/* Steps of the whole run: {name, about, from, ns, kind}; the first and the last are what is left. */
function efficiencySteps() {
	const rows = run.report.pop ? run.report.pop.rows : [], get = name => rows.find(r => r.efficiency === name);
	const parallel = get('parallel'), balance = get('load balance'), communication = get('communication');
	const serialization = get('serialization'), transfer = get('transfer');
	if (!parallel || parallel.part_ns === null) return [];
	const share = r => r && r.percent_ratio !== null ? ' · ' + r.efficiency + ' ' + formatShare(r.percent_ratio) : '';
	const elapsed = parallel.of_ns, mean = parallel.part_ns, most = balance && balance.of_ns !== null ? balance.of_ns : mean, steps = [];
	steps.push({name: 'what the ' + run.words + ' could compute', about: 'without start and end', from: 0, ns: elapsed, kind: 'whole'});
	if (transfer && serialization && transfer.part_ns !== null) {
		const ideal = transfer.part_ns;
		steps.push({name: 'lost in the network', about: share(transfer), from: ideal, ns: elapsed - ideal, kind: 'communication'});
		steps.push({name: 'lost waiting for one another', about: share(serialization), from: most, ns: ideal - most, kind: 'waiting'});
	} else if (communication) {
		steps.push({name: 'lost communicating and waiting', about: share(communication), from: most, ns: elapsed - most, kind: 'waiting'});
	}
	steps.push({name: 'lost to uneven work', about: share(balance), from: mean, ns: most - mean, kind: 'runtime'});
	steps.push({name: 'used: mean computation', about: ' · parallel efficiency ' + formatShare(parallel.percent_ratio), from: 0, ns: mean, kind: 'computation'});
	return steps;
}

/* Steps of what is chosen: what the network and what waiting took is known of the whole run alone. */
function chosenSteps(sums) {
	const computing = state.interval ? computingOf(sums) : wholeComputing(), values = sums.threads.map(t => computing[t.row]);
	const elapsed = overlap(run.from, run.until, sums.from, sums.until), most = Math.min(elapsed, Math.max(0, ...values));
	const mean = Math.min(most, values.reduce((a, b) => a + b, 0) / values.length), mark = choiceMark(sums), share = (a, b) => mark + formatShare(b ? a / b : 0);
	if (!(elapsed > 0) || !values.length) return [];
	return [{name: 'what the ' + run.words + ' could compute', about: 'all of the time', from: 0, ns: elapsed, kind: 'whole', mark: ''},
		{name: 'lost communicating and waiting', about: ' · communication ' + share(most, elapsed), from: most, ns: elapsed - most, kind: 'waiting', mark},
		{name: 'lost to uneven work', about: ' · load balance ' + share(mean, most), from: mean, ns: most - mean, kind: 'runtime', mark},
		{name: 'used: mean computation', about: ' · parallel efficiency ' + share(mean, elapsed), from: 0, ns: mean, kind: 'computation', mark}];
}

function drawEfficiency(c, width, height, steps) {
	const most = Math.max(1, ...steps.map(s => s.from + s.ns)), barRoom = Math.min(520, width * 0.42), x = ns => ns / most * barRoom, pitch = height / steps.length;
	c.textBaseline = 'middle';
	steps.forEach((step, i) => {
		const y = i * pitch + 4, tall = Math.min(18, pitch - 14);
		c.fillStyle = step.kind === 'waiting' ? hatch(c) : step.kind === 'whole' ? color('--rule') : categoryColor(step.kind);
		c.fillRect(x(step.from), y, Math.max(1, x(step.ns)), tall);
		c.setLineDash([2, 2]);
		c.strokeStyle = color('--third');
		c.lineWidth = 1;
		c.beginPath();
		const edge = i + 1 < steps.length - 1 ? x(step.from + (i ? 0 : step.ns)) : x(step.from);
		if (i + 1 < steps.length) {
			c.moveTo(edge, y + tall);
			c.lineTo(edge, y + pitch);
		}
		c.stroke();
		c.setLineDash([]);
		c.font = font(12, i + 1 === steps.length ? 600 : 400);
		c.fillStyle = color('--ink');
		c.fillText(step.name, barRoom + 16, y + 4);
		c.font = font(11);
		c.fillStyle = color('--second');
		const sign = step.kind === 'whole' || step.kind === 'computation' || step.ns < 0.5 ? '' : '−';
		c.fillText((step.mark || '') + sign + formatTime(step.ns) + (step.kind === 'whole' ? ' · ' : '') + step.about,
			barRoom + 16, y + 19);
	});
}

/* The section; null: the run has no efficiencies. */
function buildEfficiency() {
	const whole = efficiencySteps();
	if (!whole.length) return null;
	let steps = whole;
	const about = make('span', {class: 'sub'}), none = make('p', {class: 'sub', hidden: true}, 'No time of the run is chosen.'), rest = make('div');
	const picture = makeCanvas('efficiency, step by step', () => Math.max(1, steps.length * 38), (c, w, h) => drawEfficiency(c, w, h, steps));
	const node = make('section', {id: 'efficiency', 'aria-label': 'Efficiency'}, make('div', {class: 'head'}, make('h2', {}, 'Efficiency'), about), picture.node, none, rest);
	onState(['theme'], () => picture.draw());
	followChoice(sums => {
		steps = sums ? chosenSteps(sums) : whole;
		picture.node.hidden = !steps.length;
		none.hidden = steps.length > 0;
		about.textContent = 'of one ' + run.word + '’s mean time, step by step' + choiceText(sums);
		replaceChildren(rest, makeRest([sums && state.interval && lackedProcessor() && processorText]));
		picture.draw();
	});
	node.tableOf = () => ({columns: ['step', 'ns', 'about'], rows: steps.map(s => [s.name, Math.round(s.ns), s.about.replace(/^ · /, '')])});
	return node;
}
