/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A headless Chromium, driven by the DevTools protocol over a pipe: no socket, no package. Messages are JSON with a NUL
 * after each, on descriptors 3 (to it) and 4 (from it).
 */
'use strict';
const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Browser {
	constructor() {
		this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'gaspdb-page-'));
		const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe',
			'--no-first-run', '--user-data-dir=' + this.profile, 'about:blank'];
		this.process = spawn(process.env.CHROMIUM || 'chromium', flags, {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
		this.waiting = new Map();
		this.listeners = [];
		this.last = 0;
		let rest = Buffer.alloc(0);
		this.process.stdio[4].on('data', data => {
			rest = Buffer.concat([rest, data]);
			for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) this.receive(JSON.parse(rest.subarray(0, end).toString()));
		});
		this.process.on('exit', () => {
			for (const {reject} of this.waiting.values()) reject(new Error('the browser has ended'));
		});
	}

	receive(message) {
		if (message.id) {
			const {resolve, reject} = this.waiting.get(message.id);
			this.waiting.delete(message.id);
			if (message.error) reject(new Error(message.error.message));
			else resolve(message.result);
		} else {
			for (const listener of this.listeners) listener(message);
		}
	}

	send(method, params, sessionId) {
		return new Promise((resolve, reject) => {
			const id = ++this.last;
			this.waiting.set(id, {resolve, reject});
			this.process.stdio[3].write(JSON.stringify({id, method, params: params || {}, sessionId}) + '\0');
		});
	}

	/* Opens a file; width and height of the window in CSS pixels. */
	async open(file, options) {
		const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
		const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
		const page = new Page(this, sessionId, targetId);
		await page.start(file, Object.assign({width: 1440, height: 1000}, options));
		return page;
	}

	async close() {
		await this.send('Browser.close').catch(() => {});
		await new Promise(resolve => this.process.exitCode === null ? this.process.on('exit', resolve) : resolve());
		fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
	}
}

class Page {
	constructor(browser, session, target) {
		Object.assign(this, {browser, session, target, messages: [], requests: []});
		browser.listeners.push(message => {
			if (message.sessionId !== session) return;
			if (message.method === 'Runtime.consoleAPICalled') this.messages.push(message.params.args.map(a => a.value || a.description).join(' '));
			if (message.method === 'Runtime.exceptionThrown')
				this.messages.push(message.params.exceptionDetails.exception ? message.params.exceptionDetails.exception.description
					: message.params.exceptionDetails.text);
			if (message.method === 'Log.entryAdded') this.messages.push(message.params.entry.text);
			if (message.method === 'Network.requestWillBeSent') this.requests.push(message.params.request.url);
			if (message.method === 'Page.loadEventFired' && this.loaded) this.loaded();
		});
	}

	send(method, params) {
		return this.browser.send(method, params, this.session);
	}

	async start(file, options) {
		for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(domain + '.enable');
		await this.send('Emulation.setDeviceMetricsOverride', {width: options.width, height: options.height, deviceScaleFactor: 1, mobile: false});
		await this.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: options.dark ? 'dark' : 'light'}]});
		if (options.noScript) await this.send('Emulation.setScriptExecutionDisabled', {value: true});
		const loaded = new Promise(resolve => { this.loaded = resolve; });
		await this.send('Page.navigate', {url: 'file://' + path.resolve(file) + (options.hash || '')});
		await loaded;
		if (!options.noScript) await this.until("['ready', 'failed'].includes(document.documentElement.dataset.state)");
	}

	/* Value of an expression in the page. */
	async get(expression) {
		const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
		if (exceptionDetails) throw new Error(expression + ': ' + (exceptionDetails.exception || {}).description);
		return result.value;
	}

	/* Waits until an expression holds. */
	async until(expression, seconds = 30) {
		for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 30)))
			if (await this.get(expression)) return;
		throw new Error('still not: ' + expression);
	}

	/* Waits until two frames are drawn. */
	frame() {
		return this.get('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
	}

	async mouse(type, x, y, more) {
		await this.send('Input.dispatchMouseEvent', Object.assign({type, x, y, button: 'left', clickCount: 1}, more));
	}

	async click(x, y) {
		await this.mouse('mouseMoved', x, y, {button: 'none'});
		await this.mouse('mousePressed', x, y);
		await this.mouse('mouseReleased', x, y);
		await this.frame();
	}

	async drag(x1, y1, x2, y2) {
		await this.mouse('mousePressed', x1, y1);
		for (let i = 1; i <= 4; i++) await this.mouse('mouseMoved', x1 + (x2 - x1) * i / 4, y1 + (y2 - y1) * i / 4, {buttons: 1});
		await this.mouse('mouseReleased', x2, y2);
		await this.frame();
	}

	async key(key, code, modifiers = 0) {
		for (const type of ['keyDown', 'keyUp'])
			await this.send('Input.dispatchKeyEvent', {type, key, windowsVirtualKeyCode: {Tab: 9, Enter: 13}[key], code: code || key, modifiers, text: type === 'keyDown' && key.length === 1 ? key : undefined});
		await this.frame();
	}

	/* A PNG of the window, or of the whole page. */
	async picture(file, whole) {
		const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: Boolean(whole)});
		fs.writeFileSync(file, Buffer.from(data, 'base64'));
	}
}

module.exports = {Browser};
