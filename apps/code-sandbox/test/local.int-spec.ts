import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { escapes } from './corpus/escapes.js';
import { pollution } from './corpus/pollution.js';
import { results } from './corpus/results.js';
import { useSandbox } from './support/sandbox.js';

/** Programs that end on their own: where a limit cuts off depends on the machine. */
const PROGRAMS = [results, pollution, escapes]
  .flatMap(({ attacks }) => attacks)
  .filter(([, , outcome]) => !['timeout', 'ended', 'memory'].includes(String(outcome)));
const RUN = { action: 'run', workspaceId: '000000000000000000000000000', credentials: [] };
const EVENTS = [{ type: 'track', messageId: 'm1', properties: { price: 7 } }, {}];

const server = useSandbox();
const local = fork(fileURLToPath(new URL('../dist/bundle/local.js', import.meta.url)), { env: {}, execArgv: [] });
afterAll(async () => {
  local.disconnect();
  await once(local, 'exit');
});

async function ask(request: object) {
  local.send({ id: 1, request });
  const [{ replies, problem }] = await once(local, 'message');
  return problem ?? replies.map((reply: string) => JSON.parse(reply));
}

const withoutTime = ({ milliseconds: _, ...result }: EventResult): EventResult => result;

it('the sandbox of a developer gives what that of a server gives, over the corpus', async () => {
  expect(PROGRAMS.length).toBeGreaterThan(60);
  for (const [name, code] of PROGRAMS) {
    const bundle = { key: code, name: 'my code', code, libraries: [] };
    const [mine] = await ask({ ...RUN, bundle, events: EVENTS });
    const theirs = await server.run({ code, events: EVENTS, mode: 'test' });
    expect([name, { ...mine, results: mine.results.map(withoutTime) }]).toEqual([name, theirs]);
  }
});

it('checks libraries in the same words, and lets no program reach the network', async () => {
  const broken = 'export const a = ;';
  const [checked] = await ask({
    action: 'check',
    bundle: { key: broken, name: 'my code', code: broken, libraries: [] },
  });
  expect(checked).toEqual(await server.check({ code: broken }, 'library'));
  const code =
    'export const transformEvent = () => fetchV2("http://127.0.0.1:1/").then(() => ({}), ({ message }) => ({ message }));';
  const [reply] = await ask({
    ...RUN,
    bundle: { key: code, name: 'my code', code, libraries: [] },
    events: [{}],
  });
  expect(reply.results.map(withoutTime)).toEqual((await server.run({ code, events: [{}], mode: 'test' })).results);
});
