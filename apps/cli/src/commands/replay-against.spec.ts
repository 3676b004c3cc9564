import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir, folder } = useCommandLine();
const url = useServer((request, response) => {
  const answer = request.url?.startsWith('/schemas') ? [] : { workspace: { id: 'w1' } };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
let [cwd, outside] = ['', ''];
beforeEach(() => {
  [cwd, outside] = [mkdtempSync(join(folder, 'project-')), mkdtempSync(join(folder, 'outside-'))];
  writeFileSync(join(cwd, 'weir.yaml'), 'transformations: [{ name: a, file: a.js }]');
  writeFileSync(join(cwd, 'a.js'), 'export const transformEvent = (event) => event;');
});
const replay = (options = '') => {
  const env = { WEIR_URL: url(), WEIR_TOKEN: 't' };
  return weir(`replay --against . --samples --transformation a ${options}`, { env, cwd, filesIn: cwd });
};

describe('weir replay --against --samples', () => {
  it('keeps the samples, but not in a dry run', async () => {
    await replay('--dry-run');
    expect(existsSync(join(cwd, '.weir'))).toBe(false);
    await replay();
    expect(readdirSync(join(cwd, '.weir'))).toEqual(['.gitignore', 'samples.json']);
  });

  it('reads no samples of elsewhere, through a link', async () => {
    writeFileSync(join(outside, 'samples.json'), '{}');
    symlinkSync(outside, join(cwd, '.weir'));
    expect((await replay('--dry-run')).err).toContain('samples.json is outside of the folder');
  });

  it.each(['samples.json', '.gitignore'])('writes nothing elsewhere, through a link at %s', async (name) => {
    mkdirSync(join(cwd, '.weir'));
    symlinkSync(join(outside, 'new'), join(cwd, '.weir', name));
    expect((await replay()).err).toContain(`${name} is outside of the folder`);
    expect(readdirSync(outside)).toEqual([]);
  });
});
