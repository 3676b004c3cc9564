import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isObject, type JsonObject, mapTexts } from '../project/json.js';
import { envReference } from '../project/references.js';

/** One document of the incumbent's project files. */
export interface Document {
  /** Name for the report: the file, and a number if it holds several documents. */
  title: string;
  /** With each `{{ .NAME }}` as a reference of ours. */
  content: JsonObject;
  kind: string;
  /** Reads a file that the document names. */
  read(path: string): string | undefined;
}

export interface ProjectFiles {
  documents: Document[];
  /** Values of `*.vars.yaml` files. */
  variables: Record<string, string>;
}

const VARIABLE = /\{\{\s*\.([\w-]+)\s*\}\}/g;

/** Reads a folder of the incumbent's command line. Files of variables are not resources. */
export function readProjectFiles(folder: string): ProjectFiles {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && !file.split('/').includes('node_modules'))
    .map((file) => join(folder, file))
    .toSorted();
  const isVariables = (file: string) => /\.vars\.ya?ml$/.test(file);
  return {
    documents: files.filter((file) => !isVariables(file)).flatMap((file) => documentsOf(folder, file)),
    variables: Object.assign({}, ...files.filter(isVariables).map(variablesIn)),
  };
}

function documentsOf(folder: string, file: string): Document[] {
  const all = parseAllDocuments(readFileSync(file, 'utf8'));
  return [...all].flatMap((document, at, { length }) => {
    const content: unknown = document.toJS();
    if (!isObject(content)) return [];
    const title = `${relative(folder, file)}${length > 1 ? `#${at + 1}` : ''}`.replaceAll('.', '_');
    const read = (path: string) => textOf(join(dirname(file), path));
    const ours = mapTexts(content, (text) => text.replace(VARIABLE, (_, name: string) => envReference(name)));
    return [{ title, content: ours as JsonObject, kind: String(content['kind']), read }];
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
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
