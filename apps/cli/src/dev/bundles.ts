import { type Node, parse } from 'acorn';
import camelCase from 'lodash-es/camelCase.js';
import type { CodeFile } from '../code/folder.js';

/** Code with every library that it reaches, as a server puts them together for a run. */
export interface Bundle {
  key: string;
  name: string;
  code: string;
  libraries: { importName: string; code: string }[];
}

/** A bundle, or why there is none, in the words of a server. */
export type Bundled = { bundle: Bundle; problem?: undefined } | { bundle?: undefined; problem: string };

/** The name by which code imports a library: that of the server. */
export const importNameOf = (libraryName: string): string => camelCase(libraryName);

/** Bundles a file. A library is checked under its import name, which an import in a circle can lead back to. */
export function bundleOf(file: CodeFile, files: readonly CodeFile[]): Bundled {
  const libraries = new Map(
    files.filter(({ kind }) => kind === 'libraries').map(({ name, code }) => [importNameOf(name), code]),
  );
  const isLibrary = file.kind === 'libraries';
  const name = isLibrary ? importNameOf(file.name) : file.name;
  const reached = new Map<string, string>();
  const problem = follow(importsOf(file.code), isLibrary ? [name] : [], libraries, reached);
  if (problem !== undefined) return { problem };
  const parts = [...reached].map(([importName, code]) => ({ importName, code }));
  return { bundle: { key: JSON.stringify([name, file.code, parts]), name, code: file.code, libraries: parts } };
}

function follow(
  imports: readonly string[],
  path: readonly string[],
  libraries: ReadonlyMap<string, string>,
  reached: Map<string, string>,
): string | undefined {
  for (const name of imports) {
    if (path.includes(name)) return circle([...path.slice(path.indexOf(name)), name]);
    if (reached.has(name)) continue;
    const code = libraries.get(name);
    if (code === undefined) return missing(name, libraries);
    reached.set(name, code);
    const problem = follow(importsOf(code), [...path, name], libraries, reached);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const circle = (names: string[]): string =>
  `libraries import each other in a circle: ${names.join(' -> ')}. Remove one of these imports.`;

function missing(name: string, libraries: ReadonlyMap<string, string>): string {
  const meant = importNameOf(name);
  return `import from ${name} failed. Module not found.${libraries.has(meant) ? ` Did you mean ${meant}?` : ''}`;
}

const FROM = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']);

/** Static imports, each once, in order. Code that does not parse has none: its run tells why. */
function importsOf(code: string): string[] {
  try {
    const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    const names = body.filter(({ type }) => FROM.has(type)).flatMap((node) => sourceOf(node));
    return [...new Set(names)];
  } catch {
    return [];
  }
}

function sourceOf(node: Node): string[] {
  const value: unknown = Reflect.get(Object(Reflect.get(node, 'source')), 'value');
  return typeof value === 'string' ? [value] : [];
}
