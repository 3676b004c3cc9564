import { visible } from './diff-code.js';
import { addVariable, by, emptyProject, type FileProject, filesOf } from './files.js';
import { type Json, type JsonObject, mapTexts } from './json.js';
import { envReference, literal, variableName } from './references.js';
import type { Actual } from './resources.js';

export interface Exported {
  /** Path of a file to its text. */
  files: Record<string, string>;
  /** Variables of the environment that the files refer to, with the place that needs them. */
  variables: Record<string, string>;
  problems: string[];
}

export interface ExportOptions {
  /** Write keys are unique over all workspaces, so files for several workspaces leave them out. */
  writeKeys?: boolean;
}

/** The files of a workspace. The same workspace always gives the same files. */
export function exportProject(actual: Actual, { writeKeys = false }: ExportOptions = {}): Exported {
  const project = emptyProject();
  project.credentials = actual.credentials.toSorted(by(({ key }) => key)).map((one) => credentialOf(one, project));
  project.sources = actual.sources.map((source) => sourceOf(source, writeKeys));
  project.destinations = actual.destinations
    .toSorted(by(({ name }) => name))
    .map((one) => destinationOf(one, actual, project));
  project.connections = actual.connections.map(({ source, destination, enabled }) => ({
    ...{ source, destination },
    ...(!enabled && { enabled }),
  }));
  project.transformations = visible(actual.transformations).filter(({ isPublished }) => isPublished);
  project.libraries = visible(actual.libraries).filter(({ isPublished }) => isPublished);
  const folders = ['sources', 'destinations', 'transformations', 'libraries'] as const;
  const problems = folders.flatMap((folder) => namesakes(folder, project[folder]));
  return { files: filesOf(project), variables: project.variables, problems };
}

function namesakes(folder: string, resources: readonly { name: string }[]): string[] {
  const names = resources.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return [...twice].map((name) => `${folder}: "${name}" is there twice. Rename one of them first`);
}

function sourceOf(source: Actual['sources'][number], writeKeys: boolean) {
  const { name, type, enabled, config, transient, geoEnrichment, partitions, privacy, writeKey } = source;
  return {
    ...{ name, type },
    ...(!enabled && { enabled }),
    ...(transient && { transient }),
    ...(geoEnrichment && { geoEnrichment }),
    ...(partitions !== 1 && { partitions }),
    ...(writeKeys && { writeKey: literal(writeKey) }),
    ...(Object.keys(config).length > 0 && { config: mapTexts(config, literal) }),
    // always, because workspaces may differ in what a new source has
    privacy,
  };
}

function destinationOf(destination: Actual['destinations'][number], actual: Actual, project: FileProject) {
  const { name, type, enabled, transformation } = destination;
  const config = withReferences(destination.config, actual.kinds[type]?.secretKeys ?? [], (path, value) => {
    const variable = addVariable(project, variableName(name, ...path), `destination "${name}": ${path.join('.')}`);
    return envReference(variable, typeof value !== 'string');
  });
  return {
    ...{ name, type },
    ...(!enabled && { enabled }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(transformation !== undefined && { transformation }),
  };
}

type Refer = (path: string[], secret: Json) => string;

/**
 * A configuration with references in place of secrets. Empty values are not secrets. Other texts stay what they are, unless `written`
 * says how files have them.
 */
export function withReferences(
  config: JsonObject,
  secretKeys: readonly string[],
  refer: Refer,
  written: (text: string) => string = literal,
): JsonObject {
  const keys = new Set(secretKeys);
  const at = (value: Json, path: string[]): Json => {
    const isSecret = keys.has(path.filter((key) => !/^\d+$/.test(key)).join('.'));
    if (isSecret && value !== null && value !== '' && !Array.isArray(value)) return refer(path, value);
    if (typeof value === 'string') return written(value);
    if (Array.isArray(value)) return value.map((one, index) => at(one, [...path, String(index)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, at(one, [...path, key])]));
  };
  return at(config, []) as JsonObject;
}

function credentialOf({ key, secret, value }: Actual['credentials'][number], project: FileProject) {
  if (!secret && value !== undefined) return { key, value: literal(value), secret };
  return { key, value: envReference(addVariable(project, variableName(key), `credential "${key}"`)) };
}
