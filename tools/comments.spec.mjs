import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const CHECK = new URL('comments.mjs', import.meta.url).pathname;
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-comments-'));
  mkdirSync(join(root, 'libs'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The problems in a project with one file of these lines. */
function problemsOf(name, ...lines) {
  writeFileSync(join(root, 'libs', name), lines.join('\n'));
  const { stderr, status } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: 'utf8' });
  const problems = stderr.split('\n').filter(Boolean);
  expect(status).toBe(problems.length > 0 ? 1 : 0);
  return problems;
}

describe('check:comments', () => {
  it.each([
    ['a line', 1, 'a.ts', '// Of the code, in tests.'],
    ['a docstring', 2, 'a.ts', 'interface A {', '  /** What the line says. */'],
    ['a docstring of several lines', 2, 'a.ts', '/**', ' * Whatever it takes.', ' */'],
    ['the comment after another one', 2, 'a.ts', '/** Fine. */', '// By now.'],
    ['a comment behind code', 1, 'a.ts', 'const a = 1; // what it was'],
    ['a docstring behind code', 1, 'a.ts', 'type A = { /** by name */ a: string };'],
    ['a script', 1, 'a.sh', '# Else it fails.'],
  ])('finds the beginning of %s', (_what, line, name, ...lines) => {
    expect(problemsOf(name, ...lines)).toEqual([`libs/${name}:${line} begins without its subject`]);
  });

  it('leaves alone later sentences, other words, and texts', () => {
    const lines = ['// It waits.', '// What comes then is right.', '', '// Offers one.', "const a = 'What is this';"];
    expect(problemsOf('a.ts', ...lines)).toEqual([]);
  });

  it('fails without a file, because then it looks in the wrong place', () => {
    const { status } = spawnSync(process.execPath, [CHECK], { cwd: root });
    expect(status).toBe(1);
  });
});
