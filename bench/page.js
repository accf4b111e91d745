/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page in the browser: node bench/page.js PAGE prints ms from the navigation to the first picture, frames a second while
 * the time line is panned and while it is zoomed, over the whole run and in a window with all calls.
 */
'use strict';
const {Browser} = require('../tests/page/browser.js');

/* Frames a second while step(i) changes the window before each frame, for a second and a half. */
const measure = `(step => new Promise(done => {
	const canvas = document.querySelectorAll('#timeline canvas')[1], begin = performance.now();
	let frames = 0;
	(function next() {
		const now = performance.now();
		if (now - begin > 1500) return done(frames / (now - begin) * 1000);
		step(canvas, frames++);
		requestAnimationFrame(next);
	})();
}))`;
const wheel = (x, deltaX, deltaY) => `(canvas, i) => {
	const box = canvas.getBoundingClientRect();
	canvas.dispatchEvent(new WheelEvent('wheel', {clientX: box.left + ${x}, clientY: box.top + 100, deltaX: ${deltaX}, deltaY: ${deltaY},
		bubbles: true, cancelable: true}));
}`;

async function main(file) {
	const browser = new Browser();
	try {
		const page = await browser.open(file, {width: 1440, height: 1000});
		const first = await page.get('Number(document.documentElement.dataset.drawn)');
		const rates = [];
		const both = async () => {
			rates.push(await page.get(measure + '(' + wheel(600, 'i % 60 < 30 ? 20 : -20', '0') + ')'));
			rates.push(await page.get(measure + '(' + wheel(600, '0', 'i % 40 < 20 ? -40 : 40') + ')'));
		};
		for (let i = 0; i < 4; i++) await page.get(measure.replace('1500', '30') + '(' + wheel(600, '0', '-150') + ')');
		await both();
		const show = await page.get("document.querySelectorAll('button.show').length");
		if (show) {
			await page.get("document.querySelector('button.show').click()");
			await page.frame();
			await page.frame();
			await both();
		}
		console.log([first, ...rates].map(n => n.toFixed(0)).join(' '));
		for (const message of page.messages) console.error(message);
	} finally {
		await browser.close();
	}
}

main(process.argv[2]).catch(error => {
	console.error(String(error));
	process.exit(1);
});
