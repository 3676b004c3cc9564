import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { useCommandLine } from './support/command-line.js';
import { eventsAt, useHook } from './support/hook.js';
import { sendEvent } from './support/inventory.js';

const shell = useCommandLine();
const hook = useHook();

const CODE = `async function onTrack(event, settings) {
  if (event.event === 'Spam') throw new DropEvent('spam');
  event.properties = { ...event.properties, region: settings.region, key: settings.apiKey };
  return event;
}`;
const writeKey = `segment${Date.now()}${process.pid}`.padEnd(32, 'x');
const answers = () => ({
  sources: [
    { id: 's', name: 'shop', slug: 'shop', enabled: true, writeKeys: [writeKey], metadata: { slug: 'javascript' } },
  ],
  destinations: [
    {
      ...{ id: 'd', name: 'hook', enabled: true, sourceId: 's', metadata: { slug: 'webhooks' } },
      settings: { hooks: [{ hook: `${hook.url}/segment`, headers: { authorization: 'clear-text-secret' } }] },
    },
  ],
  functions: [
    {
      ...{ id: 'f', displayName: 'Regions', resourceType: 'INSERT_DESTINATION', code: CODE },
      settings: [
        { name: 'region', sensitive: false },
        { name: 'apiKey', sensitive: true },
      ],
    },
  ],
  insertFunctionInstances: [
    { id: 'i', classId: 'f', integrationId: 'd', enabled: true, settings: { region: 'eu', apiKey: '••••••cret' } },
  ],
});
const weir = (...args: string[]) => shell.run([...args, '--json']);

it('a workspace of Segment goes on in Weir, with its write key and its insert function', async () => {
  const files = Object.entries(answers()).map(([key, items]) => {
    shell.write(`${key}.json`, JSON.stringify({ data: { [key]: items } }));
    return `${key}.json`;
  });
  const imported = await weir('import', 'segment', ...files, '--out', 'shop');
  expect([imported.code, imported.json.lost]).toEqual([0, expect.any(Number)]);
  const secrets = join(shell.folder, 'shop/secrets.env');
  expect(statSync(secrets).mode & 0o777).toBe(0o600);
  expect(await weir('import', 'segment', ...files, '--out', 'shop')).toMatchObject({ code: 2, out: '' });

  const from = ['--dir', 'shop', '--env-file', 'shop/secrets.env'];
  expect(await weir('plan', ...from)).toMatchObject({ code: 2, err: expect.stringContaining('set the variable') });
  const [variable] =
    /\w+(?==)/.exec(readFileSync(join(shell.folder, 'shop/env.example'), 'utf8').split('apiKey')[1] ?? '') ?? [];
  shell.write('shop/secrets.env', `${readFileSync(secrets, 'utf8')}\n${variable}=told-later\n`);
  expect(await weir('apply', ...from)).toMatchObject({ code: 0 });
  expect((await weir('plan', '--check', ...from)).json.steps).toEqual([]);

  const shop = { id: '', name: '', writeKey };
  await sendEvent(shop, 'track', { event: 'Spam', userId: 'ada' });
  await sendEvent(shop, 'page', { name: 'Home', userId: 'ada' });
  await sendEvent(shop, 'track', { event: 'Bought', userId: 'ada' });
  const [arrived] = await until('the event', () => eventsAt(hook, '/segment').length > 0 && eventsAt(hook, '/segment'));
  expect(arrived).toMatchObject({ event: 'Bought', properties: { region: 'eu', key: 'told-later' } });
  expect(eventsAt(hook, '/segment')).toHaveLength(1);
});
