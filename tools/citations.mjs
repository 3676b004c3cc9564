// Fails on a citation that leads nowhere in this repository (npm run check:citations). Citations stand in comments, in test names and in
// documents: `spec 4.3 rule 2`, `wire-facts 6.4`, `ruling 26`, `architecture section 7`, `area D`, `docs/glossary.md`. Each names the
// beginning of a heading, so a search for the citation finds its target. docs/specification/README.md lists the forms. Paths of code in
// documents count, too.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const SPECIFICATION = 'docs/specification';
const ARCHITECTURE = 'docs/architecture.md';
const DECISIONS = 'docs/decisions';
const RULINGS = `${DECISIONS}/rulings.md`;
const COVERAGE = 'apps/e2e/SPEC_COVERAGE.md';

const TEXTS = '**/*.{ts,mts,mjs,md,yaml,yml,sh,sql,conf,tpl}';
/** The examples of this check are not citations. */
const SKIPPED = ['**/node_modules/**', '**/dist/**', 'tools/citations*'];

const NUMBER = '[A-Z]?\\d+(?:\\.\\d+)*';
const listOf = (item) => `${item}(?:(?:, | and | or | to )${item})*`;
const LIST = `(?<list>${listOf(NUMBER)})`;
const RULES = `(?:,? (?:rules?|points?) (?<rules>${listOf('\\d+')}))?`;
/** Neither a part of another word nor of the name of a file. */
const ALONE = '(?<![\\w./-])';

const FORMS = [
  { pattern: `${ALONE}[Ss]pec(?:ification)?(?:,? sections?)? ${LIST}${RULES}`, find: () => 'spec' },
  {
    pattern: `${ALONE}(?<page>[a-z]+(?:-[a-z]+)*-facts|security-reliability)(?:\\.md)?\`?(?![\\w/-]|\\.\\w)(?: ${LIST}${RULES})?`,
    find: ({ page }) => page,
  },
  {
    pattern: `${ALONE}(?<page>operations|style|stack)(?:\\.md)?\`?(?: section)? (?<list>\\d+\\.\\d+)`,
    find: ({ page }) => page,
  },
  { pattern: `${ALONE}[Aa]rchitecture(?:\\.md)?\`?,?(?: sections?)? ${LIST}`, find: () => 'architecture' },
  { pattern: `${ALONE}[Rr]ulings? ${LIST}`, find: () => 'ruling' },
  { pattern: `${ALONE}[Dd]ecisions? (?<list>${listOf('\\d{4}')})`, find: () => 'decision' },
  { pattern: `${ALONE}[Aa]reas? (?<list>${listOf('[A-Z]\\b(?![.-]\\w)')})`, find: () => 'area' },
].map(({ pattern, find }) => ({ pattern: new RegExp(pattern, 'g'), find })); // linear: on texts of our own.

const WHERE = {
  ruling: `${RULINGS} has no row`,
  area: `${SPECIFICATION}/README.md has no row`,
  architecture: `${ARCHITECTURE} has no section`,
  decision: `${DECISIONS} has no page`,
};

/** A file as it reads without line breaks and comment marks, and the line that each place of it is from. */
function flattened(text) {
  const starts = [];
  let flat = '';
  for (const line of text.split('\n')) {
    starts.push(flat.length);
    flat += `${line.replace(/^\s*(?:\/\*\*?|\*\/?|\/\/|#+)?\s*/, '').trimEnd()} `;
  }
  const lineAt = (place) => starts.findLastIndex((start) => start <= place) + 1;
  return { flat, lineAt };
}

/** `2 to 4` is 2, 3, 4, and `A to C` is A, B, C. Numbers with dots have no range. */
function expanded(list) {
  return list.split(/, | and | or /).flatMap((part) => {
    const [first, last] = part.split(' to ');
    if (last === undefined) return [part];
    const isLetter = /^[A-Z]$/.test(first);
    const [from, to] = isLetter ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
    if (!Number.isInteger(from) || !Number.isInteger(to)) return [first, last];
    return Array.from({ length: to - from + 1 }, (_, at) =>
      isLetter ? String.fromCharCode(from + at) : `${from + at}`.padStart(first.length, '0'),
    );
  });
}

/** Every citation of a text: what it names, the rules below it, and where it stands. */
function citationsIn(path, text) {
  const { flat, lineAt } = flattened(text);
  const found = [];
  for (const { pattern, find } of FORMS) {
    // linear: on texts of our own.
    for (const { 0: cited, index, groups } of flat.matchAll(pattern)) {
      const rules = groups.rules === undefined ? [] : expanded(groups.rules);
      const keys = groups.list === undefined ? [''] : expanded(groups.list);
      found.push(
        ...keys.map((key, at) => ({
          ...{ path, line: lineAt(index), cited, target: `${find(groups)} ${key}`.trim() },
          rules: at === keys.length - 1 ? rules : [],
        })),
      );
    }
  }
  return path === COVERAGE ? [...found, ...coveredRules(path, text)] : found;
}

/** The first column of the coverage table names rules of the specification. */
function coveredRules(path, text) {
  return text.split('\n').flatMap((row, at) => {
    const [cited, section, rule] = /^\| (\d[\d.]*)(?: rule (\d+))? *\|/.exec(row) ?? [];
    if (!section) return [];
    return [
      {
        path,
        line: at + 1,
        cited: cited.replace(/[| ]+/g, ' ').trim(),
        target: `spec ${section}`,
        rules: rule ? [rule] : [],
      },
    ];
  });
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Sections that can be cited, each with the numbers of the rules below its heading. */
function targetsIn(problems) {
  const targets = new Map();
  const add = (target, place) => {
    if (targets.has(target)) problems.push(`${place} "${target}" has two headings`);
    targets.set(target, new Set());
  };
  for (const path of globSync(`${SPECIFICATION}/*.md`).sort()) {
    let rules = new Set();
    for (const [at, line] of read(path).split('\n').entries()) {
      const heading = /^#{1,5} (.*)$/.exec(line)?.[1];
      const [, target] = /^([a-z-]+ [A-Z]?\d[\d.]*)(?::|$)/.exec(heading ?? '') ?? [];
      if (heading !== undefined) rules = new Set();
      if (target) {
        add(target, `${path}:${at + 1}`);
        targets.set(target, rules);
      }
      const rule = /^(\d+)\. /.exec(line)?.[1];
      if (rule) rules.add(rule);
    }
  }
  for (const [, number] of read(ARCHITECTURE).matchAll(/^#{2,3} (\d+(?:\.\d+)*)\. /gm)) {
    add(`architecture ${number}`, ARCHITECTURE);
  }
  for (const [, number] of read(RULINGS).matchAll(/^\| *(\d+) *\|/gm)) add(`ruling ${number}`, RULINGS);
  for (const path of globSync(`${DECISIONS}/[0-9]*.md`)) add(`decision ${basename(path).split('-')[0]}`, path);
  for (const [, letter] of read(`${SPECIFICATION}/README.md`).matchAll(/^\| *([A-Z]) *\|/gm)) {
    add(`area ${letter}`, SPECIFICATION);
  }
  for (const target of [...targets.keys()]) targets.set(target.split(' ')[0], new Set());
  return targets;
}

function problemOf({ path, line, cited, target, rules }, targets) {
  const at = `${path}:${line} "${cited}" leads nowhere`;
  const known = targets.get(target);
  const where = WHERE[target.split(' ')[0]];
  if (!known)
    return where
      ? `${at}: ${where} ${target.split(' ')[1]}`
      : `${at}: no heading of ${SPECIFICATION} begins with "${target}"`;
  const missing = rules.find((rule) => !known.has(rule));
  return missing === undefined ? undefined : `${at}: "${target}" has no rule ${missing}`;
}

/** The anchors that a document's headings get. */
function anchorsIn(path) {
  const times = new Map();
  return new Set(
    [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
      const slug = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .trim()
        .replaceAll(' ', '-');
      const before = times.get(slug) ?? 0;
      times.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

/** Names and paths of documents, but no addresses on the web and no placeholders (`NNNN-title.md`). */
const documentsIn = (line) =>
  [...line.matchAll(/[\w./-]+/g)]
    .map(([word]) => (word.endsWith('.') ? word.slice(0, -1) : word))
    .filter((word) => /\w\.md$/.test(word) && !word.startsWith('//') && !word.includes('NNNN'));

/** Files that only a build makes, and the kind that a guide makes. */
const NOT_YET = /\/dist\b|\bacme\b|NNNN/;

/** Paths of code in a document, such as `libs/contracts/src/ids.ts`, from the root or from the folder of its project. */
function* codeIn(path, text) {
  const folders = ['', dirname(path), dirname(dirname(path))];
  for (const [at, line] of text.split('\n').entries()) {
    const named = [...line.matchAll(/`((?:apps|deploy|docs|examples|libs|packages|tools)\/[\w./-]+)`/g)].map(
      ([, to]) => to,
    );
    for (const to of named.filter((one) => !NOT_YET.test(one) && !one.endsWith('.md'))) {
      const isThere = folders.some((folder) => existsSync(join(folder, to)));
      if (!isThere) yield `${path}:${at + 1} "${to}" leads nowhere: there is no such file or folder`;
    }
  }
}

/** Links of a document, and documents that any text names by their path or by their name alone. */
function* linksIn(path, text, names) {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const place = `${path}:${at + 1}`;
    const linked = path.endsWith('.md') ? [...line.matchAll(/\]\(([^()\s]+)\)/g)].map(([, to]) => to) : [];
    for (const to of linked.filter((one) => !/^[a-z]+:/.test(one))) {
      const [file = '', anchor] = to.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(target)) yield `${place} "${to}" leads nowhere: there is no ${target}`;
      else if (anchor && !anchorsIn(target).has(anchor))
        yield `${place} "${to}" leads nowhere: ${target} has no such heading`;
    }
    for (const named of documentsIn(line)) {
      const isThere = named.startsWith('docs/') ? existsSync(named) : names.has(basename(named));
      if (!isThere && !linked.some((to) => to.includes(named)))
        yield `${place} "${named}" leads nowhere: there is no such document`;
    }
  }
}

const problems = [];
const targets = targetsIn(problems);
const paths = globSync(TEXTS, { exclude: SKIPPED }).sort();
const names = new Set(paths.map((path) => basename(path)));
let count = 0;
for (const path of paths) {
  const text = readFileSync(path, 'utf8');
  const citations = citationsIn(path, text);
  count += citations.length;
  problems.push(...citations.map((citation) => problemOf(citation, targets)).filter(Boolean));
  problems.push(...linksIn(path, text, names));
  if (path.endsWith('.md')) problems.push(...codeIn(path, text));
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${count} citations in ${paths.length} files, ${targets.size} targets\n`);
process.exitCode = problems.length > 0 || count === 0 ? 1 : 0;
