import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from '@jest/globals';
import type { Import } from '../src/import/import.js';
import { filesOf } from '../src/project/files.js';
import { loadProject } from '../src/project/load.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The plan that `weir plan` makes of the files of an import. `told` are variables that their owner sets. */
export function loaded({ project, env }: Import, told: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-import-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(filesOf(project))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return loadProject(folder, { env: { ...told, ...env } });
}
