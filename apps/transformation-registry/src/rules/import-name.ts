import { invalidField } from '@weir/contracts';
import camelCase from 'lodash-es/camelCase.js';

/** The import name of a library: lodash's camelCase of its name, as real clients compute it (ruling 7). */
export function importNameOf(libraryName: string): string {
  const importName = camelCase(libraryName);
  if (importName === '')
    throw invalidField('name', 'must contain a letter or a digit: the import name is made of them');
  return importName;
}
