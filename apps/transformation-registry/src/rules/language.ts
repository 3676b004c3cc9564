import { AppError, invalidField } from '@weir/contracts';
import { init, parse } from 'es-module-lexer';

/** The only language that runs, and so the only one that is stored. */
export const JAVASCRIPT = 'javascript';

/** Checks the language of a new object. */
export function checkLanguage(language: string = JAVASCRIPT): string {
  if (language === JAVASCRIPT) return language;
  throw invalidField('language', `must be ${JAVASCRIPT}: no other language runs here`);
}

/** A language never changes (ruling 7). */
export function checkLanguageKept(stored: { name: string; language: string }, asked: string | undefined): void {
  if (asked !== undefined && asked !== stored.language) {
    throw invalidField('language', `cannot change: it is ${stored.language}; create a new one instead`);
  }
  checkRunnable(stored.name, stored.language);
}

/** Earlier releases kept drafts of other languages. */
export function checkRunnable(name: string, language: string): void {
  if (language === JAVASCRIPT) return;
  throw new AppError('unsupported', `${name} is written in ${language}: only ${JAVASCRIPT} runs here`);
}

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
