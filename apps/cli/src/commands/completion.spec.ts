import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';

const { folder, weir } = useCommandLine();

function isThere(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const LINES = [
  ['weir logi', 'login'],
  ['weir login --tok', '--token-stdin'],
  ['weir --json stat', 'status'],
  ['weir receipt ver', 'verify'],
  ['weir completion --no', '--no-color'],
  ['weir tail --status supp', 'suppressed'],
  ['weir replay --types ide', 'identify'],
  ['weir replays resu', 'resume'],
  ['weir tail --status dead --so', '--source'],
] as const;

/** Presses Tab in an interactive zsh that finds the script in a folder of its path, and prints the line. */
const PRESS_TAB = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; \\
  report() { print -r -- \\"<<\\$BUFFER>>\\" }; zle -N report; bindkey '^X' report; print re''ady"
zpty -r -m shell printed '*ready*'
zpty -w -n shell "$2"$'\\t\\x18'
zpty -r -m shell printed '*<<*>>*'
print -r -- \${\${printed##*<<}%%>>*}
zpty -d shell`;

describe('completion', () => {
  it.each(LINES)('bash completes %s', async (line, expected) => {
    const { out } = await weir('completion bash');
    const words = line.split(' ');
    const script = `${out}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')).toEqual([expected]);
  });

  const fish = isThere('fish') ? it : it.skip;
  fish.each(LINES)('fish completes %s (needs fish)', async (line, expected) => {
    const { out } = await weir('completion fish');
    const script = `${out}\ncomplete -C '${line}'`;
    const env = { PATH: process.env['PATH'], HOME: folder };
    expect(execFileSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8' })).toBe(`${expected}\n`);
  });

  const zsh = isThere('zsh') ? it : it.skip;
  zsh.each(LINES)('zsh completes %s (needs zsh)', async (line, expected) => {
    const functions = mkdtempSync(join(tmpdir(), 'weir-zsh-'));
    try {
      writeFileSync(join(functions, '_weir'), (await weir('completion zsh')).out);
      const printed = execFileSync('zsh', ['-f', '-c', PRESS_TAB, 'zsh', functions, line], { encoding: 'utf8' });
      expect(printed.trim()).toBe(`${line.slice(0, line.lastIndexOf(' '))} ${expected}`);
    } finally {
      rmSync(functions, { recursive: true });
    }
  });

  it('knows no other shell', async () => expect(await weir('completion tcsh')).toMatchObject({ code: 2, out: '' }));
});
