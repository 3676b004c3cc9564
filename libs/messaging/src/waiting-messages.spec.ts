import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StreamMessage } from './stream-message.js';
import { WaitingMessages } from './waiting-messages.js';

interface Given {
  position?: number;
  bytes?: number;
}

const message = (subject: string, sequence: number, { position = 0, bytes = 1 }: Given = {}) =>
  ({ subject, sequence, position, data: new Uint8Array(bytes) }) as StreamMessage;

function waiting(...messages: StreamMessage[]): WaitingMessages {
  const all = new WaitingMessages();
  for (const one of messages) all.add(one);
  return all;
}

const namesOf = (messages: Iterable<StreamMessage>) =>
  [...messages].map(({ subject, sequence, position }) => `${subject} ${sequence}/${position}`);

/** The next call, which succeeds. */
function handled(all: WaitingMessages, bytesMax: number): string[] {
  const call = all.next(bytesMax);
  for (const { subject } of call) all.keep(subject, (one) => !call.includes(one));
  return namesOf(call);
}

describe('messages of one source', () => {
  it('come in stream order, whole stream messages, as many as fit, and one that is larger', () => {
    const batch = (sequence: number, position: number) => message('w.a', sequence, { position });
    const batches = [batch(2, 1), batch(1, 0), batch(3, 0), batch(2, 0), batch(1, 1)];
    const next = (bytesMax: number) => namesOf(waiting(...batches).next(bytesMax));
    expect(next(3)).toEqual(['w.a 1/0', 'w.a 1/1']);
    expect(next(4)).toEqual(['w.a 1/0', 'w.a 1/1', 'w.a 2/0', 'w.a 2/1']);
    expect(next(1)).toEqual(['w.a 1/0', 'w.a 1/1']);
    expect(next(9)).toHaveLength(5);
  });

  it('are replaced by later copies', () => {
    const all = waiting(message('w.a', 1), message('w.a', 2));
    const copy = message('w.a', 1);
    expect(all.add(copy)).toBe(false);
    expect([...all][0]).toBe(copy);
    expect([...all]).toHaveLength(2);
  });
});

describe('messages of several sources', () => {
  it('share a call: each workspace has its part, whatever waits of the others', () => {
    const all = waiting(...[1, 2, 3, 4].map((n) => message('loud.a', n, { bytes: 10 })), message('quiet.a', 5));
    expect(handled(all, 80)).toEqual(['loud.a 1/0', 'loud.a 2/0', 'quiet.a 5/0']);
    expect(handled(all, 80)).toEqual(['loud.a 3/0', 'loud.a 4/0']);
  });

  it('let a message that is larger than its share come alone, every other call', () => {
    const large = [1, 2].map((n) => message('loud.a', n, { bytes: 100 }));
    const all = waiting(...large, message('quiet.a', 3));
    expect(handled(all, 80)).toEqual(['loud.a 1/0']);
    all.add(message('quiet.a', 4));
    expect(handled(all, 80)).toEqual(['quiet.a 3/0', 'quiet.a 4/0']);
    all.add(message('quiet.a', 5));
    expect(handled(all, 80)).toEqual(['loud.a 2/0']);
  });

  it('count as one workspace, however many it has', () => {
    const loud = [1, 2, 3, 4].map((n) => message(`loud.${n}`, n, { bytes: 10 }));
    const all = waiting(...loud, message('quiet.a', 5));
    expect(handled(all, 80)).toEqual(['loud.1 1/0', 'loud.2 2/0', 'quiet.a 5/0']);
    all.add(message('quiet.a', 6));
    expect(handled(all, 80)).toEqual(['loud.3 3/0', 'loud.4 4/0', 'quiet.a 6/0']);
  });

  it('of one workspace share a call that no other waits for, and take turns', () => {
    const all = waiting(
      ...[1, 2, 3].map((n) => message('w.loud', n, { bytes: 20 })),
      message('w.quiet', 4, { bytes: 20 }),
    );
    expect(handled(all, 80)).toEqual(['w.loud 1/0', 'w.quiet 4/0']);
    all.add(message('w.quiet', 5, { bytes: 20 }));
    expect(handled(all, 20)).toEqual(['w.loud 2/0']);
    expect(handled(all, 20)).toEqual(['w.quiet 5/0']);
    expect(handled(all, 80)).toEqual(['w.loud 3/0']);
  });
});

const sent = fc.record({ source: fc.constantFrom('a.1', 'a.2', 'b.1', 'c.1'), bytes: fc.integer({ min: 1, max: 60 }) });

it('every message comes once, in the order of its source, in calls that are not too large', () => {
  const property = fc.property(fc.array(sent, { maxLength: 60 }), fc.integer({ min: 1, max: 100 }), (all, bytesMax) => {
    const messages = all.map(({ source, bytes }, n) => message(source, n, { bytes }));
    const left = waiting(...messages);
    const came: StreamMessage[] = [];
    while (!left.isEmpty) {
      const call = left.next(bytesMax);
      const bytes = call.reduce((sum, { data }) => sum + data.length, 0);
      expect(call.length === 1 || (call.length > 1 && bytes <= bytesMax)).toBe(true);
      for (const { subject } of call) left.keep(subject, (one) => !call.includes(one));
      came.push(...call);
    }
    for (const source of new Set(all.map((one) => one.source))) {
      const of = (list: StreamMessage[]) => list.filter(({ subject }) => subject === source);
      expect(of(came)).toEqual(of(messages));
    }
  });
  fc.assert(property, { numRuns: 200 });
});
