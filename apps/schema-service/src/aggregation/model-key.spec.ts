import { describe, expect, it } from '@jest/globals';
import { modelKeyOf } from './model-key.js';

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
