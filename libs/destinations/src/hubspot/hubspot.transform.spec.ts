import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { hubspotBatch } from './hubspot.batch.js';
import { hubspotTransform } from './hubspot.transform.js';

const hubspotEvents = [
  { rsEventName: 'Paid', hubspotEventName: 'pe1_paid', eventProperties: [{ from: 'total', to: 'amount' }] },
];
const config = { accessToken: 't', hubspotEvents };
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = hubspotTransform({ ...ada, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};

describe('a HubSpot contact', () => {
  const traits = {
    email: 'a@b.c',
    firstName: 'Ada',
    address: { city: 'Turin' },
    company: { name: 'Weir' },
    plan: 'pro',
    uid: 7,
  };

  it('is created or updated by its e-mail, with the properties that HubSpot has', () => {
    const payload = send({ type: 'identify', traits }, { contactProperties: [{ from: 'plan', to: 'plan_name' }] });
    expect(payload.headers).toMatchObject({ authorization: 'Bearer t' });
    expect(payload.body.JSON).toEqual({
      inputs: [
        {
          ...{ idProperty: 'email', id: 'a@b.c' },
          properties: { email: 'a@b.c', firstname: 'Ada', city: 'Turin', company: 'Weir', plan_name: 'pro' },
        },
      ],
    });
  });

  it.each([
    ['uid', { idProperty: 'uid', id: '7' }],
    ['missing', { idProperty: 'email', id: 'a@b.c' }],
  ])('is looked up by %s', (lookupField, expected) => {
    expect(send({ type: 'identify', traits }, { lookupField }).body.JSON['inputs']).toMatchObject([expected]);
  });
});

describe('a HubSpot event', () => {
  const event = {
    type: 'track',
    event: 'paid',
    properties: { total: 5, more: 1 },
    context: { traits: { email: 'a@b.c' } },
  };

  it('is the configured one with its properties', () => {
    expect(send(event).body.JSON).toEqual({
      ...{ eventName: 'pe1_paid', email: 'a@b.c', occurredAt: ada.timestamp, properties: { amount: 5 } },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...event, event: 'Other' }, {}, 'hubspotEvents has no event for Other'],
    [{ ...event, context: {} }, {}, 'needs an email'],
    [{ type: 'identify', traits: { email: 'nobody' } }, {}, 'must be an e-mail address'],
    [{ type: 'identify', traits: {} }, {}, 'traits.email is required'],
    [event, { authorizationType: 'legacyApiKey' }, 'HubSpot has ended API keys'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused: %j with %j', (given, more, message) => {
    expect(() => send(given, more)).toThrow(message);
  });

  it('travels with others of its kind', () => {
    const contact = (email: string) => send({ type: 'identify', traits: { email } });
    const contacts = [contact('a@b.c'), contact('d@e.f')];
    expect(hubspotBatch.combine([send(event), send(event)])).toMatchObject({
      endpoint: 'https://api.hubapi.com/events/v3/send/batch',
      body: { JSON: { inputs: [{ email: 'a@b.c' }, { email: 'a@b.c' }] } },
    });
    expect(hubspotBatch.combine(contacts).body.JSON['inputs']).toMatchObject([
      { objectWriteTraceId: '0' },
      { objectWriteTraceId: '1' },
    ]);
    expect(hubspotBatch.keyOf(contacts[0] as never)).not.toBe(hubspotBatch.keyOf(send(event)));
    const errors = [{ message: 'bad', context: { objectWriteTraceId: ['1'] } }];
    expect(hubspotBatch.outcomes?.({ status: 207, response: { errors } }, contacts)).toMatchObject([
      { status: 200 },
      { status: 400 },
    ]);
    expect(hubspotBatch.outcomes?.({ status: 429, response: '' }, contacts)).toBeUndefined();
  });
});
