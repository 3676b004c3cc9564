import { init, parse } from 'es-module-lexer';
import { JAVASCRIPT } from './language.js';

await init();

/**
 * Names that the code imports statically, each once, in order of appearance. Executes nothing. Code that does not parse imports
 * nothing, and running it reports the syntax error.
 */
export function extractImports(code: string, language: string): string[] {
  if (language !== JAVASCRIPT) return [];
  return [
    ...new Set(importsOf(code).flatMap(({ type, specifier }) => (isStatic(type) && specifier ? [specifier] : []))),
  ];
}

const isStatic = (type: string) => type === 'static' || type === 'reexport-star';

function importsOf(code: string) {
  try {
    return parse(code)[0];
  } catch {
    return [];
  }
}
