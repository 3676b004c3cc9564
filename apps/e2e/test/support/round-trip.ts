import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { runWeir } from './command-line.js';
import type { Configuration } from './configurations.js';
import { filesIn, writeFiles } from './files.js';

/** The exit code of "Try again in a while": a busy server. The run after it has to do what is left, and nothing twice. */
const UNAVAILABLE = 6;
const RUNS_MAX = 5;

const SECRET = 'Bearer clear-text-secret';

export interface Target {
  url: string;
  /** An admin token of a workspace that only this test uses. */
  token: string;
}

/**
 * Applies the configuration, and takes it through export, destroy, apply and export. The workspace has to be empty after the destroy,
 * both exports have to be equal, and in the end the workspace has to be as the configuration says. It is empty again afterwards.
 */
export async function roundTrip({ files, env }: Configuration, { url, token }: Target): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weir-round-trip-'));
  const base = { PATH: process.env['PATH'], HOME: home, WEIR_URL: url, WEIR_TOKEN: token };
  const weir = async (args: string[], also: NodeJS.ProcessEnv = {}, cwd = home) => {
    for (let left = RUNS_MAX; ; left -= 1) {
      const ran = await runWeir(args, { cwd, env: { ...also, ...base } });
      if (ran.code === 0) return ran.json;
      if (ran.code !== UNAVAILABLE || left === 1)
        throw new Error(`weir ${args.join(' ')} ended with ${ran.code}: ${ran.err}${ran.out}`);
    }
  };
  try {
    const [own, first, second, none] = ['own', 'first', 'second', 'none'].map((name) => join(home, name)) as FourPaths;
    writeFiles(own, files);
    await weir(['apply'], env, own);
    const { variables } = await weir(['export', '--write-keys', '--json', first]);
    // a shell would have a value for these, and a wrong one
    expect(Object.keys(base).filter((name) => variables.includes(name))).toEqual([]);
    const before = filesIn(first);
    await weir(['destroy', '--yes'], {}, first);
    await weir(['export', none]);
    expect(filesIn(none)).toEqual({ 'weir.yaml': 'version: 1\n' });

    const secrets = Object.fromEntries(variables.map((name: string) => [name, env[name] ?? SECRET]));
    await weir(['apply'], secrets, first);
    await weir(['export', '--write-keys', second]);
    expect(filesIn(second)).toEqual(before);
    await weir(['apply', '--set-secrets'], env, own);
    await weir(['plan', '--check', '--prune'], env, own);
    await weir(['destroy', '--yes'], env, own);
  } finally {
    rmSync(home, { recursive: true });
  }
}

type FourPaths = [string, string, string, string];
