import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WeirError } from '@weir/client';
import { START, type Stream } from './buffer.js';
import { AGAIN_MS, follow, HIDDEN_MS } from './follow.js';

/** A connection of a browser, without one. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 1;
  onerror?: () => Promise<void>;
  constructor() {
    super();
    FakeEventSource.all.push(this);
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
  /** A server that ends the stream has it opened again, one that refuses it has not. */
  fail(isRefused: boolean) {
    if (isRefused) this.close();
    return this.onerror?.();
  }
}

const tab = Object.assign(new EventTarget(), { hidden: false });
const turn = (hidden: boolean) => {
  tab.hidden = hidden;
  tab.dispatchEvent(new Event('visibilitychange'));
};
/** Each stream that was opened so far, and whether it still is. */
const streams = () => FakeEventSource.all.map(({ readyState }) => (readyState === 2 ? 'closed' : 'open'));
const newest = () => FakeEventSource.all.at(-1);

describe('a stream that is followed', () => {
  let refusal = Promise.resolve<WeirError | undefined>(undefined);
  let shown: Stream;
  let leave: () => void;
  const begin = (hidden = false) => {
    tab.hidden = hidden;
    leave = follow({
      url: '/v2/live-events?',
      refusalOf: () => refusal,
      tell: (change) => {
        shown = change(shown);
      },
    });
  };

  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { document: tab, EventSource: FakeEventSource });
    FakeEventSource.all = [];
    shown = START;
    refusal = Promise.resolve(undefined);
  });
  afterEach(() => {
    leave();
    expect(streams()).not.toContain('open');
    jest.useRealTimers();
  });

  it('is opened again after it ends', async () => {
    begin();
    await newest()?.fail(false);
    expect([streams(), shown.state]).toEqual([['closed'], 'away']);
    jest.advanceTimersByTime(AGAIN_MS);
    expect(streams()).toEqual(['closed', 'open']);
  });

  it('is not asked for again after a refusal that stays', async () => {
    refusal = Promise.resolve(new WeirError({ status: 404, message: 'no such source', code: 'NOT_FOUND' }));
    begin();
    await newest()?.fail(true);
    jest.advanceTimersByTime(10 * AGAIN_MS);
    expect([streams(), shown.refusal]).toEqual([['closed'], 'no such source']);
  });

  it.each([false, true])('is closed in a hidden tab, and opened once it is shown (began hidden: %j)', (beganHidden) => {
    begin(beganHidden);
    if (!beganHidden) turn(true);
    jest.advanceTimersByTime(HIDDEN_MS - 1);
    expect(streams()).toEqual(['open']);
    jest.advanceTimersByTime(1);
    expect(streams()).toEqual(['closed']);
    turn(false);
    expect(streams()).toEqual(['closed', 'open']);
  });

  it('stays closed in a hidden tab whose refusal is told late', async () => {
    const late = Promise.withResolvers<undefined>();
    refusal = late.promise;
    begin(true);
    const failed = newest()?.fail(true);
    jest.advanceTimersByTime(HIDDEN_MS);
    late.resolve(undefined);
    await failed;
    jest.advanceTimersByTime(10 * AGAIN_MS);
    expect(streams()).toEqual(['closed']);
  });

  it('is opened once when a tab comes back before its refusal is told', async () => {
    const late = Promise.withResolvers<undefined>();
    refusal = late.promise;
    begin();
    const failed = [newest()?.fail(true)];
    turn(false);
    failed.push(newest()?.fail(true));
    late.resolve(undefined);
    await Promise.all(failed);
    jest.advanceTimersByTime(10 * AGAIN_MS);
    expect(streams()).toEqual(['closed', 'closed', 'open']);
  });
});
