import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, KNOWN_USER_ID, trait } from '../../toolkit/index.js';
import woopra from './woopra.js';

const config = { projectName: 'example.com' };
const VISITOR = { Project: 'example.com', cv_id: 'ada', cookie: 'anon-1' };
const TIME = '1772600767890';
const identify = { ...ada, type: 'identify' };
const track = { ...ada, type: 'track', event: 'Report Opened' };
const page = { ...ada, type: 'page', name: 'Reports' };
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  woopra.transform(withValues(event, values), { ...config, ...more });
const paramsOf = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  send(event, values, more)[0]?.params ?? {};

describe('a visitor at Woopra', () => {
  it('has its traits as parameters', () => {
    expect(send(identify)).toMatchObject([{ method: 'GET', endpoint: 'https://www.woopra.com/track/identify' }]);
    const traits = { email: 'ada@example.com', id: 'x', plan: 'pro', seats: 3, tags: ['a'], none: null };
    expect(paramsOf(identify, { traits, 'context.traits': { name: 'Ada', company: { id: 1 } } })).toEqual({
      ...{ ...VISITOR, cv_email: 'ada@example.com', cv_plan: 'pro', cv_seats: 3, cv_tags: '["a"]', cv_name: 'Ada' },
      cv_company: '{"id":1}',
    });
  });

  it('has what the context tells', () => {
    const context = {
      ...{ ip: '192.0.2.1', device: { type: 'phone' }, os: { name: 'iOS' }, app: { name: 'Shop', version: '1.2' } },
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    };
    expect(paramsOf(identify, { context })).toEqual({
      ...{ ...VISITOR, cv_ip: '192.0.2.1', device: 'phone', os: 'iOS', app: 'Shop 1.2', browser: 'Chrome 120.0.0.0' },
    });
    expect(paramsOf(identify, { context: { app: { name: 'Shop' }, os: { name: {} } } })).toEqual({
      ...{ ...VISITOR, app: 'Shop' },
    });
  });

  it.each<SourcesRow>([
    ['cv_id', KNOWN_USER_ID, asItIs],
    ['cv_email', EMAIL, asItIs],
    ['cv_name', trait('name'), asItIs],
    ['cv_company', trait('company'), asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => paramsOf({ type: 'identify', anonymousId: 'anon-1' }, values), row);
  });

  it.each(['woopraId', 'woodpraId'])('has the cookie of an external id of the type %s', (type) => {
    expect(paramsOf(identify, { 'context.externalId': [{ type, id: 12 }] })['cookie']).toBe('12');
  });

  it('is one of the project that the event names', () => {
    const named = { 'integrations.Woopra.projectName': 'other.example.com' };
    expect(paramsOf(identify, named)['Project']).toBe('other.example.com');
    expect(paramsOf(identify, named, { projectName: '' })['Project']).toBe('other.example.com');
  });
});

describe('an event at Woopra', () => {
  it('has its properties as parameters, and its time in milliseconds', () => {
    const properties = { report: 7, isNew: false, by: { a: 1 }, none: null };
    expect(send(track)).toMatchObject([{ method: 'GET', endpoint: 'https://www.woopra.com/track/ce' }]);
    expect(paramsOf(track, { properties })).toEqual({
      ...{ ...VISITOR, event: 'Report Opened', timestamp: TIME, ce_report: 7, ce_isNew: false, ce_by: '{"a":1}' },
    });
    expect(paramsOf(track, { timestamp: 'never' })).toEqual({ ...VISITOR, event: 'Report Opened' });
  });

  it('may be the view of a page', () => {
    const seen = { url: 'https://example.com/a', title: 'A', referrer: 'https://example.org', tab_url: 'x' };
    expect(paramsOf(page, { 'context.page': seen, properties: { title: 'B', url: '', size: 3 } })).toEqual({
      ...{ ...VISITOR, event: 'Viewed Reports Page', timestamp: TIME, ce_url: 'https://example.com/a', ce_title: 'B' },
      ...{ ce_referrer: 'https://example.org', ce_size: 3 },
    });
    expect(paramsOf(page, { name: '' })['event']).toBe('Viewed Page');
    expect(paramsOf(page, { name: '', 'properties.name': 'A' })['event']).toBe('Viewed A Page');
  });
});

describe('Woopra', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify', traits: { plan: 'pro' } }, {}, 'userId, traits.email or anonymousId is required'],
    [{ ...track, event: '' }, {}, 'Event name is required'],
    [{ ...ada, type: 'group' }, {}, 'Event type group is not supported'],
    [identify, { projectName: '' }, 'projectName is required'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
