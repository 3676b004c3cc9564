import { describe, expect, it } from '@jest/globals';
import { RunCode } from '@weir/contracts';
import { KnownBundles } from './known-bundles.js';
import { readRunPacket } from './run-request.js';

const { request: example } = RunCode.example;
const event = { message: { a: 'ü,]}' }, metadata: { n: [1] } };
const packetOf = (data: unknown) => Buffer.from(JSON.stringify({ pattern: RunCode.subject, data, id: '7' }));
const read = (bytes: Buffer) => readRunPacket(bytes).request();

describe('readRunPacket', () => {
  it('locates the events and leaves them unparsed', () => {
    const { id, request } = readRunPacket(packetOf({ ...example, events: [event, event] }));
    const { events, ...rest } = request();
    expect(id).toBe('7');
    expect(events.map(String)).toEqual([JSON.stringify(event), JSON.stringify(event)]);
    expect({ ...rest, events: example.events }).toEqual(RunCode.request.parse(example));
  });

  it('accepts any order of fields and any white space', () => {
    const { bundle, mode, workspaceId } = example;
    const data = { events: [{ metadata: {}, extra: [{}], message: {} }], mode, workspaceId, bundle };
    const text = JSON.stringify({ id: 1, data, isMore: true }, null, 2);
    expect(read(Buffer.from(text)).events.map((each) => JSON.parse(String(each)))).toEqual(data.events);
  });

  it('reads code that came before only once, and other code under the same key again', () => {
    const known = new KnownBundles();
    const bundleOf = (bundle: object) => {
      const request = { ...example, bundle: { ...example.bundle, ...bundle } };
      return readRunPacket(packetOf(request), known).request().bundle;
    };
    const first = bundleOf({});
    expect(bundleOf({})).toBe(first);
    const longer = { code: `${first.code} ` };
    expect(bundleOf(longer)).toEqual({ ...first, ...longer });
    expect(bundleOf({})).toEqual(first);
    expect(bundleOf({})).not.toBe(first);
  });

  it('checks everything else about code that came before', () => {
    const known = new KnownBundles();
    const request = (more: object) => readRunPacket(packetOf({ ...example, ...more }), known).request();
    request({});
    expect(() => request({ workspaceId: 'x' })).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => request({ events: [] })).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(request({ mode: 'test' })).toMatchObject({ mode: 'test', bundle: example.bundle });
  });

  it('takes the last of two bundles, as JSON does', () => {
    const other = { ...example.bundle, code: 'other' };
    const twice = (first: unknown, second: unknown) =>
      Buffer.from(JSON.stringify({ data: { b1: first, ...example, bundle: second } }).replace('"b1"', '"bundle"'));
    expect(read(twice(example.bundle, other)).bundle).toEqual(other);
    expect(() => read(twice(example.bundle, 1))).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it.each([
    ['no events', { ...example, events: [] }, 'events'],
    ['events that are not a list', { ...example, events: {} }, 'body'],
    ['an event that is not an object', { ...example, events: [1] }, 'events.0'],
    ['an event without metadata', { ...example, events: [event, { message: {} }] }, 'events.1.metadata'],
    ['a message that is not an object', { ...example, events: [{ ...event, message: [] }] }, 'events.0.message'],
    ['an invalid workspace id', { ...example, workspaceId: 'x' }, 'workspaceId'],
    ['no code', { ...example, bundle: { ...example.bundle, code: 1 } }, 'bundle.code'],
    ['nothing', undefined, 'body'],
  ])('refuses %s and names the field', (_what, data, field) => {
    expect(() => read(packetOf(data))).toThrow(
      expect.objectContaining({ code: 'invalid', details: { [field]: expect.any(String) } }),
    );
  });

  it.each(['', '{', '{"data":{"events":[{"message":{},"metadata":{}}', '{"data":{}} x', '[]'])('refuses %j', (text) => {
    expect(() => read(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
