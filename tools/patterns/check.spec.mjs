import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const CHECK = new URL('check.mjs', import.meta.url).pathname;
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-patterns-'));
  mkdirSync(join(root, 'libs/some/src'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** Runs the check on a project with one file of these lines. */
function checked(...lines) {
  writeFileSync(join(root, 'libs/some/src/some.ts'), lines.join('\n'));
  const { status, stderr } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: 'utf8' });
  return { status, problems: stderr.split('\n').filter(Boolean) };
}

describe('the check of patterns', () => {
  it('finds what is not linear, wherever a pattern is made', () => {
    const { status, problems } = checked(
      'const exponential = /^(a+)+$/;',
      'const quadratic = text.replace(/\\s+$/, "");',
      'const made = new RegExp("(a|a)*b"), called = RegExp(`\\\\d+\\\\d+x`);',
      'const asText = text.match("^(a|b|ab)*c") ?? text.search(" +$") ?? text.matchAll("(.*)=(.*)=");',
      'const schema = { type: "string", pattern: "^(\\\\w+\\\\s?)*$" };',
      'const counted = /^(a?){30}a{30}$/;',
      'const several = /^(a{1,9}b?){9}$/;',
      'const ahead = /^(?=.*a)(?=.*b)c$/;',
    );
    expect(status).toBe(1);
    const found = problems.map((problem) => /some\.ts:(\d+) .* (?:time,|cannot be shown|may be empty)/.exec(problem));
    expect(found.map((match) => Number(match?.[1]))).toEqual([1, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8]);
  });

  it('wants a reason for what is made at run time', () => {
    const { status, problems } = checked(
      'const made = new RegExp(given), mixed = RegExp("^" + given);',
      'const asked = text.match(given);',
      '// linear: it is cut to ten characters.',
      'const explained = new RegExp(given);',
      'const other = new RegExp(given); // linear: of our own making.',
      '// linear: ',
      'const unexplained = new RegExp(given);',
    );
    expect(status).toBe(1);
    expect(problems).toEqual([
      'libs/some/src/some.ts:1 RegExp of given is made at run time',
      'libs/some/src/some.ts:1 RegExp of "^" + given is made at run time',
      'libs/some/src/some.ts:2 RegExp of given is made at run time',
      'libs/some/src/some.ts:7 RegExp of given is made at run time',
    ]);
  });

  it('lets linear patterns pass, now and from its cache', () => {
    const lines = [
      'const DAY = /^\\d{4}-\\d{2}-\\d{2}$/;',
      'const found = text.match(DAY) ?? text.match(isIt ? /ab/ : DAY) ?? text.replace("(a+)+$", "");',
      'const schema = { pattern: "^[^\\\\s.*>]+(\\\\.[^\\\\s.*>]+)*$" };',
    ];
    expect(checked(...lines)).toEqual({ status: 0, problems: [] });
    expect(checked(...lines)).toEqual({ status: 0, problems: [] });
    expect(checked(...lines, 'const bad = /(a*)*$/;').status).toBe(1);
  });

  it('finds a reason that explains nothing', () => {
    const { status, problems } = checked('// linear: it was not, once.', 'const DAY = /^\\d+$/;');
    expect([status, problems]).toEqual([1, ['libs/some/src/some.ts:2 /^\\d+$/ is linear: the comment on it can go']]);
  });

  it('fails where it finds no pattern at all: then it looks in the wrong place', () => {
    expect(checked('export {};').status).toBe(1);
  });
});
