import { expect, it } from '@jest/globals';
import config from '../jest.config.mjs';
import { PATIENCE_MS } from '../libs/testing/src/patience.js';

it('a test may wait in vain, and still has the time to say for what', () => {
  expect(config.testTimeout).toBeGreaterThanOrEqual(2 * PATIENCE_MS);
});
