import { expect, it } from '@jest/globals';
import { escapes } from './corpus/escapes.js';
import { pollution } from './corpus/pollution.js';
import { results } from './corpus/results.js';
import { useLocalSandbox, withoutTimes } from './support/local.js';
import { useSandbox } from './support/sandbox.js';

/** Programs that end on their own. `local.soak-spec.ts` has the whole corpus. */
const PROGRAMS = [results, pollution, escapes]
  .flatMap(({ attacks }) => attacks)
  .filter(([, , outcome]) => !['timeout', 'ended', 'memory'].includes(String(outcome)));
const EVENTS = [{ type: 'track', messageId: 'm1', properties: { price: 7 } }, {}];

const server = useSandbox();
const local = useLocalSandbox();

it('the sandbox of a developer replies what that of a server replies, byte for byte', async () => {
  expect(PROGRAMS.length).toBeGreaterThan(60);
  for (const [name, code] of PROGRAMS) {
    const mine = await local.replyTo(code, EVENTS);
    const theirs = await server.replyTo({ code, events: EVENTS, mode: 'test' });
    expect([name, withoutTimes(mine)]).toEqual([name, withoutTimes(theirs)]);
  }
});

it('checks libraries in the same words, and lets no program reach the network', async () => {
  const broken = 'export const a = ;';
  expect(JSON.parse(await local.check(broken))).toEqual(await server.check({ code: broken }, 'library'));
  const code =
    'export const transformEvent = () => fetchV2("http://127.0.0.1:1/").then(() => ({}), ({ message }) => ({ message }));';
  const theirs = await server.replyTo({ code, events: [{}], mode: 'test' });
  expect(withoutTimes(await local.replyTo(code, [{}]))).toBe(withoutTimes(theirs));
});

it('says how code would run live, also if the test ends at a limit', async () => {
  const code = 'export const transformEvent = () => { for (;;); };';
  expect(await local.replyTo(code, [{}])).toContain('"runtime":"warm"');
});
