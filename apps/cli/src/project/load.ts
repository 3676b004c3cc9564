import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../core/inside.js';
import { besideCode, readTests, type TestCase, unlistedCode } from './code-files.js';
import { isObject, type Json, type JsonObject, mapTexts } from './json.js';
import { type References, referencesIn, resolveText } from './references.js';
import { connectionKey, connectionName, type Desired, type Secrets } from './resources.js';
import { type FileOf, FOLDERS, type Folder, ProjectFile } from './schema.js';
import { type FileProblem, type Place, ProjectError, YamlFile } from './yaml-file.js';

export const PROJECT_FILE = 'weir.yaml';

export interface LoadOptions {
  env: Record<string, string | undefined>;
  /** A destroy needs names only: references without a value do not matter then. */
  namesOnly?: boolean;
  /** The folder that all files have to be in. Without it, they may be anywhere. */
  filesIn?: string | undefined;
}

/** A resource and where it stands. */
interface Entry<Kind extends Folder> {
  value: FileOf<Kind>;
  file: YamlFile;
  path: PropertyKey[];
}

/** Reads a project folder. Throws a ProjectError that names every problem with its file and line. */
export function loadProject(folder: string, options: LoadOptions): Desired {
  return new Loading(folder, referencesIn(folder, options), options).load();
}

class Loading {
  private readonly problems: FileProblem[] = [];

  constructor(
    private readonly folder: string,
    private readonly references: References,
    private readonly options: LoadOptions,
  ) {}

  load(): Desired {
    const entries = this.entries();
    const desired: Desired = {
      sources: entries.sources.map((entry) => this.withConfig(entry)),
      destinations: entries.destinations.map((entry) => ({ ...this.withConfig(entry), placeOf: placesOf(entry) })),
      connections: entries.connections.map(({ value }) => value),
      transformations: entries.transformations.map((entry) => this.withTests(entry)),
      libraries: entries.libraries.map((entry) => this.withCode(entry)),
      credentials: entries.credentials.map((entry) => this.withValue(entry)),
    };
    for (const folder of Object.keys(FOLDERS) as Folder[]) this.refuseDuplicates(folder, entries[folder]);
    if (this.problems.length > 0) throw new ProjectError(this.problems);
    return desired;
  }

  private entries(): { [Kind in Folder]: Entry<Kind>[] } {
    const found = {
      sources: [],
      destinations: [],
      connections: [],
      transformations: [],
      libraries: [],
      credentials: [],
    };
    const entries: { [Kind in Folder]: Entry<Kind>[] } = found;
    const main = join(this.folder, PROJECT_FILE);
    if (!existsSync(main))
      throw new ProjectError([
        { file: main, line: 1, message: 'there is no such file: run `weir init` or `weir export`' },
      ]);
    this.tryFile(main, (file) => {
      // with --prune, a file that was not written to its end would delete a whole workspace
      if (file.isEmpty) throw new ProjectError([file.problem([], 'the file is empty: write `version: 1` at least')]);
      const project = file.read(ProjectFile);
      for (const folder of Object.keys(FOLDERS) as Folder[])
        project[folder].forEach((value, at) => void entries[folder].push({ value, file, path: [folder, at] } as never));
    });
    for (const folder of Object.keys(FOLDERS) as Folder[])
      for (const path of yamlFilesIn(join(this.folder, folder)))
        this.tryFile(path, (file) => {
          entries[folder].push({ value: file.read(FOLDERS[folder]), file, path: [] } as never);
        });
    for (const folder of ['transformations', 'libraries'] as const) {
      const listed = entries[folder].map(({ value, file }) => resolve(dirname(file.file), value.file));
      for (const { name, file } of unlistedCode(join(this.folder, folder), listed))
        entries[folder].push({
          value: { name, description: '', file: basename(file) },
          file: new YamlFile(relative('.', file) || file, ''),
          path: [],
        });
    }
    return entries;
  }

  private tryFile(path: string, read: (file: YamlFile) => void): void {
    this.trying(() => read(new YamlFile(relative('.', path) || path, this.text(path))));
  }

  /** Keeps the problems, so that all are told at once. */
  private trying(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      this.problems.push(...error.problems);
    }
  }

  /** With the references of every text replaced. */
  private withConfig<Kind extends 'sources' | 'destinations'>({ value, file, path }: Entry<Kind>) {
    const secrets: Secrets = {};
    const config = mapTexts(value.config, (text, at) => {
      const resolved = this.resolved(text, file, [...path, 'config', ...at]);
      if (resolved.from.length > 0) secrets[at.join('.')] = resolved.from.join(', ');
      return resolved.value;
    }) as JsonObject;
    return { ...value, ...this.withWriteKey(value, file, path), config, secrets };
  }

  private withWriteKey(value: object, file: YamlFile, path: PropertyKey[]) {
    const written: unknown = Reflect.get(value, 'writeKey');
    if (typeof written !== 'string') return {};
    const { value: writeKey, from } = this.resolved(written, file, [...path, 'writeKey']);
    return { writeKey: String(writeKey), ...(from.length > 0 && { writeKeyFrom: from.join(', ') }) };
  }

  private withValue({ value, file, path }: Entry<'credentials'>) {
    const resolved = this.resolved(value.value, file, [...path, 'value']);
    if (value.secret && resolved.from.length === 0)
      this.problems.push(
        file.problem(
          [...path, 'value'],
          `credential "${value.key}" is a secret: write {{ env.NAME }} in place of its value`,
        ),
      );
    const secrets: Secrets = resolved.from.length > 0 ? { value: resolved.from.join(', ') } : {};
    return { ...value, value: asText(resolved.value), secrets };
  }

  private resolved(text: string, file: YamlFile, path: PropertyKey[]) {
    const resolved = resolveText(text, this.references);
    if (!this.options.namesOnly)
      for (const problem of resolved.problems) this.problems.push(file.problem(path, `${text}: ${problem}`));
    return resolved;
  }

  private withCode<Kind extends 'transformations' | 'libraries'>({ value, file, path }: Entry<Kind>) {
    const { file: codeFile, ...rest } = value;
    return { ...rest, code: this.beside(file, [...path, 'file'], codeFile) };
  }

  /** A transformation is tested on the events that its file names, or on those beside its code, and by the tests beside it. */
  private withTests(entry: Entry<'transformations'>) {
    const { value, file, path } = entry;
    const folder = dirname(file.file);
    const found = besideCode(resolve(folder, value.file), 'events');
    const events = value.events ?? (found && relative(folder, found));
    const tests = besideCode(resolve(folder, value.file), 'tests');
    const transformation = {
      ...{ ...this.withCode(entry), events: undefined },
      ...(tests !== undefined && { tests: this.testsOf(relative('.', tests) || tests) }),
    };
    return events === undefined
      ? transformation
      : { ...transformation, events: this.eventsOf(file, [...path, 'events'], events) };
  }

  /** Throws a ProjectError if the file has to be elsewhere. */
  private text(path: string): string {
    const { filesIn } = this.options;
    if (filesIn === undefined || isInside(filesIn, path)) return readFileSync(path, 'utf8');
    const message = `it is outside of the folder ${filesIn}: move it there`;
    throw new ProjectError([{ file: relative('.', path) || path, line: 1, message }]);
  }

  private testsOf(file: string): TestCase[] {
    let tests: TestCase[] = [];
    this.trying(() => {
      const read = readTests(this.text(file));
      if (read.problem !== undefined) throw new ProjectError([{ file, line: 1, message: read.problem }]);
      tests = read.tests;
    });
    return tests;
  }

  private eventsOf(file: YamlFile, path: PropertyKey[], name: string): JsonObject[] {
    try {
      const events: unknown = JSON.parse(this.beside(file, path, name) || '[]');
      if (Array.isArray(events) && events.every(isObject)) return events;
    } catch {
      // told below: the file is not what it has to be
    }
    this.problems.push(file.problem(path, `${name} must hold a JSON list of events`));
    return [];
  }

  private beside(file: YamlFile, path: PropertyKey[], name: string): string {
    try {
      return this.text(resolve(dirname(file.file), name));
    } catch (error) {
      if (error instanceof ProjectError) {
        this.problems.push(...error.problems);
        return '';
      }
      this.problems.push(
        file.problem(path, `there is no file ${name} beside ${file.file}: create it or correct the path`),
      );
      return '';
    }
  }

  private refuseDuplicates(folder: Folder, entries: Entry<Folder>[]): void {
    const seen = new Map<string, Entry<Folder>>();
    for (const entry of entries) {
      const [key, name] = nameOf(entry.value);
      const first = seen.get(key);
      if (first)
        this.problems.push(
          entry.file.problem(entry.path, `${folder}: "${name}" is also in ${first.file.file}: rename or remove one`),
        );
      else seen.set(key, entry);
    }
  }
}

/** At any depth, in order of their names. */
function yamlFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => join(folder, file))
    .toSorted();
}

/** Where the settings of a resource stand. */
const placesOf =
  ({ file, path }: Entry<'destinations'>) =>
  (setting: readonly string[]): Place =>
    file.place([...path, 'config', ...setting]);

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The key by which a resource differs from others of its folder, and its name for people. */
function nameOf(value: FileOf<Folder>): [key: string, name: string] {
  if ('source' in value) return [connectionKey(value), connectionName(value)];
  const name = 'key' in value ? value.key : value.name;
  return [name, name];
}
