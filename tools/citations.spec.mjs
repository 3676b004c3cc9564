import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const CHECK = new URL('citations.mjs', import.meta.url).pathname;
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-citations-'));
  write(
    'docs/specification/README.md',
    '| area | what |',
    '| --- | --- |',
    '| A | code |',
    '| B | rules |',
    '| C | tests |',
  );
  write(
    'docs/specification/tests.md',
    '# Tests',
    '## spec 4.3: Rules',
    '1. One.',
    '2. Two.',
    '## spec 4.4: More',
    '## wire-facts 3.2: Texts',
  );
  write('docs/architecture.md', '## 7. Contract');
  write('docs/decisions/rulings.md', '| N | rule |', '| --- | --- |', '| 17 | this |', '| 18 | that |');
  write('docs/decisions/0001-patterns.md', '# Patterns', '## In short');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path, ...lines) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.join('\n'));
}

/** The check of a project with one file of these lines. */
function checked(...lines) {
  write('libs/some/src/some.ts', ...lines);
  const { status, stderr } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: 'utf8' });
  return { status, problems: stderr.split('\n').filter(Boolean) };
}

describe('the check of citations', () => {
  it('accepts every form that has a target', () => {
    const lines = [
      '/** Two rules (spec 4.3 rules 1 and 2, wire-facts 3.2, rulings 17 and 18). */',
      '// spec section 4.3, spec 4.3 and 4.4, `wire-facts.md` 3.2, architecture section 7, areas A to C, decision 0001',
      '/** Wrapped (spec 4.3',
      ' * rule 2), and docs/decisions/0001-patterns.md, as docs/decisions/NNNN-title.md. */',
      "import { addFacts } from './key-facts.js';",
    ];
    write('docs/wire-facts.md', '[why](decisions/0001-patterns.md#in-short)');
    expect(checked(...lines)).toEqual({ status: 0, problems: [] });
  });

  it.each([
    ['a section', '// spec 9.9', 'no heading of docs/specification begins with "spec 9.9"'],
    ['one of several sections', '// spec 4.3 and 4.5', 'no heading of docs/specification begins with "spec 4.5"'],
    ['a rule', '// spec 4.3 rule 3', '"spec 4.3" has no rule 3'],
    ['a rule of a range', '// spec 4.3 rules 1 to 3', '"spec 4.3" has no rule 3'],
    ['a page', '// wire-facts 3.9', 'no heading of docs/specification begins with "wire-facts 3.9"'],
    ['an unknown page', '// other-facts 1', 'no heading of docs/specification begins with "other-facts 1"'],
    ['a ruling', '// rulings 17 to 19', 'docs/decisions/rulings.md has no row 19'],
    ['a section of the architecture', '// architecture section 8', 'docs/architecture.md has no section 8'],
    ['a decision', '// decisions 0001 and 0002', 'docs/decisions has no page 0002'],
    ['an area', '// areas A to D', 'docs/specification/README.md has no row D'],
    ['a document', '// docs/decisions/none.md', 'there is no such document'],
  ])('names file and line of %s that is missing', (_what, line, problem) => {
    const { status, problems } = checked('', line);
    expect(status).toBe(1);
    expect(problems).toEqual([expect.stringMatching(/^libs\/some\/src\/some\.ts:2 ".+" leads nowhere: /)]);
    expect(problems[0]).toContain(problem);
  });

  it('names links of documents that lead nowhere', () => {
    write(
      'docs/other.md',
      '[a](decisions/none.md)',
      '[b](decisions/0001-patterns.md#none)',
      '[c](https://example.com/none.md)',
    );
    const { problems } = checked('// spec 4.3');
    expect(problems).toEqual([
      'docs/other.md:1 "decisions/none.md" leads nowhere: there is no docs/decisions/none.md',
      'docs/other.md:2 "decisions/0001-patterns.md#none" leads nowhere: docs/decisions/0001-patterns.md has no such heading',
    ]);
  });

  it('names paths of code in documents that lead nowhere', () => {
    write('libs/some/README.md', 'Read `src/`, `libs/some/src/some.ts`, and `libs/some/src`.', 'See `examples/a.mjs`.');
    write('docs/other.md', '`libs/some/src/none.ts`, `apps/none`, `apps/some/dist/a.js`');
    write('libs/some/examples/a.mjs', '');
    expect(checked('// spec 4.3').problems).toEqual([
      'docs/other.md:1 "libs/some/src/none.ts" leads nowhere: there is no such file or folder',
      'docs/other.md:1 "apps/none" leads nowhere: there is no such file or folder',
    ]);
  });

  it('checks the sections of the coverage table', () => {
    write('apps/e2e/SPEC_COVERAGE.md', '| Section    | Rule |', '| 4.3 rule 2 | two  |', '| 4.3 rule 9 | nine |');
    expect(checked('').problems).toEqual([
      'apps/e2e/SPEC_COVERAGE.md:3 "4.3 rule 9" leads nowhere: "spec 4.3" has no rule 9',
    ]);
  });

  it('finds a heading that is there twice', () => {
    write('docs/specification/again.md', '## wire-facts 3.2: Again');
    expect(checked('// spec 4.3').problems).toEqual([
      'docs/specification/tests.md:6 "wire-facts 3.2" has two headings',
    ]);
  });

  it('fails where it finds no citation at all: then it looks in the wrong place', () => {
    rmSync(join(root, 'docs'), { recursive: true });
    expect(checked('export {};').status).toBe(1);
  });
});
