import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type RawAnswer, rawRequest } from '../bad-input/raw-request.js';
import { type OpenApi, type Route, routesOf } from '../support/openapi.js';
import { made, nobody } from '../support/workspace.js';
import { type BaseRequest, baseRequests, UNIQUE } from './base-requests.js';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.js';

/** Concurrent requests. */
const LANES = 8;
/** Requests per run, in addition to those of every run. `WEIR_TEST_FULL=1` sends all of them. */
const SAMPLE = process.env['WEIR_TEST_FULL'] ? Number.POSITIVE_INFINITY : 1_200;
/** Picks the sample. It is the same in every run, so that a failure is of the change. `WEIR_FUZZ_SEED` picks another one. */
const SEED = Number(process.env['WEIR_FUZZ_SEED'] ?? 1);
/** Only a hang reaches it. */
const TEST_MS = process.env['WEIR_TEST_FULL'] ? 3_600_000 : 900_000;
/** A busy machine answers so, and asks to come again. A value that causes it does so each time. */
const BUSY = [503, 504];
const TRIES = 4;
const PAUSE_MS = 1_000;

/** Statuses of HTTP itself, on any route: a request line or headers that are too long, and a condition that holds. */
const WIRE_STATUSES = ['304', '414', '431'];
/** Routes that report another process, which a busy machine may delay. */
const PROBES = ['/readyz', '/health'];

let requestsOf: (route: Route) => BaseRequest;
let routes: Route[];
beforeAll(async () => {
  const document: OpenApi = made(await nobody().get('/openapi.json'));
  routes = routesOf(document);
  requestsOf = await baseRequests(document);
}, TEST_MS);

let sent = 0;

function send({ line, headers, body: template }: FuzzRequest): Promise<RawAnswer> {
  sent += 1;
  const body = template?.replace(UNIQUE, `fuzz ${SEED} ${sent}`);
  const head = [`${line} HTTP/1.1`, 'host: weir.example', 'connection: close'];
  for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`);
  if (body !== undefined) head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return rawRequest(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? '');
}

async function answerTo(request: FuzzRequest, tries: number): Promise<RawAnswer> {
  const answer = await send(request);
  if (tries === 1 || !BUSY.includes(answer.status)) return answer;
  await sleep(PAUSE_MS);
  return answerTo(request, tries - 1);
}

/** Faults of the answers, one line each. */
async function faultsOf(requests: readonly FuzzRequest[]): Promise<string[]> {
  const waiting = [...requests];
  const faults: string[] = [];
  const lane = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { route } = next.base;
      const { status, body } = await answerTo(next, PROBES.includes(route.path) ? 1 : TRIES);
      const documented = [...Object.keys(route.operation.responses), ...WIRE_STATUSES].includes(String(status));
      if (documented && (status < 500 || PROBES.includes(route.path))) continue;
      faults.push(`${status} to ${route.method} ${route.path}, ${next.place} = ${cut(next.odd)}: ${cut(body)}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return faults.sort();
}

const cut = (text: string) => JSON.stringify(text.slice(0, 120));

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe('every parameter of every documented route', () => {
  it(
    'that is as it should be gets an answer of the route',
    async () => {
      const plain = routes.map((route) => ({ ...empty, base: requestsOf(route) })).map(asIs);
      expect(await faultsOf(plain)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    `may be anything: no 5xx and no undocumented status (WEIR_FUZZ_SEED=${SEED})`,
    async () => {
      process.stdout.write(`fuzz: WEIR_FUZZ_SEED=${SEED}\n`);
      const all = routes.flatMap((route) => fuzzRequests(requestsOf(route)));
      const always = all.filter((one) => one.always);
      const others = shuffled(
        all.filter((one) => !one.always),
        SEED,
      ).slice(0, SAMPLE);
      expect(always.length).toBeGreaterThan(1_000);
      expect(await faultsOf([...always, ...others])).toEqual([]);
    },
    TEST_MS,
  );
});

const empty = { place: 'nowhere', odd: '', always: true };

function asIs({ base, ...rest }: typeof empty & { base: BaseRequest }): FuzzRequest {
  const { route, path, query, headers, body } = base;
  const target = route.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const line = `${route.method} ${target}?${new URLSearchParams(query)}`;
  return { base, ...rest, line, headers, body: body === undefined ? undefined : JSON.stringify(body) };
}
