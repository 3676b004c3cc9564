import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

/** A process ends within 12 s, and compose kills what takes longer than its grace period: 10 s unless the file says otherwise. */
const GRACE = /^(20|60)s$/;

it('compose lets every lasting container stop by itself', () => {
  const text = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');
  const lasting = Object.entries(parse(text, { merge: true }).services).filter(
    ([, { restart }]) => restart === 'unless-stopped',
  );
  expect(lasting.length).toBeGreaterThan(12);
  for (const [name, { stop_grace_period: grace }] of lasting) {
    expect([name, grace]).toEqual([name, expect.stringMatching(GRACE)]);
  }
});
