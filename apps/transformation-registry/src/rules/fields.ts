import { AppError, CODE_BYTES_MAX, invalidField, NAME_CHARS_MAX } from '@weir/contracts';
import { codeSizeProblem, importNameOf, readImports } from '@weir/imports';

/** Characters of a description, which is shown beside the name and is not a document. */
export const DESCRIPTION_CHARS_MAX = 4_096;

/** Refuses a blank name, and returns the name without surrounding space. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField('name', 'must not be empty');
  return checkText('name', name, NAME_CHARS_MAX);
}

export const checkDescription = (description: string): string =>
  checkText('description', description, DESCRIPTION_CHARS_MAX);

export const checkExternalId = (externalId: string): string => checkText('externalId', externalId, NAME_CHARS_MAX);

/** An object begins with code. A later draft may be empty, because drafts are stored without running them (ruling 5). */
export function requireCode(code: string): void {
  if (code.trim() === '') throw invalidField('code', 'must not be empty');
}

export function checkCode(code: string): string {
  const problem = codeSizeProblem(code);
  if (problem !== undefined) throw new AppError('too_large', problem);
  return checkText('code', code, CODE_BYTES_MAX);
}

/** PostgreSQL cannot store U+0000 in text. */
function checkText(field: string, text: string, charsMax: number): string {
  if (text.length > charsMax)
    throw invalidField(field, `must have at most ${charsMax} characters, and has ${text.length}`);
  if (text.includes('\u0000')) throw invalidField(field, 'must not contain the character U+0000');
  return text;
}

/** The import name of a library. Refuses a name that nothing could import. */
export function checkedImportName(libraryName: string): string {
  const importName = importNameOf(libraryName);
  if (importName === '')
    throw invalidField('name', 'must contain a letter or a digit, because the import name is made of them');
  return importName;
}

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
