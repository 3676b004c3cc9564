import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { LiveEvent } from '@weir/client';
import picocolors from 'picocolors';
import { useCommandLine } from '../../test/command-line.js';
import { readCode, selected } from '../code/folder.js';
import { findNamed } from '../core/find.js';
import { timeOf } from '../core/option-values.js';
import { lineOf, matcher } from './tail.js';
import { eventsOf } from './trigger.js';

const { folder, weir } = useCommandLine();
const AT = '2026-01-01T00:00:00.000Z';

describe('weir replay --since', () => {
  it.each([
    ['30m', '2025-12-31T23:30:00.000Z'],
    ['2h', '2025-12-31T22:00:00.000Z'],
    ['7d', '2025-12-25T00:00:00.000Z'],
    ['2025-01-01', '2025-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => expect(timeOf('--since', text, Date.parse(AT))).toBe(expected));

  it('refuses what is not a time', () =>
    expect(() => timeOf('--since', 'soon')).toThrow('--since is not a time: soon'));
});

describe('weir trigger', () => {
  it.each([
    ['one.json', '{"type":"track"}', 1],
    ['list.json', '[{"type":"track"},{"type":"page"}]', 2],
    ['lines.jsonl', '{"type":"track"}\n\n{"type":"page"}\n', 2],
  ])('reads %s', (name, text, count) => {
    writeFileSync(join(folder, name), text);
    expect(eventsOf(name, folder)).toHaveLength(count);
  });

  it('knows fixtures, and refuses what holds no events', () => {
    expect(eventsOf('page', folder)).toMatchObject([{ type: 'page' }]);
    for (const [text, problem] of [
      ['[]', 'holds no events'],
      ['7', 'holds no events'],
      ['{', 'is not JSON'],
    ] as const) {
      writeFileSync(join(folder, 'bad.json'), text);
      expect(() => eventsOf('bad.json', folder)).toThrow(problem);
    }
    expect(() => eventsOf('nothing', folder)).toThrow('no fixture and no file nothing');
  });
});

it('weir tail --user shows deliveries of events of the user', () => {
  const accepted = (userId: string, messageId: string): LiveEvent => ({
    event: 'accepted',
    data: { at: AT, sourceId: 's1', messageId, event: { userId } },
  });
  const delivered = (messageId: string): LiveEvent => ({
    event: 'delivery',
    data: { at: AT, sourceId: 's1', destinationId: 'd1', outcome: 'delivered', messageId },
  });
  const isShown = matcher({ user: 'ada' });
  const shown = [accepted('ada', 'm1'), accepted('bob', 'm2'), delivered('m1'), delivered('m2')].map(isShown);
  expect(shown).toEqual([true, false, true, false]);
  const onlyEnds = matcher({ user: 'ada', status: 'delivered' });
  expect([accepted('ada', 'm1'), delivered('m1')].map(onlyEnds)).toEqual([false, true]);
});

it('weir tail names the destination, and tells the whole reason', () => {
  const reason = `The destination answered 422, ${'and so on '.repeat(9)}`.trim();
  const live: LiveEvent = {
    event: 'delivery',
    data: { at: AT, sourceId: 's1', destinationId: 'd1', outcome: 'dead', reason },
  };
  const colors = picocolors.createColors(false);
  expect(lineOf(live, colors, new Map([['d1', 'my server']]))).toBe(
    `00:00:00.000  dead             → my server  ${reason}`,
  );
  expect(lineOf(live, colors)).toContain('→ d1');
});

it('a name that several have is refused', () => {
  const items = [
    { id: '1', name: 'a' },
    { id: '2', name: 'a' },
    { id: '3', name: 'b' },
  ];
  expect(findNamed('source', items, 'b').id).toBe('3');
  expect(findNamed('source', items, '2').id).toBe('2');
  expect(() => findNamed('source', items, 'a')).toThrow('Several sources');
  expect(() => findNamed('source', items, 'c')).toThrow('There is no source c');
});

it('the code of a project is what its files name, and other files under their own name', async () => {
  await weir('init code');
  const project = join(folder, 'code');
  writeFileSync(join(project, 'transformations/other.js'), '// other');
  writeFileSync(join(project, 'transformations/other.tests.json'), '[{"name":"t","input":[{}]}]');
  const files = readCode(project, { cwd: folder });
  expect(files.map(({ kind, name, path }) => [kind, name, path])).toEqual([
    ['transformations', 'mask e-mail', 'code/transformations/mask-e-mail.js'],
    ['transformations', 'other', 'code/transformations/other.js'],
    ['libraries', 'masks', 'code/libraries/masks.js'],
  ]);
  expect([files[0]?.events?.length, files[1]?.tests?.length]).toEqual([1, 1]);
  expect(selected(files, ['other'])).toHaveLength(1);
  expect(() => selected(files, ['nobody'])).toThrow('no code nobody');
});
