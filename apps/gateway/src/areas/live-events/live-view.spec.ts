import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LiveView, SHOWN_PER_SECOND_MAX, Turns, WAITING_MAX } from './live-view.js';

let view: LiveView;
beforeEach(() => {
  // streams need real ticks
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  view = new LiveView();
});
afterEach(() => {
  view.destroy();
  jest.useRealTimers();
});

const read = () => String(view.read() ?? '');
const count = (text: string, event: string) => text.split(`event: ${event}\n`).length - 1;

describe('LiveView', () => {
  it('writes server-sent events', () => {
    view.show('accepted', { n: 1, text: 'a\nb' });
    expect(read()).toBe(': live\n\nevent: accepted\ndata: {"n":1,"text":"a\\nb"}\n\n');
  });

  it('shows so many a second and says how many it left out', async () => {
    for (let n = 0; n < SHOWN_PER_SECOND_MAX + 7; n += 1) view.show('accepted', { n });
    expect(view.hasRoom).toBe(false);
    expect(count(read(), 'accepted')).toBe(SHOWN_PER_SECOND_MAX);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(read()).toBe('event: skipped\ndata: {"events":7}\n\n');
    expect(view.hasRoom).toBe(true);
  });

  it('shows nothing to a reader that does not read, and goes on when it does', async () => {
    const data = { pad: 'x'.repeat(100_000) };
    for (let n = 0; n < 5; n += 1) view.show('accepted', data);
    expect(view.hasRoom).toBe(false);
    expect(count(read(), 'accepted')).toBe(3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(read()).toContain('{"events":2}');
  });

  it('says now and then that it is still there, when nothing else happens', async () => {
    read();
    await jest.advanceTimersByTimeAsync(15_000);
    expect(read()).toBe(': still here\n\n');
  });

  it('ends with a goodbye and leaves no timer', () => {
    view.end();
    view.end();
    expect(read()).toContain('event: end');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('Turns', () => {
  it('does one piece of work in each turn, in order', async () => {
    const turns = new Turns();
    const done: number[] = [];
    const views = [{}, {}, {}];
    views.forEach((view, n) => void turns.add(view, () => void done.push(n)));
    expect(done).toEqual([]);
    const seen: number[] = [];
    while (done.length < views.length) {
      await nextTurn();
      seen.push(done.length);
    }
    expect([done, seen]).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
  });

  it('lets one view wait with a few, and others as well', () => {
    const turns = new Turns();
    const [busy, other] = [{}, {}];
    const taken = Array.from({ length: 2 * WAITING_MAX }, () => turns.add(busy, () => undefined));
    expect([taken.filter(Boolean).length, turns.add(other, () => undefined)]).toEqual([WAITING_MAX, true]);
  });

  it('goes on after work that throws', async () => {
    const turns = new Turns();
    let isDone = false;
    turns.add({}, () => {
      throw new Error('no JSON');
    });
    turns.add({}, () => {
      isDone = true;
    });
    while (!isDone) await nextTurn();
    expect(isDone).toBe(true);
  });
});
