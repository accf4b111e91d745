/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as texts, as the report writes them: four significant digits, units of their own. */

/* Four significant digits at most, without an exponent: 1.182, 23.4, 628. */
function formatDigits(value) {
	const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
	return value.toFixed(Math.max(0, Math.min(3, 3 - digits)));
}

function formatTime(ns) {
	if (ns === null || ns === undefined) return '';
	const size = Math.abs(ns);
	if (size < 1000) return Math.round(ns) + ' ns';
	if (size < 999950) return formatDigits(ns / 1e3) + ' µs';
	if (size < 999950000) return formatDigits(ns / 1e6) + ' ms';
	if (size < 6e11) return formatDigits(ns / 1e9) + ' s';
	if (size < 3.6e13) return formatDigits(ns / 6e10) + ' min';
	return formatDigits(ns / 3.6e12) + ' h';
}

/* A moment of the run in seconds, with as many digits as the step between ticks needs. */
function formatMoment(ns, step) {
	const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step) - 1e-9)));
	return (ns / 1e9).toFixed(step >= 1e9 ? 0 : digits);
}

function formatBytes(bytes) {
	if (bytes === null || bytes === undefined) return '';
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let i = 0;
	for (; bytes >= 1024 && i < units.length - 1; i++) bytes /= 1024;
	return (i ? formatDigits(bytes) : Math.round(bytes)) + ' ' + units[i];
}

function formatCount(n) {
	return n === null || n === undefined ? '' : String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ','); /* toLocaleString() loads its data for 0.1 s */
}

/* A count in at most four characters and a letter: 9,999, 73k, 1.2M. */
function formatShort(n) {
	const scale = n < 9999.5 ? 0 : n < 999500 ? 1 : n < 999.5e6 ? 2 : 3, value = n / 1000 ** scale;
	return scale ? (value < 9.95 ? value.toFixed(1) : Math.round(value)) + ['', 'k', 'M', 'G'][scale] : formatCount(n);
}

/* A share of 1 as percent. */
function formatShare(share) {
	if (share === null || share === undefined || !isFinite(share)) return '';
	const percent = 100 * share;
	return percent >= 99.95 || percent === 0 ? Math.round(percent) + ' %' : percent < 0.1 ? '< 0.1 %' : percent.toFixed(1) + ' %';
}

/* "0-2, 5" of increasing numbers. */
function formatRanges(numbers) {
	const texts = [];
	for (let i = 0; i < numbers.length;) {
		let j = i;
		while (j + 1 < numbers.length && numbers[j + 1] === numbers[j] + 1) j++;
		texts.push(j > i ? numbers[i] + (j > i + 1 ? '–' : ', ') + numbers[j] : String(numbers[i]));
		i = j + 1;
	}
	return texts.join(', ');
}

/* A power of two of bytes: 512 B, 2 K, 16 M. */
function formatPower(bytes) {
	const at = Math.min(4, Math.floor(Math.log2(bytes) / 10));
	return bytes / 1024 ** at + ' ' + ['B', 'K', 'M', 'G', 'T'][at];
}

/* A time with two digits at most, for axes: 2.1 µs, 67 ms. */
function formatRough(ns) {
	const text = formatTime(ns), number = parseFloat(text), unit = text.replace(/^[\d.]+ /, '');
	return (number < 10 ? Math.round(10 * number) / 10 : Math.round(number)) + ' ' + unit;
}
