/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks and windows: who held, who waited, over time. */

const lockRows = 8, lockPitch = 34;
moreSections.push({id: 'locks', title: 'Locks', build: buildLocks, needsTrace: true});

/* Locks with most waiting: {name, uses, wait, hold}. */
async function readLocks() {
	const uses = await loadChunk('lock_uses'), byNumber = new Map();
	for (let i = 0; i < uses.n; i++) {
		const use = uses.row(i);
		if (!byNumber.has(use.lock)) byNumber.set(use.lock, {name: use.name, uses: [], wait: 0, hold: 0});
		const lock = byNumber.get(use.lock);
		lock.uses.push(use);
		lock.wait += use.contended_ns;
		lock.hold += use.released_ns - use.acquired_ns;
	}
	return Array.from(byNumber.values()).sort((a, b) => b.wait - a.wait || b.hold - a.hold);
}

/* A lock's row: above, how many wait (hatched); below, holds, one colour for each thread. */
function drawLock(c, view, lock, y) {
	const middle = y + 16;
	for (const use of lock.uses) {
		const thread = run.threadById.get(use.thread_id), on = state.threads === null || state.threads.includes(use.thread_id);
		const from = Math.max(view.left, view.x(use.acquired_ns)), until = Math.min(view.right, view.x(use.released_ns));
		c.globalAlpha = on ? 1 : .2;
		if (until > from) {
			c.fillStyle = hueColor(thread ? thread.row % 8 : 8);
			c.fillRect(from, middle, Math.max(.6, until - from), 12);
			if (until - from > 30 && thread) {
				c.fillStyle = color('--page');
				c.font = font(11, 600);
				c.fillText(fitText(c, thread.short, until - from - 6), from + 4, middle + 6.5);
			}
		}
		const asked = Math.max(view.left, view.x(use.acquired_ns - use.contended_ns)), got = Math.min(view.right, view.x(use.acquired_ns));
		if (use.contended_ns > 0 && got > asked) {
			c.fillStyle = hatch(c);
			c.fillRect(asked, middle - 9, Math.max(.6, got - asked), 8);
		}
		c.globalAlpha = 1;
	}
	c.font = font(12);
	c.fillStyle = color('--ink');
	c.fillText(fitText(c, lock.name, view.left - 12), 0, middle + 1);
}

async function buildLocks(node) {
	const locks = await readLocks(), rest = restOf('lock_uses', await loadChunk('lock_uses'), {ns: 'contended_ns'});
	if (!locks.length) {
		append(node, [make('h2', {}, 'Locks and windows'), make('p', {class: 'sub'}, 'No locks: nothing to draw.')]);
		return;
	}
	const shown = locks.slice(0, lockRows), viewOf = width => {
		const left = 150, right = width - 1;
		return {left, right, x: ns => left + (ns - state.from) / (state.until - state.from) * (right - left), ns: x => state.from + (x - left) / (right - left) * (state.until - state.from)};
	};
	const picture = makeCanvas('locks over time', shown.length * lockPitch + 4, (c, width) => {
		c.textBaseline = 'middle';
		c.textAlign = 'left';
		shown.forEach((lock, i) => drawLock(c, viewOf(width), lock, i * lockPitch));
	}), line = make('p', {class: 'hover'});
	const useAt = event => {
		const lock = shown[Math.floor(event.offsetY / lockPitch)], ns = viewOf(picture.node.clientWidth).ns(event.offsetX);
		return lock ? lock.uses.find(u => ns >= u.acquired_ns && ns <= u.released_ns) || lock.uses.find(u => ns >= u.requested_ns && ns < u.acquired_ns) || null : null;
	};
	picture.node.addEventListener('mousemove', event => {
		const use = useAt(event);
		line.textContent = use ? threadName(use.thread_id) + ' held it ' + formatTime(use.released_ns - use.acquired_ns) + ', after waiting ' + formatTime(use.contended_ns) : '';
	});
	picture.node.addEventListener('click', event => {
		const use = useAt(event);
		if (use) setState({event: use.acquire_event_id, thread: use.thread_id});
	});
	onState(['from', 'until', 'threads', 'theme'], () => picture.draw());
	append(node, [make('div', {class: 'head'}, make('h2', {}, 'Locks and windows'), make('span', {class: 'sub'}, 'below: who held it; above, hatched: who waited for it; the window of the time line' +
		(locks.length > lockRows ? '; ' + lockRows + ' of ' + formatCount(locks.length) + ', most waiting first' : ''))), picture.node, line,
		makeRest([rest && restText(rest, 'uses', [formatTime(rest.ns) + ' of waiting'])])]);
	node.tableOf = () => ({columns: ['lock', 'uses', 'waiting ns', 'held ns'], rows: locks.map(l => [l.name, l.uses.length, l.wait, l.hold])});
}
