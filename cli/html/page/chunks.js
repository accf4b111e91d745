/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chunks of data (cli/html/chunk.h): inflated and decoded in a worker when they are asked for. They stand below the scripts, so
 * the browser still reads the document when the first ones are asked for.
 */

const chunkWorker = makeChunkWorker();
let chunkPromises = new Map();
let chunkHome = null; /* the element with the chunks of the run that is read; null: the document */

/* The worker's own text: it has no other scope. */
function chunkWorkerMain() {
	function fromBase64(text) {
		const raw = atob(text), bytes = new Uint8Array(raw.length);
		for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
		return bytes;
	}
	async function inflate(bytes) {
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
		return new Uint8Array(await new Response(stream).arrayBuffer());
	}
	/* Integers: zigzag of the difference to the one before, LEB128 of 64 bits. Beyond 2^53 doubles would lose its sign. */
	function integers(bytes, at, n) {
		const values = new Float64Array(n), from = at;
		let value = 0;
		for (let i = 0; i < n; i++) {
			let v = 0, factor = 1, byte;
			do {
				byte = bytes[at++];
				v += (byte & 127) * factor;
				factor *= 128;
			} while (byte & 128);
			value += v % 2 ? -(v + 1) / 2 : v / 2;
			if (v > Number.MAX_SAFE_INTEGER || Math.abs(value) > Number.MAX_SAFE_INTEGER) return wideIntegers(bytes, from, n);
			values[i] = value;
		}
		return values;
	}
	/* The same, some beyond 2^53: each is rounded by itself. */
	function wideIntegers(bytes, at, n) {
		const values = new Float64Array(n);
		let value = 0n;
		for (let i = 0; i < n; i++) {
			let v = 0n, shift = 0n, byte;
			do {
				byte = bytes[at++];
				v |= BigInt(byte & 127) << shift;
				shift += 7n;
			} while (byte & 128);
			value = BigInt.asIntN(64, value + (v & 1n ? -(v >> 1n) - 1n : v >> 1n));
			values[i] = Number(value);
		}
		return values;
	}
	function column(head, bytes, at, n) {
		const nulls = head.null ? bytes.slice(at, at + n) : null;
		const from = at + (head.null ? n : 0);
		let values;
		if (head.kind === 'u8') values = bytes.slice(from, at + head.bytes);
		else if (from === at + head.bytes) values = new Float64Array(n);
		else if (head.kind === 'real') values = new Float64Array(bytes.slice(from, at + head.bytes).buffer);
		else values = integers(bytes, from, n);
		return {name: head.name, values, nulls, texts: head.texts || null};
	}
	function decode(bytes) {
		const end = bytes.indexOf(10);
		const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end)));
		let at = end + 1;
		const columns = (head.columns || []).map(one => {
			const decoded = column(one, bytes, at, head.rows);
			at += one.bytes;
			return decoded;
		});
		return {head, columns};
	}
	self.onmessage = async event => {
		const {id, text, json} = event.data;
		try {
			const bytes = await inflate(fromBase64(text));
			const decoded = json ? {head: JSON.parse(new TextDecoder().decode(bytes)), columns: []} : decode(bytes);
			const buffers = decoded.columns.flatMap(c => c.nulls ? [c.values.buffer, c.nulls.buffer] : [c.values.buffer]);
			self.postMessage({id, decoded}, buffers);
		} catch (error) {
			self.postMessage({id, error: String(error)});
		}
	};
}

function makeChunkWorker() {
	const url = URL.createObjectURL(new Blob(['(' + chunkWorkerMain + ')()'], {type: 'text/javascript'}));
	const worker = new Worker(url);
	const waiting = new Map();
	let last = 0;
	worker.onmessage = event => {
		const {resolve, reject} = waiting.get(event.data.id);
		waiting.delete(event.data.id);
		if (event.data.error) reject(new Error(event.data.error));
		else resolve(event.data.decoded);
	};
	return (text, json) => new Promise((resolve, reject) => {
		waiting.set(++last, {resolve, reject});
		worker.postMessage({id: last, text, json});
	});
}

/*
 * A table: n rows; column(name) is an array of numbers (null: NaN is not used, see isNull); text(name, i) the text of a
 * text column; head: the chunk's head.
 */
function makeTable(decoded) {
	const byName = new Map(decoded.columns.map(c => [c.name, c]));
	const column = name => byName.get(name).values;
	return {
		n: decoded.head.rows || 0,
		head: decoded.head,
		column,
		isNull: (name, i) => byName.get(name).nulls !== null && byName.get(name).nulls[i] === 1,
		/* A value with null for NULL; texts as texts. */
		get(name, i) {
			const c = byName.get(name);
			if (c.nulls !== null && c.nulls[i] === 1) return null;
			return c.texts ? c.texts[c.values[i]] : c.values[i];
		},
		/* A row as an object. */
		row(i) {
			const row = {};
			for (const c of decoded.columns) row[c.name] = this.get(c.name, i);
			return row;
		},
		rows() {
			return Array.from({length: this.n}, (_, i) => this.row(i));
		},
	};
}

let documentSteps = [];
const documentObserver = new MutationObserver(stepDocument);
documentObserver.observe(document.body, {childList: true});
document.addEventListener('readystatechange', stepDocument);

function stepDocument() {
	if (document.readyState !== 'loading') documentObserver.disconnect();
	documentSteps = documentSteps.filter(step => !step());
}

/* Promise of look()'s value, once that is true or the document has been read. */
function whenRead(look) {
	return new Promise(resolve => {
		documentSteps.push(() => {
			const value = look(), done = value || document.readyState !== 'loading';
			if (done) resolve(value);
			return done;
		});
		stepDocument();
	});
}

/* The element of a chunk that has been read: another one follows, or the document has ended; else null. */
function findChunk(name) {
	const nodes = Array.from((chunkHome || document).querySelectorAll('script[data-chunk]')), node = nodes.find(n => n.dataset.chunk === name);
	return node && (node !== nodes[nodes.length - 1] || document.readyState !== 'loading') ? node : null;
}

async function readChunk(name, json) {
	const node = await whenRead(() => findChunk(name));
	if (!node) return makeTable({head: {rows: 0}, columns: []});
	const text = node.textContent;
	node.remove(); /* its memory */
	return makeTable(await chunkWorker(text, json));
}

/* A chunk by name, as a promise of its table; an absent chunk has no rows. json: the chunk is a JSON text alone. */
function loadChunk(name, json) {
	if (!chunkPromises.has(name)) chunkPromises.set(name, readChunk(name, json));
	return chunkPromises.get(name);
}

/* Asks for what the first picture needs, in the order of need: so the worker does not wait for the page. */
function askForFirstChunks() {
	loadChunk('report', true);
	loadChunks(['meta', 'threads', 'sources', 'gaps']);
	loadChunk('windows', true);
	loadChunks(['pyramid', 'profile', 'category_sums', 'wait_totals', 'bins', 'wait_bins', 'longest_waits', 'thread_waits', 'thread_path', 'categories']);
}

function loadChunks(names) {
	return Promise.all(names.map(name => loadChunk(name)));
}
