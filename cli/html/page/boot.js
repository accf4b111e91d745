/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's frame, and the order in which it comes to life. */

/* Sections of the page in order: {id, title, build(node)}. Files of sections add theirs below the time line. */
function makeSections() {
	return [
		{id: 'verdict', title: 'Verdict', build: buildVerdict},
		{id: 'timeline', title: 'Time line', build: buildTimeline, needsTrace: true},
	].concat(moreSections);
}

function makeHeader(sections) {
	const summary = run.report.summary;
	const facts = [formatCount(run.threads.length) + ' ' + (run.threads.length === 1 ? run.word : run.words) + ' on ' + summary.hosts.replace(/ with .*/, ''),
		formatTime(summary.duration_ns), isProfile() ? 'a profile' : formatCount(run.report.run.events) + ' events', summary.library || summary.model];
	if (run.report.run.start_time) facts.push(run.report.run.start_time.replace('T', ' ').replace(/:\d\d(\.\d+)?Z?$/, ''));
	const theme = make('button', {'aria-label': 'light or dark', title: 'light or dark', on: {click: toggleTheme}}, '◐');
	const tools = make('span', {class: 'tools'}, theme);
	for (const tool of headerTools) tool(tools);
	return make('header', {}, make('b', {}, 'gaspdb'), make('code', {}, summary.program || ''), make('span', {class: 'sub facts', title: facts.join(' · ')}, facts.join(' · ')),
		make('nav', {'aria-label': 'sections'}, sections.filter(s => !s.node.hidden).map(s => make('a', {href: '#' + s.id, on: {click: event => {
			event.preventDefault();
			document.getElementById(s.id).scrollIntoView();
		}}}, s.title))), tools);
}

function isDark() {
	return state.theme ? state.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function applyTheme() {
	document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
	forgetColors();
}

function toggleTheme() {
	setState({theme: isDark() ? 'light' : 'dark'});
}

function buildPage() {
	const page = document.getElementById('page'), sections = makeSections();
	const main = make('main'), side = make('aside');
	for (const section of sections) {
		const node = make('section', {id: section.id, 'aria-label': section.title, hidden: Boolean(section.needsTrace && isProfile())});
		main.append(node);
		section.node = node;
	}
	if (run.threads.length > clusterLimit) {
		const map = make('section', {class: 'map', 'aria-label': 'every ' + run.word});
		side.append(map);
		buildThreadMap(map);
	}
	const where = make('section', {class: 'where'}), details = make('section', {class: 'details', 'aria-label': 'clicked call', hidden: true});
	side.append(where, details);
	page.append(makeHeader(sections), make('div', {class: 'columns'}, main, side));
	for (const section of sections.slice(0, firstSections)) section.build(section.node);
	buildWhere(where);
	buildDetails(details);
	return sections.slice(firstSections);
}

/* Sections that are built before the first frame; the others follow, each in a task of its own. */
const firstSections = 2;

async function buildSections(sections) {
	for (const section of sections) {
		section.build(section.node);
		await new Promise(resolve => setTimeout(resolve));
	}
}

/* When what was asked for is drawn. */
function nextFrames() {
	return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

async function boot() {
	askForFirstChunks();
	await loadRun();
	await Promise.all([loadSums(), loadFindings()]);
	Object.assign(state, {from: run.from, until: run.until}, readHash());
	applyTheme();
	onState(['theme'], applyTheme);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		applyTheme();
		setState({theme: state.theme, repaint: {}});
	});
	const more = buildPage();
	document.documentElement.dataset.state = 'first';
	await nextFrames();
	document.documentElement.dataset.drawn = String(Math.round(performance.now()));
	await buildSections(more);
	await loadCalls();
	completeFindings();
	setState({callsRead: {}});
	if (state.finding === null && state.event === null && !location.hash && findings.length) setState({finding: findings[0].number});
	writeHash();
	document.documentElement.dataset.state = 'ready';
}

/* The first chunk of a comparison is "compared". */
async function start() {
	const first = await whenRead(() => document.querySelector('script[data-chunk]'));
	if (!first || first.dataset.chunk !== 'compared') return boot();
	await whenRead(() => false);
	return bootComparison();
}

start().catch(error => {
	document.documentElement.dataset.state = 'failed';
	document.getElementById('page').append(make('p', {class: 'banner'}, 'The page is damaged: ' + error.message));
});
