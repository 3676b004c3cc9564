import { beforeAll, describe, expect, it } from '@jest/globals';
import { admin } from './admin.cases.js';
import type { Case } from './case.js';
import { credentials } from './credentials.cases.js';
import { intakeBatches } from './intake-batches.cases.js';
import { intakeEvents } from './intake-events.cases.js';
import { intakeRequests } from './intake-requests.cases.js';
import { inventory } from './inventory.cases.js';
import { places } from './places.js';
import { type RawAnswer, rawRequest } from './raw-request.js';
import { regulations } from './regulations.cases.js';
import { schemas } from './schemas.cases.js';
import { testApi } from './test-api.cases.js';
import { transformations } from './transformations.cases.js';
import { wire } from './wire.cases.js';

/** Concurrent requests. */
const LANES = 8;
const CONTROL = { inventory, transformations, regulations, 'the test API': testApi, admin, credentials };
const INTAKE = {
  'events of the intake': intakeEvents,
  batches: intakeBatches,
  'requests of the intake': intakeRequests,
};

const title = ([as, line, body, status, says]: Case) =>
  `${status} ${says} to ${line} of ${as}, ${JSON.stringify(body)?.slice(0, 80)}`;

let place: Awaited<ReturnType<typeof places>>;
beforeAll(async () => {
  place = await places();
});

function send([as, line, body, , , ...headers]: Case): Promise<RawAnswer> {
  const authorization = place.authorizationOf(as);
  const json = typeof body === 'string' || Buffer.isBuffer(body) ? body : body && JSON.stringify(body);
  const bytes = json === undefined ? undefined : Buffer.from(typeof json === 'string' ? place.filled(json) : json);
  const head = [`${place.filled(line)} HTTP/1.1`, 'host: weir.example', 'connection: close', ...headers];
  if (authorization !== undefined) head.push(`authorization: ${authorization}`);
  if (bytes) head.push('content-type: application/json', `content-length: ${bytes.length}`);
  return rawRequest(`${head.join('\r\n')}\r\n\r\n`, ...(bytes ? [bytes] : []));
}

/** Answers by case. Sends the requests concurrently, because there are hundreds. */
function useAnswers(cases: readonly Case[]): Map<Case, RawAnswer> {
  const answers = new Map<Case, RawAnswer>();
  beforeAll(async () => {
    const waiting = [...cases];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) answers.set(next, await send(next));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  });
  return answers;
}

describe.each(Object.entries(CONTROL))('bad input to %s', (_, cases) => {
  const answers = useAnswers(cases);
  it.each(cases.map((one) => [title(one), one] as const))('is answered with %s', (_title, one) => {
    const { status, body } = answers.get(one) ?? { status: 0, body: '' };
    // Some refusals of area C have only a message, which their clients match literally (wire-facts 3.2).
    const { message, error = message } = JSON.parse(body);
    const says = place.filled(one[4]);
    expect({ status, message, error }).toEqual({ status: one[3], message: says, error: says });
  });
});

describe('bad input to area D', () => {
  const answers = useAnswers(schemas);
  it.each(schemas.map((one) => [title(one), one] as const))('is answered with %s', (_title, one) => {
    const { status, body } = answers.get(one) ?? { status: 0, body: '' };
    expect([status, JSON.parse(body)]).toEqual([one[3], { msg: one[4] }]);
  });
});

describe.each(Object.entries(INTAKE))('bad input: %s', (_, cases) => {
  const answers = useAnswers(cases);
  it.each(cases.map((one) => [title(one), one] as const))('is answered with %s', (_title, one) => {
    const { status, headers, body } = answers.get(one) ?? { status: 0, headers: '', body: '' };
    expect([status, body]).toEqual([one[3], `${one[4]}\n`]);
    expect(headers).toContain('content-type: text/plain; charset=utf-8');
  });
});

describe('what is no good HTTP', () => {
  it.each(wire)('%s is answered with %i', async (_what, status, says, ...parts) => {
    const answer = await rawRequest(...parts);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expect.stringContaining(says) });
  });
});
