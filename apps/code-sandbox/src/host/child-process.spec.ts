import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { childFlags } from './child-process.js';

const SCRIPT = fileURLToPath(new URL('./child-process.ts', import.meta.url));

/** Tries code in a process that starts like a child. */
const attempt = (code: string) => {
  const { stdout } = spawnSync(
    process.execPath,
    [...childFlags(SCRIPT), '-p', `try { ${code}; 'allowed' } catch (error) { error.code }`],
    {
      env: {},
      encoding: 'utf8',
    },
  );
  return stdout.trim();
};

describe('a process with the flags of a child', () => {
  it.each([
    ["require('fs').readFileSync('/etc/passwd')", 'ERR_ACCESS_DENIED'],
    ["require('fs').readFileSync('/proc/self/environ')", 'ERR_ACCESS_DENIED'],
    ["require('fs').writeFileSync('/tmp/canary', '')", 'ERR_ACCESS_DENIED'],
    ["require('child_process').execSync('id')", 'ERR_ACCESS_DENIED'],
    ["new (require('worker_threads').Worker)('', { eval: true })", 'ERR_ACCESS_DENIED'],
    [`require('fs').readFileSync(${JSON.stringify(SCRIPT)})`, 'allowed'],
    [`require(${JSON.stringify(fileURLToPath(import.meta.resolve('isolated-vm')))})`, 'allowed'],
  ])('%s: %s', (code, outcome) => expect(attempt(code)).toBe(outcome));
});
