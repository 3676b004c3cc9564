import { describe, expect, it } from '@jest/globals';
import { Health } from './health.js';

describe('Health', () => {
  it('is ready when nothing speaks against it', async () => {
    const health = new Health();
    health.register('broker', async () => undefined);
    expect(await health.report()).toEqual({ ready: true, reasons: [] });
  });

  it('gives every reason, also of a check that throws or hangs', async () => {
    const health = new Health();
    health.register('database', () => Promise.reject(new Error('secret connection string')));
    health.register('inventory', () => 'is catching up');
    health.register('broker', () => new Promise(() => undefined));
    expect(await health.report()).toEqual({
      ready: false,
      reasons: ['database: is not available', 'inventory: is catching up', 'broker: does not answer'],
    });
  });
});
