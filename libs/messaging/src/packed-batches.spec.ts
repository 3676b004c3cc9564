import { describe, expect, it } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
import { eventBatch } from '@weir/testing';
import { packBatches, readBatch, streamMessages } from './packed-batches.js';

/** A broker message that records which acknowledgements it gets. */
function messageOf(...lines: string[]) {
  const data = new TextEncoder().encode(packBatches(lines));
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
  return { batches: streamMessages(message as unknown as JsMsg), said };
}

describe('the batches of a message', () => {
  it('are its lines, each readable by itself', () => {
    const { batches } = messageOf('{"n":1}', '{"n":"ä"}', '{"n":3}');
    expect(batches.map((batch) => batch.json())).toEqual([{ n: 1 }, { n: 'ä' }, { n: 3 }]);
    expect(batches.map(({ sequence, position }) => [sequence, position])).toEqual([
      [7, 0],
      [7, 1],
      [7, 2],
    ]);
    expect(batches[1]?.text()).toBe('{"n":"ä"}');
    expect(Buffer.from(batches[2]?.data ?? []).toString()).toBe('{"n":3}');
  });

  it('are acknowledged together, when all of them are finished', () => {
    const { batches, said } = messageOf('1', '2', '3');
    batches[2]?.ack();
    batches[2]?.ack();
    batches[0]?.term();
    expect(said).toEqual([]);
    expect(batches.map(({ isDone }) => isDone)).toEqual([true, false, true]);
    batches[1]?.ack();
    expect(said).toEqual(['ack']);
  });

  it('come again together', () => {
    const { batches, said } = messageOf('1', '2');
    batches[0]?.ack();
    batches[1]?.nak();
    expect(said).toEqual(['nak']);
  });

  it('do not spoil one another when one cannot be read', () => {
    const { batches } = messageOf('{"n":1}', 'not json');
    expect(batches[0]?.json()).toEqual({ n: 1 });
    expect(() => batches[1]?.json()).toThrow(SyntaxError);
  });

  it('of a message with one is the message', () => {
    const { batches, said } = messageOf('{"n":1}');
    batches[0]?.term();
    expect([batches.length, said]).toEqual([1, ['term']]);
  });
});

describe('readBatch', () => {
  const valid = eventBatch({ events: [{ type: 'track' }, { type: 'page' }] });
  const read = (json: unknown) => readBatch({ json: () => json });

  it('gives the batch of a message', () => {
    expect(read(valid)).toEqual(valid);
  });

  it.each([
    ['no events', { ...valid, events: [] }, 'events'],
    ['an event that is not an object', { ...valid, events: [{}, 'text'] }, 'events.1'],
    ['no id', { ...valid, batchId: undefined }, 'batchId'],
    ['something else', null, 'body'],
  ])('names the problem of %s', (_, json, field) => {
    expect(read(json)).toEqual({ reason: 'not a batch of events', problem: expect.stringContaining(field), json });
  });

  it('says what is not JSON', () => {
    const json = () => JSON.parse('not json') as unknown;
    expect(readBatch({ json })).toEqual({ reason: 'not JSON' });
  });
});
