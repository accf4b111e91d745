/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens pages in one browser, uses keys and the first finding, and prints for each one a line: NAME STATE MESSAGES; whether a
 * script of the run's names ran; requests. node open.js PAGE...
 */
'use strict';
const path = require('path');
const {Browser} = require('./browser.js');

async function use(page) {
	for (const key of 'wwwwda') await page.key(key, 'Key' + key.toUpperCase());
	await page.key('0', 'Digit0');
	for (const key of 'tt') await page.key(key, 'KeyT');
	await page.get('(() => { const show = document.querySelector("button.show"); if (show) show.click(); })()');
	for (const key of 'ncm') await page.key(key, 'Key' + key.toUpperCase());
}

async function look(page) {
	const state = await page.get('document.documentElement.dataset.state');
	if (state === 'ready') await use(page);
	const strange = await page.get('(window.hacked === undefined ? "" : "a script of a name ran ") + ' +
		'(document.querySelectorAll("#page img, #page iframe, #page script").length ? "a name is an element" : "")');
	const asked = page.requests.filter(url => !url.startsWith('blob:') && !url.startsWith('file:')).join(' ');
	return [state, page.messages.join(' / '), strange, asked].filter(Boolean).join(' ');
}

async function main(files) {
	const browser = new Browser();
	try {
		for (const file of files) {
			const page = await browser.open(file);
			console.log(path.basename(file, '.html') + ' ' + await look(page));
			await browser.send('Target.closeTarget', {targetId: page.target});
		}
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch(error => {
	console.log(String(error.stack));
	process.exit(1);
});
