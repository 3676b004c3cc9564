import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isObject, type JsonObject, mapTexts } from '../project/json.js';
import { envReference, literal } from '../project/references.js';

/** One document of the incumbent's project files. */
export interface Document {
  /** Name for the report: the file, and a number if it holds several documents. */
  title: string;
  /** With the values of variables. Settings of destinations refer to them instead, as files of Weir do. */
  content: JsonObject;
  kind: string;
  /** Reads a file that the document names. */
  read(path: string): string | undefined;
  /** JSON files directly in a folder that the document names, in order of their names. */
  filesIn(path: string): JsonFile[];
}

/** A file of JSON. Without `json`, it is none. */
export interface JsonFile {
  name: string;
  json: unknown;
}

export interface ProjectFiles {
  documents: Document[];
  /** Values of `*.vars.yaml` files. */
  variables: Record<string, string>;
  /** Names of variables that several of these files have, with different values. The last one counts. */
  contested: string[];
}

const VARIABLE = /\{\{\s*\.([\w-]+)\s*\}\}/g;

/** Reads a folder of the incumbent's command line. Files of variables are not resources. */
export function readProjectFiles(folder: string): ProjectFiles {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && !file.split(/[\\/]/).includes('node_modules'))
    .map((file) => join(folder, file))
    .toSorted();
  const isVariables = (file: string) => /\.vars\.ya?ml$/.test(file);
  const read = files.filter(isVariables).map(variablesIn);
  const variables: Record<string, string> = Object.assign({}, ...read);
  return {
    documents: files.filter((file) => !isVariables(file)).flatMap((file) => documentsOf(folder, file, variables)),
    variables,
    contested: Object.keys(variables).filter((name) =>
      read.some((values) => Object.hasOwn(values, name) && values[name] !== variables[name]),
    ),
  };
}

/** Names of variables in a text that have no value. */
export const openVariables = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name]) => String(name))),
];

function documentsOf(folder: string, file: string, variables: ProjectFiles['variables']): Document[] {
  const all = parseAllDocuments(readFileSync(file, 'utf8'));
  return [...all].flatMap((document, at, { length }) => {
    const content: unknown = document.toJS();
    if (!isObject(content)) return [];
    const title = `${relative(folder, file)}${length > 1 ? `#${at + 1}` : ''}`;
    const read = (path: string) => textOf(join(dirname(file), path));
    const filesIn = (path: string) => jsonFilesIn(join(dirname(file), path));
    const ours = mapTexts(content, (text, [part, key]) =>
      part === 'spec' && key === 'config'
        ? literal(text).replace(VARIABLE, (_, name: string) => envReference(name))
        : text.replace(VARIABLE, (open, name: string) =>
            Object.hasOwn(variables, name) ? String(variables[name]) : open,
          ),
    );
    return [{ title, content: ours as JsonObject, kind: String(content['kind']), read, filesIn }];
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function jsonFilesIn(folder: string): JsonFile[] {
  const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => ({ name, json: parsed(textOf(join(folder, name)) ?? '') }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function variablesIn(file: string): Record<string, string> {
  const [document] = parseAllDocuments(readFileSync(file, 'utf8'));
  const content: unknown = document && 'toJS' in document ? document.toJS() : undefined;
  if (!isObject(content)) return {};
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
