import camelCase from 'lodash-es/camelCase.js';

/** The name by which code imports a library: lodash's camelCase of its name, as real clients compute it (ruling 7). */
export const importNameOf = (libraryName: string): string => camelCase(libraryName);
