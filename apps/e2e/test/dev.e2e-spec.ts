import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { PROGRAM, useCommandLine } from './support/command-line.js';
import { newSource, sendEvent } from './support/inventory.js';
import { made } from './support/workspace.js';

const shell = useCommandLine();
const { folder, write } = shell;

const EVENT = {
  type: 'track',
  event: 'Bought',
  userId: 'u1',
  messageId: 'm1',
  properties: { price: 7, email: 'a@b.c' },
};
const each = (body: string) =>
  `import { hide } from 'masks';\nexport function transformEvent(event, metadata) {\n  ${body}\n}\n`;
const BODIES: Record<string, string> = {
  same: 'return event;',
  masked: 'event.properties.email = hide(event.properties.email); return event;',
  dropped: 'return null;',
  fanned: 'return [event, { ...event, messageId: "m2" }];',
  thrown: 'return event.missing.part;',
  told: 'return metadata(event);',
  text: 'return "text";',
  forged: 'throw { stack: "E\\n at " + " (".repeat(9) + ":1".repeat(10) + ")" };',
  long: 'throw new Error("x".repeat(5000));',
  broken: 'return event',
};

it('every test ends on this machine as it does on the server', async () => {
  write('weir.yaml', 'version: 1\n');
  write('libraries/masks.js', 'export const hide = (email) => email.replace(/^[^@]*/, "***");\n');
  for (const [name, body] of Object.entries(BODIES)) {
    write(`transformations/${name}.js`, each(body));
    write(
      `transformations/${name}.tests.json`,
      JSON.stringify([
        { name: 'a purchase', input: [EVENT], expectedOutput: [EVENT] },
        { name: 'any', input: [EVENT, {}] },
      ]),
    );
  }
  write('transformations/missing.js', `import 'nothing';\nexport const transformEvent = (event) => event;\n`);
  write(
    'transformations/defaults.js',
    'export const transformEvent = (event) => { if (event.channel !== "server") throw new Error("own events"); return event; };\n',
  );
  write('transformations/defaults.tests.json', JSON.stringify([{ name: 'without events', input: [] }]));
  write(
    'transformations/alone.js',
    'export const transformEvent = (event) => { event.context.library.name.at(0); return event; };\n',
  );
  for (const [name, events] of Object.entries({ given: [EVENT], none: [] })) {
    write(`transformations/${name}.js`, 'export const transformEvent = (event) => event;\n');
    write(`transformations/${name}.events.json`, JSON.stringify(events));
  }
  write('transformations/both.js', 'export const transformEvent = (event) => event;\n');
  write('transformations/both.events.json', JSON.stringify([EVENT]));
  write('transformations/both.tests.json', JSON.stringify([{ name: 'kept', input: [EVENT], expectedOutput: [EVENT] }]));
  write('transformations/plain.js', 'export const transformEvent = (event) => event;\n');

  const theirs = await shell.run(['test', '--json']);
  const mine = await shell.run(['dev', '--once', '--offline', '--json']);
  const comparable = ({ outcomes }: { outcomes: { name: string; test: string; milliseconds?: number }[] }) =>
    outcomes
      .map(({ milliseconds: _, ...outcome }) => outcome)
      .sort((a, b) => (`${a.name}/${a.test}` < `${b.name}/${b.test}` ? -1 : 1));
  expect([mine.code, theirs.code]).toEqual([5, 5]);
  expect(comparable(mine.json)).toEqual(comparable(theirs.json));
});

it('gives code its credentials, and shows no value of them', async () => {
  write('weir.yaml', 'version: 1\ncredentials:\n  - { key: maps, value: "{{ env.MAPS }}" }\n');
  write(
    'transformations/keyed.js',
    'export const transformEvent = (event) => ({ ...event, url: "/?key=" + getCredential("maps") });\n',
  );
  const { code, out, json } = await shell.run(['dev', 'keyed', '--once', '--offline', '--json'], { MAPS: 'a-secret' });
  expect([code, json.events[0].outputs[0].url]).toEqual([0, '/?key=***']);
  expect(out).not.toContain('a-secret');
});

it('runs over sampled events that it fetches once, and on each save', async () => {
  const own = shell.workspace;
  const source = await newSource(own.writer, { name: 'shop' });
  const headers = { authorization: `Basic ${btoa(`:${own.tokens.admin}`)}` };
  const privacy = { Samples: 'keep', MaskedKeys: [] };
  made(await own.admin.put(`/schemas/sources/${source.writeKey}/privacy`, privacy, { headers }));
  await sendEvent(source, 'track', EVENT);
  await until('a sample', async () => {
    const { code, json } = await shell.run(['dev', 'plain', '--once', '--refresh', '--json']);
    return code === 0 && json.events.some(({ test }: { test: string }) => test === 'samples');
  });
  const kept = join(folder, '.weir/samples.json');
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(readFileSync(kept, 'utf8')).toContain('a@b.c');

  const nobody = { ...shell.env, WEIR_URL: 'http://127.0.0.1:1' };
  const dev = spawn(process.execPath, [PROGRAM, 'dev', 'masked'], { cwd: folder, env: nobody });
  let printed = '';
  dev.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await until('the first run', () => printed.includes('~ properties.email: "a@b.c" → "***@b.c"'));
  write('transformations/masked.js', each('delete event.properties.email; return event;'));
  await until('the run after a save', () => printed.includes('- properties.email: "a@b.c"'));
  const ended = once(dev, 'exit');
  dev.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
