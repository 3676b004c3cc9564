import { stringify } from 'yaml';
import type { TestCase } from './code-files.js';
import type { JsonObject } from './json.js';

interface Named {
  name: string;
}
export interface SourceInFile extends Named {
  writeKey?: string;
}
export interface DestinationInFile extends Named {
  type: string;
  enabled?: boolean;
  config?: JsonObject;
  transformation?: string;
}
interface CodeInFile extends Named {
  description: string;
  code: string;
  tests?: TestCase[];
}

/** The resources of a project in the form of its files, with references in place of secrets. */
export interface FileProject {
  sources: SourceInFile[];
  destinations: DestinationInFile[];
  connections: { source: string; destination: string; enabled?: boolean }[];
  transformations: CodeInFile[];
  libraries: CodeInFile[];
  credentials: { key: string; value: string; secret?: boolean }[];
  /** Variables of the environment that the files refer to, with the place that needs them. */
  variables: Record<string, string>;
}

export const emptyProject = (): FileProject => ({
  ...{ sources: [], destinations: [], connections: [], transformations: [], libraries: [] },
  ...{ credentials: [], variables: {} },
});

/** Paths of files with their texts. The same resources always give the same files. */
export function filesOf(project: FileProject): Record<string, string> {
  const { credentials, connections, variables } = project;
  const files: Record<string, string> = {
    'weir.yaml': yaml({
      version: 1,
      ...(credentials.length > 0 && { credentials: credentials.toSorted(by(({ key }) => key)) }),
      ...(connections.length > 0 && { connections: connections.toSorted(by(endsOf)) }),
    }),
  };
  for (const folder of ['sources', 'destinations'] as const)
    for (const one of (project[folder] as Named[]).toSorted(by(({ name }) => name)))
      files[`${freePath(files, folder, one)}.yaml`] = yaml(one);
  for (const folder of ['transformations', 'libraries'] as const)
    for (const { name, description, code, tests = [] } of project[folder].toSorted(by((one) => one.name))) {
      const path = freePath(files, folder, { name });
      files[`${path}.js`] = code;
      if (tests.length > 0) files[`${path}.tests.json`] = `${JSON.stringify(tests, null, 2)}\n`;
      const file = `./${path.split('/').at(-1)}.js`;
      files[`${path}.yaml`] = yaml({ name, ...(description !== '' && { description }), file });
    }
  const needed = Object.entries(variables).map(([name, place]) => `# ${JSON.stringify(place)}\n${name}=\n`);
  return needed.length > 0 ? { ...files, 'env.example': needed.join('') } : files;
}

/** A variable that nothing else uses yet. */
export function addVariable({ variables }: FileProject, name: string, place: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}_${number}`;
    if (variables[free] !== undefined) continue;
    variables[free] = place;
    return free;
  }
}

export const by =
  <T>(key: (one: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

const endsOf = ({ source, destination }: FileProject['connections'][number]): string => `${source}\n${destination}`;
const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** The name of a file follows from that of the resource, and a number tells namesakes apart. */
function freePath(files: Record<string, string>, folder: string, { name }: Named): string {
  for (let number = 1; ; number++) {
    const free = `${folder}/${fileName(name)}${number === 1 ? '' : `-${number}`}`;
    if (files[`${free}.yaml`] === undefined) return free;
  }
}

const FILE_NAME_MAX = 80;
const fileName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, FILE_NAME_MAX)
    .replaceAll(/^-|-$/g, '') || 'unnamed';
