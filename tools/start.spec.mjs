import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const SCRIPT = fileURLToPath(new URL('start.mjs', import.meta.url));
const PRETENDS = (version) =>
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;

function start({ flags = [], env = {} }) {
  const options = { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, SCRIPT], options);
  return { status, stdout, lines: stderr.trim().split('\n') };
}

it('tells that a port is taken before it builds', async () => {
  const holder = createServer().listen(0);
  await once(holder, 'listening');
  const { port } = holder.address();
  const { status, stdout, lines } = start({ env: { PORT: String(port) } });
  holder.close();
  expect([status, stdout]).toEqual([1, '']);
  expect(lines).toEqual([`Port ${port} is in use: end the program that holds it, or set PORT to another one.`]);
});

it('tells an old Node.js in one sentence', () => {
  const { status, stdout, lines } = start({ flags: ['--import', PRETENDS('18.20.4')] });
  expect([status, stdout]).toEqual([1, '']);
  expect(lines).toEqual([
    expect.stringMatching(/^Weir runs on Node\.js 24 or later, and this is 18\.20\.4: run npm ci/),
  ]);
});
