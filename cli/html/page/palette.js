/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of pictures: CSS variables of style.css, read again when the theme changes. */

const categoryColors = {
	computation: '--computing', 'no processor': '--computing', communication: '--communicating', synchronization: '--synchronizing',
	allocation: '--memory', io: '--memory', runtime: '--starting', tool: '--starting', 'not recorded': '--rule',
};
const categoryNames = {
	computation: 'computing', communication: 'communicating', synchronization: 'synchronizing', allocation: 'memory', io: 'files',
	runtime: 'starting, ending', 'no processor': 'without a processor', tool: 'recording', 'not recorded': 'not recorded',
};
/* Categories in the order of legends. */
const categoryOrder = ['computation', 'communication', 'synchronization', 'allocation', 'io', 'runtime', 'no processor', 'tool',
	'not recorded'];

let paletteCache = new Map();

function color(variable) {
	if (!paletteCache.has(variable))
		paletteCache.set(variable, getComputedStyle(document.documentElement).getPropertyValue(variable).trim());
	return paletteCache.get(variable);
}

function categoryColor(category) {
	return color(categoryColors[category] || '--communicating');
}

/* Eight hues of one lightness, for operations and functions; what comes later is grey. */
function hueColor(number) {
	return number < 8 ? color('--hue-' + number) : color('--starting');
}

/* Amounts from 0 to 1 in five steps of one hue, more is farther from the page. */
function amountColor(share) {
	return color('--amount-' + Math.max(0, Math.min(4, Math.floor(5 * share))));
}

/* The hatch of waiting; no other thing is hatched. */
function hatch(context) {
	const scale = window.devicePixelRatio || 1, key = 'hatch ' + scale;
	if (!paletteCache.has(key)) {
		const size = Math.round(7 * scale), tile = document.createElement('canvas');
		tile.width = tile.height = size;
		const c = tile.getContext('2d');
		c.fillStyle = color('--waiting-ground');
		c.fillRect(0, 0, size, size);
		c.strokeStyle = color('--waiting');
		c.lineWidth = 1.7 * scale;
		c.beginPath();
		for (const shift of [-size, 0, size]) {
			c.moveTo(shift - 1, size + 1);
			c.lineTo(shift + size + 1, -1);
		}
		c.stroke();
		const pattern = context.createPattern(tile, 'repeat');
		pattern.setTransform(new DOMMatrix().scale(1 / scale));
		paletteCache.set(key, pattern);
	}
	return paletteCache.get(key);
}

function forgetColors() {
	paletteCache = new Map();
}

const sansFont = 'system-ui, -apple-system, "Segoe UI", sans-serif';
const monoFont = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

function font(size, weight, family) {
	return (weight ? weight + ' ' : '') + size + 'px ' + (family || sansFont);
}
