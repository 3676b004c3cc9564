import { describe, expect, it } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
import { joinParts, streamMessages } from './message-parts.js';

/** A broker message that records which acknowledgements it gets. */
function messageOf(...lines: string[]) {
  const data = new TextEncoder().encode(joinParts(lines));
  const said: string[] = [];
  const message = {
    ...{ subject: 's', seq: 7, redelivered: false, info: { deliveryCount: 1 }, data },
    json: () => JSON.parse(new TextDecoder().decode(data)) as unknown,
    string: () => new TextDecoder().decode(data),
    ack: () => said.push('ack'),
    nak: () => said.push('nak'),
    term: () => said.push('term'),
    working: () => said.push('working'),
  };
  return { parts: streamMessages(message as unknown as JsMsg), said };
}

describe('the batches of a message', () => {
  it('are its lines, each readable by itself', () => {
    const { parts } = messageOf('{"n":1}', '{"n":"ä"}', '{"n":3}');
    expect(parts.map((part) => part.json())).toEqual([{ n: 1 }, { n: 'ä' }, { n: 3 }]);
    expect(parts.map(({ sequence, part }) => [sequence, part])).toEqual([
      [7, 0],
      [7, 1],
      [7, 2],
    ]);
    expect(parts[1]?.text()).toBe('{"n":"ä"}');
    expect(Buffer.from(parts[2]?.data ?? []).toString()).toBe('{"n":3}');
  });

  it('are acknowledged together, when all of them are finished', () => {
    const { parts, said } = messageOf('1', '2', '3');
    parts[2]?.ack();
    parts[2]?.ack();
    parts[0]?.term();
    expect(said).toEqual([]);
    expect(parts.map(({ isDone }) => isDone)).toEqual([true, false, true]);
    parts[1]?.ack();
    expect(said).toEqual(['ack']);
  });

  it('come again together', () => {
    const { parts, said } = messageOf('1', '2');
    parts[0]?.ack();
    parts[1]?.nak();
    expect(said).toEqual(['nak']);
  });

  it('do not spoil one another when one cannot be read', () => {
    const { parts } = messageOf('{"n":1}', 'not json');
    expect(parts[0]?.json()).toEqual({ n: 1 });
    expect(() => parts[1]?.json()).toThrow(SyntaxError);
  });

  it('of a message with one is the message', () => {
    const { parts, said } = messageOf('{"n":1}');
    parts[0]?.term();
    expect([parts.length, said]).toEqual([1, ['term']]);
  });
});
