import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { isWanted } from './integrations.js';

const NAMES = ['AM', 'Amplitude'];

describe('the choice of a client', () => {
  it.each<[boolean, JsonObject]>([
    [true, {}],
    [true, { integrations: {} }],
    [true, { integrations: { All: true } }],
    [true, { integrations: { All: true, Webhook: false } }],
    [true, { integrations: { All: false, Amplitude: true } }],
    [true, { integrations: { Amplitude: true, All: false } }],
    [true, { integrations: { All: false, amplitude: { session_id: 1 } } }],
    [true, { integrations: { all: false, AM: true } }],
    [true, { integrations: { Amplitude: {} } }],
    [false, { integrations: { All: false } }],
    [false, { integrations: { all: false, Webhook: true } }],
    [false, { integrations: { All: true, Amplitude: false } }],
    [false, { integrations: { am: false } }],
    [false, { integrations: { All: false, 'Amplitude Plus': true } }],
  ])('is %s for %j', (expected, event) => {
    expect(isWanted(event, NAMES)).toBe(expected);
  });

  it.each([null, 0, 1, 'true', 'false', '', []])('is no consent if it is %j', (choice) => {
    expect(isWanted({ integrations: { Amplitude: choice } }, NAMES)).toBe(false);
    expect(isWanted({ integrations: { All: choice } }, NAMES)).toBe(false);
  });

  it.each([null, undefined, true, false, 'All', ['Amplitude']])('is not made by integrations of %j', (integrations) => {
    expect(isWanted({ integrations }, NAMES)).toBe(true);
  });
});
