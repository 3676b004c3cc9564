import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir } = useCommandLine();
const [SOURCE, DESTINATION] = ['2nVbmZCRoMIaUeXPrC0bTgOF3B0', '2nVbmbnCcjPzG9hUyFVmfNgRzKd'];
const REPLAY = {
  ...{ id: 'r1', sourceId: SOURCE, destinationId: DESTINATION, dryRun: true, eventsPerSecond: 100, state: 'running' },
  ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T01:00:00.000Z', createdAt: '2026-01-02T00:00:00.000Z' },
  ...{ eventCount: 0, byteCount: 0, suppressedCount: 0 },
};
const DONE = { ...REPLAY, state: 'done', eventCount: 12, byteCount: 140_000, suppressedCount: 3 };

/** A server whose replay is running in its first answer, and ends as the test says in the second one. */
let ended: object;
let requests: { line: string; body: object }[];
const url = useServer(async (request, response) => {
  const body = await text(request);
  const line = `${request.method} ${request.url?.split('?')[0]}`;
  requests.push({ line, body: body ? JSON.parse(body) : {} });
  const answer = {
    'GET /v2/destinations': { destinations: [{ id: DESTINATION, name: 'hook' }], paging: { total: 1 } },
    'GET /v2/deliveries/range-replays': { replays: [DONE, { ...DONE, id: 'r2', dryRun: false }] },
    'POST /v2/deliveries/range-replays': { replay: { ...REPLAY, ...(body ? JSON.parse(body) : {}) } },
  }[line] ?? { replay: ended };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
let env: Record<string, string>;
beforeAll(() => {
  env = { WEIR_URL: url(), WEIR_TOKEN: 't1' };
});
beforeEach(() => {
  requests = [];
  ended = DONE;
});

const RANGE = `replay --source ${SOURCE} --from 2026-01-01T00:00:00Z --to 2026-01-01T01:00:00Z`;
const replay = (options: string) => weir(`${RANGE} ${options}`, { env });
const begun = () => requests.filter(({ line }) => line.startsWith('POST')).map(({ body }) => body);

describe('weir replay --source', () => {
  it('counts with --dry-run, and tells the end', async () => {
    const { code, out, err } = await replay(`--destination ${DESTINATION} --dry-run`);
    const text = '12 events (0.1 MB) would be sent again\n3 of suppressed or deleted users are left out\n';
    expect([code, out, err]).toEqual([0, text, expect.stringContaining('weir replays show r1')]);
    expect(begun()).toEqual([
      { sourceId: SOURCE, destinationId: DESTINATION, from: REPLAY.from, to: REPLAY.to, dryRun: true },
    ]);
  });

  it('sends with --yes what was chosen, and nothing else before', async () => {
    ended = { ...DONE, eventCount: 1, suppressedCount: 0, dryRun: false };
    const { code, out } = await replay('--destination hook --yes --types track page --names Bought --rate 50');
    expect([code, out]).toEqual([0, '1 event (0.1 MB) is sent again\n']);
    const chosen = { types: ['track', 'page'], events: ['Bought'], eventsPerSecond: 50, dryRun: false };
    expect(begun()).toEqual([expect.objectContaining(chosen)]);
  });

  it('sends nothing if nobody can be asked', async () => {
    const { code, err } = await replay('--destination hook');
    expect([code, err]).toEqual([2, expect.stringContaining('Pass --yes')]);
    expect(requests).toEqual([]);
  });

  it('does not wait with --detach', async () => {
    const { code, out } = await replay('--destination hook --yes --detach --json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ id: 'r1', state: 'running' })]);
  });

  it.each([
    [{ state: 'paused', problem: 'The destination is disabled' }, 'is paused: The destination is disabled'],
    [{ state: 'cancelled' }, 'is cancelled'],
  ])('fails when it ends early: %j', async (fields, problem) => {
    ended = { ...DONE, ...fields };
    const { code, out, err } = await replay('--destination hook --yes');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(problem)]);
    expect(err.includes('weir replays resume r1')).toBe(fields.state === 'paused');
  });

  it.each([
    ['--yes', '--source needs --destination and --from'],
    ['--destination hook --dry-run --rate fast', '--rate must be a number'],
    ['--destination hook --dry-run --since 2h --stage queue', '--since, --stage cannot be used with --source'],
    ['--destination hook --dry-run --against .', '--against cannot be used with --source'],
    ['--destination hook --dry-run --types click', 'Allowed choices are identify, track'],
  ])('refuses %s', async (options, problem) => {
    const { code, err } = await replay(options);
    expect([code, err, begun()]).toEqual([2, expect.stringContaining(problem), []]);
  });

  it.each([
    ['--from 2h --rate 5', '--from, --rate need --source'],
    ['--samples', '--samples need --against'],
  ])('is what %s is for', async (options, problem) => {
    const { code, err } = await weir(`replay --destination hook ${options}`, { env });
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('weir replays', () => {
  it('lists and shows them with the name of their destination', async () => {
    const { out } = await weir('replays list', { env });
    expect(out).toMatch(/^r1 +done \(dry run\) .* hook +12$/m);
    expect(out).toMatch(/^r2 +done .* hook +12$/m);
    const shown = (await weir('replays show r1', { env })).out;
    expect(shown).toMatch(/^destination +hook$/m);
    expect(shown).toMatch(/^counted +12 events \(0.1 MB\)$/m);
    expect(shown).not.toMatch(/^(why|types|ended)/m);
  });

  it.each([
    ['pause', 'is paused'],
    ['resume', 'goes on'],
    ['cancel', 'is cancelled'],
  ])('%s', async (steer, told) => {
    expect(await weir(`replays ${steer} r1`, { env })).toEqual({ code: 0, out: `✓ r1 ${told}\n`, err: '' });
    expect(requests.map(({ line }) => line)).toEqual([`POST /v2/deliveries/range-replays/r1/${steer}`]);
  });
});
