import { AppError, invalidField } from '@weir/contracts';
import { readImports } from '@weir/imports';

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

/** Names that the code imports. Code of other languages, which earlier releases kept, imports nothing. */
export const importsOf = (code: string, language: string): string[] =>
  language === JAVASCRIPT ? readImports(code) : [];
