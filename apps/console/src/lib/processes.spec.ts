import { expect, it } from '@jest/globals';
import { type Process, reasonsOf, stateOf, summaryOf, versionsOf, wordOf } from './processes.js';

const up = { version: '1.0.0', startedAt: '2026-01-01T00:00:00.000Z', ready: true, reasons: [] };
const down = { ...up, ready: false, reasons: ['database: does not answer'] };
const a = (name: Process['name'], ...instances: Process['instances']): Process => ({ name, instances });

it.each([
  [[up], 'works', 'works'],
  [[up, down], 'limps', 'works partly'],
  [[down, down], 'away', 'cannot work'],
  [[], 'away', 'does not answer'],
])('one ready replica carries the work of its process: %j', (instances, state, word) => {
  const process = a('test-runner.main', ...instances);
  expect([stateOf(process), wordOf(process)]).toEqual([state, word]);
});

it('gives each reason and each version once', () => {
  expect(reasonsOf(a('test-runner.main', down, down))).toEqual(['database: does not answer']);
  expect(versionsOf([a('gateway.main', up, up), a('code-sandbox.main', { ...up, version: '1.1.0' })])).toEqual([
    '1.0.0',
    '1.1.0',
  ]);
});

it('says in a sentence what a person has to know', () => {
  const gateway = a('gateway.main', up);
  expect(summaryOf([gateway])).toBe('All processes work.');
  expect(summaryOf([gateway, a('code-sandbox.main')])).toBe('1 process of 2 cannot work.');
  expect(summaryOf([a('gateway.main', up, { ...up, version: '1.1.0' })])).toBe(
    'All processes work, in 2 versions: an upgrade is not complete.',
  );
});
