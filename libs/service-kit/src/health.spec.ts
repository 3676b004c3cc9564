import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Health, startOpsServer } from './health.js';
import { Metrics } from './metrics.js';

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

  it('of its own counts what the process lacks, and not what all replicas lose at once', async () => {
    const health = new Health();
    health.register('database', () => 'is away', 'database');
    expect(await health.report(['process', 'broker'])).toEqual({ ready: true, reasons: [] });
    health.register('process', () => 'is stopping');
    expect(await health.report(['process', 'broker'])).toEqual({ ready: false, reasons: ['process: is stopping'] });
    expect((await health.report()).reasons).toEqual(['database: is away', 'process: is stopping']);
  });
});

describe('startOpsServer', () => {
  let server: Server | undefined;

  afterEach(() => void server?.close());

  async function answers(health: Health, path: string) {
    server = await startOpsServer({ host: '127.0.0.1', port: 0 }, health, new Metrics('probe.main'));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  }

  const unready = () => {
    const health = new Health();
    health.register('broker', () => Promise.reject(new Error('nats://user:hush@host')));
    health.register('process', () => 'is stopping');
    return health;
  };

  it('is ready when nothing speaks against it', async () => {
    const { status, text } = await answers(new Health(), '/readyz');
    expect([status, JSON.parse(text)]).toEqual([200, { ready: true, reasons: [] }]);
  });

  it('gives every reason why it is not ready, and no secret', async () => {
    const { status, text } = await answers(unready(), '/readyz?verbose');
    const reasons = ['broker: is not available', 'process: is stopping'];
    expect([status, JSON.parse(text)]).toEqual([503, { ready: false, reasons }]);
  });

  it('lives even while it is not ready', async () => {
    const { status, text } = await answers(unready(), '/livez');
    expect([status, JSON.parse(text)]).toEqual([200, { live: true }]);
  });

  it('tells its metrics, with its name', async () => {
    const { text } = await answers(new Health(), '/metrics');
    expect(text).toMatch(/^process_cpu_seconds_total\{service="probe.main"\} /m);
  });

  it('says what is here to whoever asks for anything else', async () => {
    expect(await answers(new Health(), '/')).toEqual({ status: 404, text: expect.stringContaining('/readyz') });
  });
});
