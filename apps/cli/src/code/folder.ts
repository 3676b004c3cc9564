import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { CliError } from '../core/errors.js';
import { isInside } from '../core/inside.js';
import type { Io } from '../core/io.js';
import { besideCode, readTests, type TestCase, unlistedCode } from '../project/code-files.js';
import { isObject, type JsonObject } from '../project/json.js';

export type CodeKind = 'transformations' | 'libraries';

/** A transformation or library on disk. */
export interface CodeFile {
  kind: CodeKind;
  name: string;
  description: string;
  code: string;
  /** Path of the code, relative to the folder of the command: annotations point to it. */
  path: string;
  /** Events on which it is tested. */
  events?: JsonObject[];
  /** Tests with expected results, from `<file>.tests.json` beside the code. A publish saves them with the transformation. */
  tests?: TestCase[];
}

const PROJECT_FILE = 'weir.yaml';
const KINDS: readonly CodeKind[] = ['transformations', 'libraries'];

interface Entry {
  name: string;
  file: string;
  description?: string;
  events?: string;
}

/** The folder of the command, and the one that all files have to be in, as {@link Io} tells them. */
type Where = Partial<Pick<Io, 'cwd' | 'filesIn'>>;

interface Project extends Pick<Io, 'filesIn'> {
  folder: string;
}

/**
 * All code of a project: what `weir.yaml` or a file in `transformations/` and `libraries/` names, and any other `.js` file there
 * under the name of the file.
 */
export function readCode(folder: string, { cwd = folder, filesIn }: Where = {}): CodeFile[] {
  requireProject(folder);
  const project = { folder, filesIn };
  return KINDS.flatMap((kind) => {
    const entries = [...entriesOf(project, PROJECT_FILE, kind), ...ownFiles(project, kind)];
    const listed = entries.map(({ file }) => join(folder, file));
    const unlisted = unlistedCode(join(folder, kind), listed).map((one) => ({
      ...one,
      file: relative(folder, one.file),
    }));
    return [...entries, ...unlisted].map((entry) => codeFile(project, cwd, kind, entry));
  });
}

/** Throws a CliError if the folder is no project. */
export function requireProject(folder: string): void {
  if (existsSync(join(folder, PROJECT_FILE))) return;
  const hint = 'Go to the folder of the project, or begin one with `weir init` or `weir export`.';
  throw new CliError(`There is no ${PROJECT_FILE} in ${folder}`, hint);
}

function entriesOf(project: Project, path: string, kind: CodeKind): Entry[] {
  const listed: unknown = (yaml(project, path) as Record<string, unknown> | null)?.[kind] ?? [];
  if (!Array.isArray(listed)) throw new CliError(`${path}: ${kind} must be a list`);
  return listed.map((entry) => checked(path, entry));
}

/** A file for one transformation or library, whose paths begin beside it. */
function ownFiles(project: Project, kind: CodeKind): Entry[] {
  return pathsIn(project.folder, kind)
    .filter((file) => /\.ya?ml$/.test(file))
    .map((path) => {
      const { file, events, ...rest } = checked(path, yaml(project, path));
      const beside = (name: string) => join(dirname(path), name);
      return { ...rest, file: beside(file), ...(events !== undefined && { events: beside(events) }) };
    });
}

/** Paths below the folder of a kind, sorted. `glob` of Node.js is younger than version 20. */
function pathsIn(folder: string, kind: CodeKind): string[] {
  if (!existsSync(join(folder, kind))) return [];
  return readdirSync(join(folder, kind), { recursive: true, encoding: 'utf8' })
    .map((file) => join(kind, file))
    .sort();
}

function checked(path: string, entry: unknown): Entry {
  const { name, file } = (entry ?? {}) as Partial<Entry>;
  if (typeof name === 'string' && typeof file === 'string') return entry as Entry;
  throw new CliError(`${path}: each transformation and library needs a name and a file`);
}

function codeFile(
  project: Project,
  cwd: string,
  kind: CodeKind,
  { name, file, description = '', events }: Entry,
): CodeFile {
  const { folder } = project;
  const beside = (what: 'events' | 'tests') => {
    const path = besideCode(join(folder, file), what);
    return path && relative(folder, path);
  };
  const tests = beside('tests');
  const eventsFile = events ?? beside('events');
  return {
    ...{ kind, name, description, code: text(project, file), path: relative(cwd, join(folder, file)) },
    ...(eventsFile && { events: list(project, eventsFile) }),
    ...(tests && { tests: testsOf(project, tests) }),
  };
}

function testsOf(project: Project, path: string): TestCase[] {
  const read = readTests(text(project, path));
  if (read.problem !== undefined) throw new CliError(`${path}: ${read.problem}`);
  return read.tests;
}

function yaml(project: Project, path: string): unknown {
  const source = text(project, path);
  try {
    return parse(source);
  } catch (error) {
    throw new CliError(`${path} is no YAML: ${(error as Error).message}`);
  }
}

function list(project: Project, path: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(text(project, path));
    if (Array.isArray(value) && value.every(isObject)) return value;
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
  throw new CliError(`${path} must hold a JSON list of objects`);
}

function text({ folder, filesIn }: Project, path: string): string {
  if (filesIn !== undefined && !isInside(filesIn, join(folder, path)))
    throw new CliError(`${path} is outside of the folder ${filesIn}`, `Move it there, or correct ${PROJECT_FILE}.`);
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    throw new CliError(`There is no file ${path}`, `Write it, or correct ${PROJECT_FILE}.`);
  }
}

/** Those with the given names. Without names all of them. */
export function selected(files: readonly CodeFile[], names: readonly string[]): CodeFile[] {
  const missing = names.find((name) => !files.some((file) => file.name === name));
  if (missing !== undefined) {
    throw new CliError(`The project has no code ${missing}`, `It has: ${files.map(({ name }) => name).join(', ')}.`);
  }
  return names.length === 0 ? [...files] : files.filter(({ name }) => names.includes(name));
}
