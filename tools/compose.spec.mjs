import { readFileSync, statSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

/** A process ends within 12 s, and compose kills what takes longer than its grace period: 10 s unless the file says otherwise. */
const GRACE = /^(20|60)s$/;

const at = (path) => new URL(`../${path}`, import.meta.url);
const services = (file) => Object.entries(parse(readFileSync(at(file), 'utf8'), { merge: true }).services);

it('compose lets every lasting container stop by itself', () => {
  const lasting = services('docker-compose.yml').filter(([, { restart }]) => restart === 'unless-stopped');
  expect(lasting.length).toBeGreaterThan(12);
  for (const [name, { stop_grace_period: grace }] of lasting) {
    expect([name, grace]).toEqual([name, expect.stringMatching(GRACE)]);
  }
});

/** Git replaces files, and a container keeps the one that it began with. In a folder, it finds the new one. */
it.each(['docker-compose.yml', 'docker-compose.archive.yml'])('%s mounts folders, and no single files', (file) => {
  const mounted = services(file).flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.startsWith('./')));
  for (const path of mounted.map((volume) => volume.split(':')[0]))
    expect([path, statSync(at(path)).isDirectory()]).toEqual([path, true]);
});

it.each([
  ['docker-compose.yml', 'users.conf'],
  ['docker-compose.archive.yml', 'users-archive.conf'],
])('the broker of %s reads %s', (file, users) => {
  const [, path] = Object.fromEntries(services(file)).nats.command;
  expect(readFileSync(at(path.replace('/etc/nats/', 'deploy/nats/')), 'utf8')).toContain(`include "${users}"`);
});
