/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader does with a page, for tests/e2e/page.sh: node page.js TASK PAGE [ARGUMENT...] prints a line NAME=VALUE for each
 * thing seen. Only the document is looked at: what is drawn on canvas is known by the URL's # and by the tables of key T.
 */
'use strict';
const {Browser} = require('./browser.js');

function say(name, value) {
	console.log(name + '=' + (typeof value === 'string' ? value : JSON.stringify(value)));
}

const text = selector => 'Array.from(document.querySelectorAll(' + JSON.stringify(selector) + '), n => n.textContent.trim())';

/* Values of the URL's #, when what was chosen is in it. */
async function hash(page) {
	await page.until('document.documentElement.dataset.chosen === "shown"');
	return new URLSearchParams((await page.get('location.hash')).slice(1));
}

/* Rows of a section's table, each value joined by |. */
async function table(page, section) {
	const on = await page.get('document.body.classList.contains("tables")');
	if (!on) await page.key('t', 'KeyT');
	await page.until('document.querySelector("#' + section + ' > .as-table")');
	return page.get('Array.from(document.querySelectorAll("#' + section + ' > .as-table tbody tr"), r => Array.from(r.cells, c => c.textContent).join("|"))');
}

async function closeTables(page) {
	await page.key('t', 'KeyT');
	await page.until('!document.querySelector(".as-table")');
}

/* The middle of an element. */
function middle(page, selector) {
	return page.get('(() => { const r = document.querySelector(' + JSON.stringify(selector) + ').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()');
}

/* Sections of section messages. */
const parts = ['efficiency', 'sizes', 'durations'];

const tasks = {
	/* The first look. */
	async look(page) {
		say('state', await page.get('document.documentElement.dataset.state'));
		say('title', await page.get('document.title'));
		say('headline', (await page.get(text('h1')))[0]);
		for (const row of await page.get('Array.from(document.querySelectorAll(".findings tbody tr"), r => Array.from(r.cells, c => c.textContent.trim()).join("|"))'))
			say('finding', row);
		say('sections', (await page.get(text('section h2'))).join(', '));
		say('scripts', await page.get('window.hacked === undefined ? "none ran" : "ran"'));
		say('elements', await page.get('document.querySelectorAll("#page img, #page iframe, #page script").length'));
		say('limits', (await page.get(text('.limits')))[0]);
		say('banners', (await page.get(text('.banner'))).join(' / '));
	},

	/* Clicks "show" of a finding; then its cause, its next instance. */
	async finding(page, number) {
		await page.get('document.querySelector("tr[data-finding=\\"' + number + '\\"] button.show").click()');
		let at = await hash(page);
		say('window', at.get('t'));
		say('event', at.get('event'));
		await page.until('!document.querySelector(".details").hidden');
		say('details', (await page.get(text('.details h3')))[0]);
		say('cause', (await page.get(text('.details .cause-box h4')))[0]);
		await page.key('c', 'KeyC');
		say('cause event', (await hash(page)).get('event'));
		await page.key('n', 'KeyN');
		at = await hash(page);
		say('next', at.get('event') + ' ' + at.get('instance'));
		await page.key('Backspace');
		say('back', (await hash(page)).get('t'));
	},

	/* From the clicked call (in the #) to the other end of its message and back. */
	async partner(page) {
		say('details', (await page.get(text('.details h3')))[0]);
		say('arguments', (await page.get(text('.details dl'))).join(' '));
		await page.key('m', 'KeyM');
		say('partner', (await hash(page)).get('event'));
		await page.key('m', 'KeyM');
		say('back', (await hash(page)).get('event'));
	},

	/* Sums of the interval in the #. */
	async sums(page) {
		await page.until('document.querySelector("#window .three").textContent && !document.querySelector("#window .three").textContent.includes("~")');
		for (const row of await table(page, 'window')) say('place', row);
		say('computing', (await page.get(text('#window td')))[2]);
		say('waits', (await page.get('Array.from(document.querySelectorAll("#window .three > div:nth-child(2) tr"), r => Array.from(r.cells, c => c.textContent.trim()).join("|"))')).join(' / '));
	},

	async matrix(page) {
		for (const row of await table(page, 'messages')) say('pair', row);
		await closeTables(page);
		for (const row of await table(page, 'balance')) say('balance', row);
		await closeTables(page);
		for (const row of await table(page, 'calls')) say('call', row.trim());
		await closeTables(page);
		for (const row of await table(page, 'source')) say('line', row);
	},

	/* What the sections say of the choice in the #; then of none. */
	async follow(page) {
		await page.until('document.documentElement.dataset.sums === "exact"');
		for (const section of parts) {
			say(section + ' says', (await page.get(text('#' + section + ' > .head .sub'))).filter(t => t.includes(' s to ')).join(' / '));
			for (const row of await table(page, section)) say(section, row);
		}
		for (const section of ['balance', 'calls', 'messages', 'source']) {
			say(section + ' says', (await page.get(text('#' + section + ' .head .sub'))).filter(t => t.includes(' s to ')).join(' / '));
			say(section + ' chips', (await page.get(text('#' + section + ' .chip'))).join(' / '));
			for (const row of await table(page, section)) say(section === 'messages' ? 'pair' : section, row.trim());
		}
		await closeTables(page);
		await page.key('Escape');
		await page.until('document.documentElement.dataset.sums === "whole"');
		for (const section of parts) for (const row of await table(page, section)) say('whole ' + section, row);
		for (const section of ['balance', 'calls', 'messages', 'source']) for (const row of await table(page, section)) say('whole ' + section, row.trim());
		say('chips', await page.get('Array.from(document.querySelectorAll("#balance .chips, #calls .chips, #messages .chips, #source .chips")).every(n => n.hidden)'));
	},

	/* Entities, then by each attribute; what the first row says. */
	async entities(page) {
		for (const row of await table(page, 'entities')) say('entity', row);
		await closeTables(page);
		await page.get('document.getElementById("entities").scrollIntoView()');
		await page.frame();
		const [x, y] = await middle(page, '#entities canvas');
		await page.mouse('mouseMoved', x + 5, y + 8, {button: 'none'});
		await page.frame();
		say('hover', (await page.get(text('#entities .hover'))).join(' / '));
		for (const key of await page.get('Array.from(document.querySelectorAll("#entities button[data-value]"), b => b.dataset.value)').then(keys => keys.filter(Boolean))) {
			await page.get(`document.querySelector('#entities button[data-value="${key}"]').click()`);
			for (const row of await table(page, 'entities')) say(key, row);
			await closeTables(page);
		}
	},

	/* Efficiency and histograms of the whole run, and notes on what tables lack. */
	async whole(page) {
		for (const section of parts) for (const row of await table(page, section)) say(section, row);
		for (const row of (await table(page, 'messages')).slice(0, 1)) say('first pair', row);
		for (const row of (await table(page, 'calls')).slice(0, 20)) say('call', row.trim());
		await closeTables(page);
		for (const section of ['timeline', 'messages', 'balance', 'calls', 'locks', 'source'])
			say(section + ' rest', (await page.get(text('#' + section + ' .rest'))).join(' / '));
		await page.get('document.querySelector("#messages button[data-value=waiting]").click()');
		await page.frame();
		say('waiting rest', (await page.get(text('#messages .rest'))).join(' / '));
	},

	/* What the page says of the interval in the #, of which it does not have every call. */
	async binned(page) {
		await page.until('document.documentElement.dataset.sums === "bins" && document.querySelector("#window .three").textContent.includes("~")');
		for (const section of ['window', ...parts]) for (const row of await table(page, section)) say(section, row);
		for (const section of ['sizes', 'durations', 'efficiency', 'balance']) say(section + ' says', (await page.get(text('#' + section + ' > .head .sub'))).join(' / '));
	},

	/* The first finding's window, then the whole run: are the sums estimates, and what is said of a moment of the first row? */
	async zoom(page) {
		const estimates = 'document.querySelector("#window .three").textContent.includes("~")';
		const look = async name => {
			await page.get('window.scrollTo(0, 0)');
			const [x, y, width] = await middle(page, '#timeline canvas:nth-of-type(2)');
			await page.mouse('mouseMoved', x + width / 2, y + 60, {button: 'none'});
			await page.frame();
			say(name, (await page.get(text('#timeline .hover')))[0]);
		};
		await page.until(estimates);
		await page.get('document.querySelector("button.show").click()');
		await page.until('!' + estimates);
		say('window', (await hash(page)).get('t'));
		await look('in it');
		await page.key('0', 'Digit0');
		await page.until(estimates);
		say('out', (await hash(page)).get('t') || 'whole run');
		await look('in bins');
	},

	/* Keys alone: a finding by Enter, the time line by Tab, its first call by Enter, the next call and the next row by arrows. */
	async keyboard(page) {
		await page.get('document.querySelector(".findings tbody tr").focus()');
		await page.key('Enter');
		say('finding', (await hash(page)).get('finding'));
		await page.key('Escape');
		await page.get('document.querySelector(".findings tbody tr:last-child").focus()');
		await page.key('Tab');
		say('after the findings', await page.get('document.activeElement.getAttribute("aria-label")'));
		say('ring', await page.get('getComputedStyle(document.activeElement).outlineWidth'));
		for (const key of ['Enter', 'ArrowDown', 'ArrowRight']) {
			await page.key(key);
			say(key, (await hash(page)).get('event'));
		}
		say('labels', await page.get('Array.from(document.querySelectorAll("canvas")).every(n => n.getAttribute("aria-label") && n.getAttribute("role") === "img")'));
	},

	/* The collective of the clicked call; then its last member. */
	async collective(page) {
		await page.until('document.querySelector(".details").textContent.includes("Arguments")');
		for (const pair of await page.get('Array.from(document.querySelectorAll(".details dt"), n => n.textContent + "|" + n.nextSibling.firstChild.textContent)')) say('fact', pair);
		await page.get('Array.from(document.querySelectorAll(".details button")).find(b => b.textContent === "go there").click()');
		say('last', (await hash(page)).get('event'));
	},

	/* Computing between two lines, beside the source. */
	async braces(page) {
		await page.until('!/[#&]i=/.test(location.hash) || document.documentElement.dataset.sums === "exact"');
		await page.frame();
		for (const brace of await page.get('Array.from(document.querySelectorAll(".brace-text"), n => n.title + "|" + n.textContent)')) say('brace', brace);
		say('drawn', await page.get('Array.from(document.querySelectorAll("tr[data-line]")).filter(r => r.querySelector(".brace")).map(r => r.dataset.line).join(" ")'));
	},

	/* The matrix by rank, by host. */
	async hosts(page) {
		for (const row of await table(page, 'messages')) say('rank', row);
		await closeTables(page);
		await page.get('document.querySelector("#messages button[data-value=hosts]").click()');
		await page.frame();
		for (const row of await table(page, 'messages')) say('host', row);
		await closeTables(page);
		const [x, y] = await middle(page, '#timeline canvas:nth-of-type(2)');
		await page.get('window.scrollTo(0, 0)');
		await page.click(x + 20, y + 52);
		say('folded', (await hash(page)).get('folded'));
		await page.click(x + 20, y + 60);
		say('unfolded', (await hash(page)).get('folded') || '');
	},

	async search(page, word) {
		await page.key('/', 'Slash');
		await page.send('Input.insertText', {text: word});
		await page.frame();
		say('hits', (await page.get(text('.hits li'))).join(' / '));
		await page.key('Enter');
		const at = await hash(page);
		say('chosen', ['event', 'source', 'thread', 'pinned'].filter(k => at.get(k)).map(k => k + ' ' + at.get(k)).join(', '));
	},

	/* Zoom and pan by keys and wheel; an interval and rows by dragging. */
	async mouse(page) {
		await page.key('w', 'KeyW');
		say('zoomed in', (await hash(page)).get('t'));
		await page.key('d', 'KeyD');
		say('moved', (await hash(page)).get('t'));
		await page.key('0', 'Digit0');
		say('whole', (await hash(page)).get('t') || '');
		const [x, y, width] = await middle(page, '#timeline canvas:nth-of-type(2)');
		await page.send('Input.dispatchMouseEvent', {type: 'mouseWheel', x: x + width / 2, y: y + 80, deltaX: 0, deltaY: -400});
		await page.frame();
		const t = (await hash(page)).get('t').split('-').map(Number);
		say('wheel', t[1] - t[0]);
		await page.key('0', 'Digit0');
		await page.drag(x + 80, y + 20, x + width - 1, y + 20);
		say('interval', (await hash(page)).get('i'));
		await page.drag(x + 10, y + 60, x + 10, y + 130);
		say('threads', (await hash(page)).get('threads'));
		await page.key('Escape');
		const at = await hash(page);
		say('escaped', [at.get('i'), at.get('threads')].join());
		await page.key('?', 'Slash');
		say('help', await page.get('document.getElementById("help").open'));
	},

	/* Light and dark: contrast of text on the page, by the formula of WCAG. */
	async theme(page) {
		const contrast = `(() => {
			const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
				return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
			const of = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
			const ground = n => { const c = getComputedStyle(n).backgroundColor; return c === 'rgba(0, 0, 0, 0)' ? ground(n.parentElement) : c; };
			return Array.from(document.querySelectorAll('.sub, h1, td, a, .legend')).every(n => of(getComputedStyle(n).color, ground(n)) >= 4.5);
		})()`;
		say('theme', await page.get('document.documentElement.dataset.theme'));
		say('contrast', await page.get(contrast));
		await page.get('document.querySelector("[aria-label=\\"light or dark\\"]").click()');
		await page.frame();
		say('other theme', await page.get('document.documentElement.dataset.theme'));
		say('contrast', await page.get(contrast));
	},
};

async function main(task, file, ...rest) {
	const browser = new Browser();
	try {
		if (task === 'noscript') {
			const page = await browser.open(file, {noScript: true});
			const {root} = await page.send('DOM.getDocument', {depth: -1});
			const {nodeId} = await page.send('DOM.querySelector', {nodeId: root.nodeId, selector: 'noscript pre'});
			const {outerHTML} = nodeId ? await page.send('DOM.getOuterHTML', {nodeId}) : {outerHTML: ''};
			console.log(outerHTML.replace(/^<pre>|<\/pre>$/g, '').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&'));
			return;
		}
		const page = await browser.open(file, {hash: rest.find(w => w.startsWith('#')), dark: rest.includes('dark')});
		await tasks[task](page, ...rest.filter(w => !w.startsWith('#') && w !== 'dark'));
		say('messages', page.messages.join(' / '));
		say('requests', page.requests.filter(url => !url.startsWith('blob:')).length);
	} finally {
		await browser.close();
	}
}

main(...process.argv.slice(2)).catch(error => {
	say('failed', String(error.stack));
	process.exit(1);
});
