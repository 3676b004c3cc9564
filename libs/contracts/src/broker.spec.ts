import { describe, expect, it } from '@jest/globals';
import { hasOnlyId, isBrokerAtLeast, isBrokerReliable } from './broker.js';

describe('isBrokerAtLeast', () => {
  it.each([
    ['nats-server: v2.9.10', true],
    ['nats-server: v2.12.0-RC.1', true],
    ['nats-server: v3.0.0', true],
    ['2.12.2', true],
    ['nats-server: v2.8.4', false],
    ['2.8.4', false],
    ['nats-server: v1.9.9', false],
    ['command not found', false],
    ['', false],
  ])('2.9, %s: %s', (version, is) => {
    expect(isBrokerAtLeast([2, 9], version)).toBe(is);
  });
});

describe('isBrokerReliable', () => {
  it.each([
    [{ version: '2.10.29' }, true],
    [{ version: '2.9.10' }, false],
    [{ version: '2.10.29', cluster: 'weir' }, false],
    [{ version: '2.11.0', cluster: 'weir' }, true],
  ])('%j: %s', (info, is) => {
    expect(isBrokerReliable(info)).toBe(is);
  });
});

describe('hasOnlyId', () => {
  it.each([
    [{ seq: 0 }, true],
    [{ errorCode: 10158 }, true],
    [{ seq: 1 }, false],
    [{ seq: 0, errorCode: 10077 }, false],
    [{}, false],
  ])('%j: %s', (answer, is) => {
    expect(hasOnlyId(answer)).toBe(is);
  });
});
