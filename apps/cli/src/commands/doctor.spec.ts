import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';

const { weir } = useCommandLine();

/** A server that is well, until a test makes one of its answers ill. */
const WELL: Record<string, { status: number; body: unknown }> = {
  '/version': { status: 200, body: { name: 'Weir', version: '1.9.0' } },
  '/readyz': { status: 200, body: { ready: true, reasons: [] } },
  '/health': { status: 200, body: { acceptingEvents: 'TRUE' } },
  '/livez': { status: 200, body: { live: true } },
  '/v2/workspace': { status: 200, body: { workspace: { name: 'shop' } } },
  '/v2/destinations': { status: 200, body: { destinations: [{ id: 'd1', name: 'hook' }], paging: { total: 1 } } },
  '/v2/deliveries/counters': { status: 200, body: { data: [], paging: { total: 0 } } },
};
let answers: typeof WELL;
let date: Date;
const server = createServer((request, response) => {
  const { status, body } = answers[String(request.url).split('?')[0] ?? ''] ?? { status: 404, body: {} };
  response
    .writeHead(status, { 'content-type': 'application/json', date: date.toUTCString() })
    .end(JSON.stringify(body));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = structuredClone(WELL);
  date = new Date();
});

const counters = (dead: number, inRetry: number) => ({ data: [{ destinationId: 'd1', dead, inRetry }], paging: {} });

describe('doctor', () => {
  const examined = async () => {
    const { code, out } = await weir('doctor --json', { env: { WEIR_URL: url, WEIR_TOKEN: 't1' } });
    const { checks } = JSON.parse(out) as { checks: { ok: boolean; name: string; finding: string }[] };
    return { code, ill: checks.filter(({ ok }) => !ok), checks };
  };

  it('finds a server well', async () => expect(await examined()).toMatchObject({ code: 0, ill: [] }));

  it.each([
    ['versions', '/version', 200, { name: 'Weir', version: '2.0.0' }, 'weir-cli@2.0.0'],
    ['readiness', '/readyz', 500, { ready: false, reasons: ['schema.main: does not answer'] }, 'schema.main: does not'],
    ['intake', '/health', 200, { acceptingEvents: 'FALSE' }, 'no events are accepted'],
    ['token', '/v2/workspace', 401, { message: 'the token is unknown' }, 'the token is unknown'],
    ['deliveries', '/v2/deliveries/counters', 200, counters(3, 2), 'hook: 3 dead letters in 24 h, 2 events wait'],
  ])('tells what is wrong: %s', async (name, path, status, body, finding) => {
    answers[path] = { status, body };
    const { code, ill } = await examined();
    expect([code, ill]).toEqual([5, [{ ok: false, name, finding: expect.stringContaining(finding) }]]);
  });

  it('tells of clocks that differ', async () => {
    date = new Date(Date.now() + 60_000);
    const { code, ill } = await examined();
    expect([code, ill]).toMatchObject([5, [{ name: 'clock', finding: expect.stringContaining('differs') }]]);
  });

  it('tells of events that wait, which is no illness yet', async () => {
    answers['/v2/deliveries/counters'] = { status: 200, body: counters(0, 7) };
    const { code, checks } = await examined();
    expect([code, checks.at(-1)?.finding]).toEqual([0, expect.stringContaining('7 events wait')]);
  });
});
