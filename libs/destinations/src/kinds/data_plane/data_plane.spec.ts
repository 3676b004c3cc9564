import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import dataPlane from './data_plane.js';

const config = { dataPlaneUrl: 'https://hosted.example.com', writeKey: 'k' };
const sendAll = (event: JsonObject, more: JsonObject = {}) => dataPlane.transform(event, { ...config, ...more });
const send = (event: JsonObject, more?: JsonObject) => sendAll(event, more)[0];
const copyOf = (event: JsonObject) => objectAt(send(event), 'body.JSON.batch.0');

describe('an event for another data plane', () => {
  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])(
    'of type %s goes there as its SDK sent it',
    (type) => {
      const sent = {
        ...{ ...ada, type, event: 'Paid', messageId: 'm', request_ip: '192.0.2.1', channel: 'web' },
        ...{ originalTimestamp: '2026-01-02T03:04:05.000Z', sentAt: '2026-01-02T03:04:06.000Z' },
        ...{ properties: { list: [1, { a: null }], empty: '' }, traits: {}, context: { ip: '192.0.2.2' } },
      };
      expect(copyOf({ ...sent, receivedAt: '2026-01-02T03:04:07.000Z', rudderId: 'r' })).toEqual({
        ...sent,
        integrations: { 'Data plane': false },
      });
    },
  );

  it.each<[unknown, JsonObject]>([
    [undefined, { 'Data plane': false }],
    [
      { All: false, 'Data plane': true },
      { All: false, 'Data plane': false },
    ],
    [{ Webhook: { a: 1 } }, { Webhook: { a: 1 }, 'Data plane': false }],
    ['All', { 'Data plane': false }],
  ])('is wanted by no further one, with integrations of %j', (integrations, expected) => {
    expect(copyOf({ ...ada, type: 'page', integrations })['integrations']).toEqual(expected);
  });

  it.each([
    ['https://hosted.example.com', 'https://hosted.example.com/v1/batch'],
    ['https://hosted.example.com//', 'https://hosted.example.com/v1/batch'],
    ['http://10.0.0.1:8080/events/', 'http://10.0.0.1:8080/events/v1/batch'],
  ])('at %s is posted to %s with the write key', (dataPlaneUrl, endpoint) => {
    const payload = send({ ...ada, type: 'page' }, { dataPlaneUrl });
    expect(payload).toMatchObject({ method: 'POST', endpoint });
    expect(payload?.headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Basic azo=' });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'merge' }, {}, 'Event type merge is not supported'],
    [{}, {}, 'Event type is required'],
    [{ type: 'page' }, { dataPlaneUrl: '' }, "dataPlaneUrl is required in the destination's configuration"],
    [{ type: 'page' }, { writeKey: '' }, "writeKey is required in the destination's configuration"],
  ])('%j with %j is refused: %s', (event, more, message) => {
    expect(() => send(event, more)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });

  it('shares a request with others', () => {
    const rule = dataPlane.batch?.(config);
    const payloads = ['a', 'b'].flatMap((event) => sendAll({ ...ada, type: 'track', event }));
    const joined = rule?.combine(payloads).body.JSON['batch'];
    expect(joined).toMatchObject([{ event: 'a' }, { event: 'b' }]);
    expect(rule).toMatchObject({ itemsMax: 100, bytesMax: 1_000_000 });
  });
});
