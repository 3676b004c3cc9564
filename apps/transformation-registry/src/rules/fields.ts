import { AppError, CODE_BYTES_MAX, invalidField } from '@weir/contracts';
import camelCase from 'lodash-es/camelCase.js';

/** Characters of names and external ids. Names appear in stack traces and lists. */
export const NAME_CHARS_MAX = 256;
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

export function checkCode(code: string): string {
  if (code.trim() === '') throw invalidField('code', 'must not be empty');
  const bytes = Buffer.byteLength(JSON.stringify(code));
  if (bytes > CODE_BYTES_MAX) {
    throw new AppError(
      'too_large',
      `code takes ${bytes} bytes as JSON: shorten it to ${CODE_BYTES_MAX}, or move parts to a library`,
    );
  }
  return checkText('code', code, CODE_BYTES_MAX);
}

/** PostgreSQL cannot store U+0000 in text. */
function checkText(field: string, text: string, charsMax: number): string {
  if (text.length > charsMax)
    throw invalidField(field, `must have at most ${charsMax} characters, and has ${text.length}`);
  if (text.includes('\u0000')) throw invalidField(field, 'must not contain the character U+0000');
  return text;
}

/** The import name of a library: lodash's camelCase of its name, as real clients compute it (ruling 7). */
export function importNameOf(libraryName: string): string {
  const importName = camelCase(libraryName);
  if (importName === '')
    throw invalidField('name', 'must contain a letter or a digit, because the import name is made of them');
  return importName;
}
