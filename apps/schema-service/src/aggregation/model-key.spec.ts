import { describe, expect, it } from '@jest/globals';
import { eventIdOf, modelKeyOf, uuidV5, versionIdOf } from './model-key.js';

describe('the model of an event', () => {
  it.each([
    [{ type: 'track', event: 'Signed Up', name: 'other' }, 'Signed Up'],
    [{ type: 'track', event: '' }, ''],
    [{ type: 'page', name: 'Pricing', event: 'other' }, 'Pricing'],
    [{ type: 'screen', name: 'Settings' }, 'Settings'],
    [{ type: 'page' }, ''],
    [{ type: 'screen', name: 42 }, ''],
    [{ type: 'group', name: 'Acme', event: 'Joined' }, ''],
    [{ type: 'identify' }, ''],
    [{ type: 'Track', event: 'not a track' }, ''],
    [{ type: 'warehouse-sync', name: 'nightly' }, ''],
  ])('%j is named %j', (event, eventIdentifier) => {
    expect(modelKeyOf(event)).toEqual({ eventType: event.type, eventIdentifier });
  });

  it('keeps case, blanks and composition, and replaces only what cannot be stored', () => {
    expect(modelKeyOf({ type: 'track', event: ' E\u0301 \0\ud83d ' })).toEqual({
      eventType: 'track',
      eventIdentifier: ' E\u0301 \uFFFD\uFFFD ',
    });
  });

  it.each([
    ['type', {}],
    ['type', { type: 7, event: 'x' }],
    ['type', { type: '' }],
    ['name', { type: 'track' }],
    ['name', { type: 'track', event: null }],
    ['name', { type: 'track', event: ['x'] }],
    ['name_length', { type: 'track', event: 'x'.repeat(513) }],
    ['name_length', { type: 'x'.repeat(513) }],
  ])('is missing because of its %s', (reason, event) => {
    expect(modelKeyOf(event)).toBe(reason);
  });

  it('counts characters, not code units', () => {
    expect(modelKeyOf({ type: 'track', event: '🙂'.repeat(512) })).toMatchObject({ eventType: 'track' });
    expect(modelKeyOf({ type: 'track', event: '🙂'.repeat(513) })).toBe('name_length');
  });
});

it('makes version 5 ids as the standard shows', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  expect(uuidV5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

it('gives different names different ids, wherever their parts end', () => {
  expect(eventIdOf('wk', 'track', 'a')).toBe(eventIdOf('wk', 'track', 'a'));
  expect(eventIdOf('wk', 'track', 'a')).not.toBe(eventIdOf('wk', 'tracka', ''));
  expect(versionIdOf(eventIdOf('wk1', 'page', ''), 'hash')).not.toBe(versionIdOf(eventIdOf('wk2', 'page', ''), 'hash'));
});
