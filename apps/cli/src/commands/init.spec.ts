import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { useCommandLine } from '../../test/command-line.js';

const { folder, weir } = useCommandLine();

it('writes a project whose files are there, and overwrites nothing', async () => {
  const first = await weir('init shop --json');
  expect(first.code).toBe(0);
  const project = parse(readFileSync(join(folder, 'shop/weir.yaml'), 'utf8'));
  for (const { file, events } of project.transformations) {
    expect(existsSync(join(folder, 'shop', file))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'shop', events), 'utf8'))).toHaveLength(1);
  }
  const again = await weir('init shop');
  expect([again.code, again.out]).toEqual([2, '']);
  expect(again.err).toContain('weir.yaml, transformations/mask-e-mail.js');
  expect(again.err).not.toContain('weir init shop');
});

it('says where to go next, and what is in the way', async () => {
  expect((await weir('init site')).out).toContain('Next: cd site, weir login, then weir test.');
  const inTheWay = await weir('init site/weir.yaml');
  expect([inTheWay.code, inTheWay.err]).toEqual([2, expect.stringContaining('cannot be written')]);
});

it('writes nothing elsewhere for an assistant, through a link', async () => {
  mkdirSync(join(folder, 'linked'));
  symlinkSync(join(folder, 'new'), join(folder, 'linked/.gitignore'));
  const { code, err } = await weir('init linked', { filesIn: join(folder, 'linked') });
  expect([code, err]).toEqual([2, expect.stringContaining('.gitignore is outside of the folder')]);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
