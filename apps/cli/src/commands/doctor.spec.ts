import { beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir } = useCommandLine();

/** Two processes, the second one with these fields. */
function processes(fields: object, instances = 1) {
  const time = new Date().toISOString();
  const well = { version: '1.9.0', startedAt: time, ready: true, reasons: [], time };
  const broker = { version: '2.12.2', isReliable: true };
  const second = Array.from({ length: instances }, () => ({ ...well, broker, waiting: 0, ...fields }));
  return {
    processes: [
      { name: 'gateway.main', instances: [{ ...well, broker }] },
      { name: 'regulation-service.filter', instances: second },
    ],
  };
}

/** A healthy server, until a test changes one of its answers. */
const WELL: Record<string, { status: number; body: unknown }> = {
  '/version': { status: 200, body: { name: 'Weir', version: '1.9.0' } },
  '/readyz': { status: 200, body: { ready: true, reasons: [] } },
  '/health': { status: 200, body: { acceptingEvents: 'TRUE' } },
  '/livez': { status: 200, body: { live: true } },
  '/v2/workspace': { status: 200, body: { workspace: { name: 'shop' } } },
  '/v2/processes': { status: 200, body: processes({ waiting: 3 }) },
  '/v2/destinations': { status: 200, body: { destinations: [{ id: 'd1', name: 'hook' }], paging: { total: 1 } } },
  '/v2/deliveries/counters': { status: 200, body: { data: [], paging: { total: 0 } } },
};
let answers: typeof WELL;
let date: Date;
const url = useServer((request, response) => {
  const { status, body } = answers[String(request.url)] ??
    answers[String(request.url).split('?')[0] ?? ''] ?? { status: 404, body: {} };
  response
    .writeHead(status, { 'content-type': 'application/json', date: date.toUTCString() })
    .end(JSON.stringify(body));
});
beforeEach(() => {
  answers = structuredClone(WELL);
  date = new Date();
});

const OLD = { version: '2.9.10', isReliable: false };

const counters = (dead: number, inRetry: number) => ({ data: [{ destinationId: 'd1', dead, inRetry }], paging: {} });

describe('doctor', () => {
  const examined = async () => {
    const { code, out } = await weir('doctor --json', { env: { WEIR_URL: url(), WEIR_TOKEN: 't1' } });
    const { checks } = JSON.parse(out) as { checks: { ok: boolean; name: string; finding: string }[] };
    return { code, ill: checks.filter(({ ok }) => !ok), checks };
  };

  it('finds a server well', async () => expect(await examined()).toMatchObject({ code: 0, ill: [] }));

  it.each([
    ['versions', '/version', 200, { name: 'Weir', version: '2.0.0' }, 'weir-cli@2.0.0'],
    ['readiness', '/readyz', 500, { ready: false, reasons: ['schema.main: does not answer'] }, 'schema.main: does not'],
    ['intake', '/health', 200, { acceptingEvents: 'FALSE' }, 'no events are accepted'],
    ['processes', '/v2/processes', 200, processes({}, 0), 'regulation-service.filter does not answer'],
    ['processes', '/v2/processes', 200, processes({ ready: false }), 'regulation-service.filter is not ready'],
    ['processes', '/v2/processes', 200, processes({ version: '1.8.0' }), 'versions 1.9.0 and 1.8.0'],
    ['broker', '/v2/processes', 200, processes({ broker: OLD }), 'can forget accepted events when it is killed'],
    ['lag', '/v2/processes', 200, processes({ waiting: 6_000 }, 2), '12000 batches of events wait for regulation-'],
    ['clocks', '/v2/processes', 200, processes({ time: '2026-01-01T00:00:00.000Z' }), 'differ by'],
    ['processes', '/v2/processes', 503, { message: 'The broker is away' }, 'The broker is away'],
    ['server', '/version', 200, {}, 'is not Weir'],
    ['token', '/v2/workspace', 401, { message: 'the token is unknown' }, 'the token is unknown'],
    ['deliveries', '/v2/deliveries/counters', 200, counters(3, 2), 'hook: 3 dead letters in 24 h, 2 events wait'],
  ])('tells what is wrong: %s', async (name, path, status, body, finding) => {
    answers[path] = { status, body };
    const { code, ill } = await examined();
    expect([code, ill]).toEqual([5, [{ ok: false, name, finding: expect.stringContaining(finding) }]]);
  });

  it('names a destination that is not on the first page', async () => {
    const paging = { total: 2, next: '/v2/destinations?page=2' };
    answers['/v2/destinations'] = { status: 200, body: { destinations: [{ id: 'd0', name: 'other' }], paging } };
    answers['/v2/destinations?page=2'] = WELL['/v2/destinations'] ?? { status: 500, body: {} };
    answers['/v2/deliveries/counters'] = { status: 200, body: counters(1, 0) };
    expect((await examined()).ill).toMatchObject([{ finding: expect.stringMatching(/^hook: 1 dead letters/) }]);
  });

  it('tells only once that the token is unknown', async () => {
    for (const path of ['/v2/workspace', '/v2/processes', '/v2/deliveries/counters'])
      answers[path] = { status: 401, body: { message: 'the token is unknown' } };
    expect((await examined()).ill.map(({ name }) => name)).toEqual(['token']);
  });

  it('says what to look at if nothing listens', async () => {
    const { out, code } = await weir('doctor', { env: { WEIR_URL: 'http://127.0.0.1:2', WEIR_TOKEN: 't1' } });
    expect([code, out]).toEqual([5, expect.stringContaining('Nothing listens there: start Weir')]);
  });

  it('tells how much waits, and is content with a server that tells less', async () => {
    const { checks } = await examined();
    const lag = 'no events wait in the streams';
    expect(checks).toContainEqual({
      ok: true,
      name: 'lag',
      finding: '3 batches of events wait for regulation-service.filter',
    });
    answers['/v2/processes'] = { status: 200, body: processes({}) };
    expect((await examined()).checks).toContainEqual({ ok: true, name: 'lag', finding: lag });
    answers['/v2/processes'] = {
      status: 200,
      body: processes({ broker: undefined, time: undefined, waiting: undefined }),
    };
    expect(await examined()).toMatchObject({ code: 0 });
    answers['/v2/processes'] = { status: 403, body: { message: 'your role may not' } };
    expect(await examined()).toMatchObject({ code: 0, ill: [] });
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
