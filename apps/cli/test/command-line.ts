import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Io } from '../src/core/io.js';
import { runCli } from '../src/program.js';

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A home and a folder for one test file, and a way to run commands there as `weir` does. */
export function useCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const io = (fields: Partial<Io> = {}): Io & { printed: Ran } => {
    const printed = { code: 0, out: '', err: '' };
    return {
      env: {},
      cwd: folder,
      home: folder,
      out: (text) => {
        printed.out += text;
      },
      err: (text) => {
        printed.err += text;
      },
      isOutTty: false,
      isInteractive: false,
      sandboxScript: join(import.meta.dirname, '../dist/sandbox/local.js'),
      readInput: async () => '',
      signal: new AbortController().signal,
      printed,
      ...fields,
    };
  };
  const weir = async (line: string, fields: Partial<Io> = {}): Promise<Ran> => {
    const here = io(fields);
    const code = await runCli(line.split(' ').filter(Boolean), here, '1.2.3');
    return { ...here.printed, code };
  };
  return { folder, io, weir };
}
