/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a PNG of a page: node picture.js PAGE PNG [WIDTHxHEIGHT] [dark] [whole] [scroll] [#hash]; scroll: below the time line.
   Prints what the console said. */
'use strict';
const {Browser} = require('./browser.js');

async function main(file, png, ...words) {
	const [width, height] = (words.find(w => /^\d+x\d+$/.test(w)) || '1440x1000').split('x').map(Number);
	const browser = new Browser();
	try {
		const page = await browser.open(file, {width, height, dark: words.includes('dark'), hash: words.find(w => w.startsWith('#'))});
		await page.frame();
		if (words.includes('whole')) {
			const tall = await page.get('document.documentElement.scrollHeight');
			await page.send('Emulation.setDeviceMetricsOverride', {width, height: tall, deviceScaleFactor: 1, mobile: false});
			await page.frame();
		}
		if (words.includes('scroll')) await page.get('document.getElementById("window").scrollIntoView()');
		await page.frame();
		await page.picture(png);
		for (const message of page.messages) console.error(message);
		process.exitCode = page.messages.length ? 1 : 0;
	} finally {
		await browser.close();
	}
}

main(...process.argv.slice(2)).catch(error => {
	console.error(String(error));
	process.exit(1);
});
