import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';

const { weir } = useCommandLine();

describe('completion', () => {
  it.each([
    ['weir logi', ['login']],
    ['weir login --tok', ['--token-stdin']],
    ['weir --json stat', ['status']],
    ['weir completion --no', ['--no-color']],
  ])('bash completes %s', async (line, expected) => {
    const { out } = await weir('completion bash');
    const words = line.split(' ');
    const script = `${out}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')).toEqual(expected);
  });

  it.each(['zsh', 'fish'])('%s knows every command', async (shell) => {
    const { code, out } = await weir(`completion ${shell}`);
    expect(code).toBe(0);
    for (const word of ['login', 'doctor', '--token-stdin']) expect(out).toContain(word);
  });

  it('knows no other shell', async () => expect(await weir('completion tcsh')).toMatchObject({ code: 2, out: '' }));
});
