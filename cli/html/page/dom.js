/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements. Texts of the run go through textContent alone, so that names stay text. */

/*
 * An element: make('button', {class: 'show', on: {click: f}}, 'show', child). An attribute false or null is left out;
 * data: an object of data- attributes.
 */
function make(tag, attributes, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name === 'on')
			for (const [event, fn] of Object.entries(value)) node.addEventListener(event, fn);
		else if (name === 'data')
			for (const [key, text] of Object.entries(value)) node.dataset[key] = text;
		else if (value !== false && value !== null && value !== undefined)
			node.setAttribute(name, value === true ? '' : value);
	}
	append(node, children);
	return node;
}

function append(node, children) {
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined && child !== false)
			node.append(child instanceof Node ? child : document.createTextNode(String(child)));
	return node;
}

function replaceChildren(node, ...children) {
	node.textContent = '';
	return append(node, children);
}

/* A group of buttons of which one is on: choices are [value, text] pairs. */
function makeChoice(label, choices, current, choose) {
	return make('span', {class: 'choice', role: 'group', 'aria-label': label},
		choices.map(([value, text]) => make('button',
			{'aria-pressed': String(value === current), on: {click: () => choose(value)}, data: {value}}, text)));
}

/* Marks the pressed button of a group. */
function pressChoice(group, current) {
	for (const button of group.children) button.setAttribute('aria-pressed', String(button.dataset.value === String(current)));
}

/* A canvas that follows its element's width. draw(context, width, height) is called with sizes in CSS pixels. */
function makeCanvas(label, height, draw) {
	const canvas = make('canvas', {role: 'img', 'aria-label': label, tabindex: '0'});
	const picture = {node: canvas, height, draw: redraw};
	let asked = 0;
	function now() {
		asked = 0;
		const scale = window.devicePixelRatio || 1;
		const width = canvas.clientWidth || canvas.parentNode && canvas.parentNode.clientWidth || 0;
		if (!width) return;
		const tall = typeof picture.height === 'function' ? picture.height(width) : picture.height;
		if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(tall * scale)) {
			canvas.width = Math.round(width * scale);
			canvas.height = Math.round(tall * scale);
			canvas.style.height = tall + 'px';
		}
		const context = canvas.getContext('2d');
		context.setTransform(scale, 0, 0, scale, 0, 0);
		context.clearRect(0, 0, width, tall);
		draw(context, width, tall);
	}
	function redraw() {
		if (!asked) asked = requestAnimationFrame(now);
	}
	picture.now = now;
	new ResizeObserver(redraw).observe(canvas);
	return picture;
}
