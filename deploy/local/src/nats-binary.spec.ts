import { describe, expect, it } from '@jest/globals';
import { isRecentVersion } from './nats-binary.js';

describe('isRecentVersion', () => {
  it.each([
    ['nats-server: v2.9.10', true],
    ['nats-server: v2.12.0-RC.1', true],
    ['nats-server: v3.0.0', true],
    ['nats-server: v2.8.4', false],
    ['nats-server: v1.9.9', false],
    ['command not found', false],
  ])('%s: %s', (output, recent) => {
    expect(isRecentVersion(output)).toBe(recent);
  });
});
