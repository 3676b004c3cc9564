import { expect, it } from '@jest/globals';
import { destinationKind } from '../index.js';
import { shownPayloads, twinOf } from './shown-payloads.js';

it('a part of an event that has no secret in it is shown as it is, and not made anew, however large it is', () => {
  const kind = destinationKind('WEBHOOK');
  if (!kind) throw new Error('there is a webhook');
  const config = { webhookUrl: 'https://example.com/', headers: [{ from: 'authorization', to: 'Bearer abcdef' }] };
  const event = { type: 'track', properties: { list: [{}, {}] } };
  const [shown] = shownPayloads(kind.transform(event, config), twinOf(kind, event, config));
  expect(shown?.headers).toMatchObject({ authorization: '***' });
  expect(Object.is((shown as unknown as { body: { JSON: typeof event } }).body.JSON.properties, event.properties)).toBe(
    true,
  );
});
