import { type Import, parse } from 'es-module-lexer/js';

/**
 * Names that JavaScript imports statically, each once, in order of appearance. Executes nothing. Code that does not parse imports
 * nothing, and running it reports the syntax error.
 */
export function readImports(code: string): string[] {
  return [
    ...new Set(importsOf(code).flatMap(({ type, specifier }) => (STATIC.has(type) && specifier ? [specifier] : []))),
  ];
}

const STATIC: ReadonlySet<string> = new Set(['static', 'reexport-star']);

function importsOf(code: string): readonly Import[] {
  try {
    return parse(code)[0];
  } catch {
    return [];
  }
}
