import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { LocalRequest } from '../../src/local/run-locally.js';
import type { PoolOptions } from '../../src/pool/child-pool.js';

/** Built by `npm test` and `nx build`. */
const SCRIPT = fileURLToPath(new URL('../../dist/bundle/local.js', import.meta.url));
/** Its workspace, which shows in metadata. */
export const WORKSPACE = '000000000000000000000000000';

/** Starts the sandbox of a developer for a test file, as the command line does. */
export function useLocalSandbox(limits: Partial<PoolOptions> = {}) {
  let local: ChildProcess;
  beforeAll(() => {
    local = fork(SCRIPT, [JSON.stringify(limits)], { env: {}, execArgv: [], silent: true });
  });
  afterAll(async () => {
    local.disconnect();
    await once(local, 'exit');
  });
  const ask = async (request: LocalRequest): Promise<string> => {
    local.send({ id: 1, request });
    const [{ replies, problem }] = await once(local, 'message');
    return problem ?? replies.join('\n');
  };
  const bundleOf = (code: string) => ({ key: code, name: 'my code', code, libraries: [] });
  return {
    /** Returns the reply as it is, or several on a line each. */
    replyTo: (code: string, events: JsonObject[]) =>
      ask({ action: 'run', bundle: bundleOf(code), workspaceId: WORKSPACE, events, credentials: [] }),
    check: (code: string) => ask({ action: 'check', bundle: bundleOf(code) }),
  };
}

/** The only part of a reply that the machine decides. */
export const withoutTimes = (reply: string): string => reply.replaceAll(/,"milliseconds":[\d.e-]+/g, '');
