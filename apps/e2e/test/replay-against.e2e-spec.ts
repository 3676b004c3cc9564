import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { marking, newTransformation } from './support/code.js';
import { useCommandLine } from './support/command-line.js';
import { eventsAt, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, sendEvent } from './support/inventory.js';

const shell = useCommandLine();
const hook = useHook();

const code = (body: string) => {
  shell.write('weir.yaml', 'version: 1\n');
  shell.write('transformations/price.js', `export function transformEvent(event) {\n  ${body}\n}\n`);
};
const against = (args: readonly string[], also: NodeJS.ProcessEnv = {}) =>
  shell.run(['replay', '--against', '.', '--json', ...args], also);
const HOOK = ['--destination', 'shop hook'];

it('dead letters run through the code of a folder, and nothing is sent', async () => {
  const own = shell.workspace;
  hook.answer({ status: 422, body: { problem: 'no price' } });
  const source = await newSource(own.writer);
  const destination = await newWebhook(own.writer, `${hook.url}/against`, { name: 'shop hook' });
  await newTransformation(own.writer, marking('live'), { name: 'price', destinationIds: [destination.id] });
  await connect(own.writer, source, destination);
  for (const [messageId, properties] of [
    ['m1', { price: 7 }],
    ['m2', {}],
  ] as const)
    await sendEvent(source, 'track', { event: 'Bought', userId: 'ada', messageId, properties });
  code('event.properties.cents = event.properties.price.toFixed(2); return event;');
  const failing = await until('both dead letters', async () => {
    const ran = await against([...HOOK, '--since', '2h']);
    return ran.code === 5 && ran.json.events.length === 2 && ran;
  });
  const sent = eventsAt(hook, '/against').length;
  expect(failing.json).toMatchObject({ transformation: 'price', sent: 0, failed: 1 });
  const outcomeOf = (messageId: string, { json } = failing) =>
    json.events.find(({ event }: { event: { messageId: string } }) => event.messageId === messageId);
  expect(outcomeOf('m1')).toMatchObject({ outcome: 'changed', changes: [{ path: 'properties.cents', to: '7.00' }] });
  expect(outcomeOf('m2')).toMatchObject({ outcome: 'failed', test: expect.stringContaining('no price') });

  code('return event.properties.price ? event : null;');
  const fixed = await against(HOOK);
  expect([fixed.code, outcomeOf('m1', fixed).outcome, outcomeOf('m2', fixed).outcome]).toEqual([0, 'same', 'dropped']);
  expect(eventsAt(hook, '/against')).toHaveLength(sent);
});

it.each([
  [2, ['--id', '1']],
  [2, [...HOOK, '--transformation', 'nobody']],
  [4, ['--destination', 'nobody']],
])('ends with %i: replay --against . %p', async (exitCode, args) => {
  expect(await against(args)).toMatchObject({ code: exitCode, out: '' });
});

it('tokens that may not see events are refused', async () => {
  expect(await against(HOOK, { WEIR_TOKEN: shell.workspace.tokens['read-only'] })).toMatchObject({ code: 3, out: '' });
});
