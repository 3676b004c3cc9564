import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInside } from '../core/inside.js';
import type { Json } from './json.js';

/**
 * `{{ env.NAME }}` stands for a variable of the environment, `{{ file.path }}` for the text of a file beside `weir.yaml`. `as json`
 * reads the text as JSON. Other braces are the customer's own: destinations read `{{ event.path }}`. `{{! env.NAME }}` is that text itself.
 */
const REFERENCE = /\{\{(!*)\s*(env|file)\.([^\s{}]+)(\s+as\s+json)?\s*\}\}/g;

/** Finds the value of a reference. Undefined if there is none. */
export interface References {
  env(name: string): string | undefined;
  file(path: string): string | undefined;
  /** Says after the name of a file that is missing where it has to be. */
  where?: string;
}

/** A text with its references replaced. */
export interface ResolvedText {
  value: Json;
  /** Such as `env.NAME`. Empty if the text is as it was written. */
  from: string[];
  /** How to treat references without a value. */
  problems: string[];
}

export function resolveText(text: string, references: References): ResolvedText {
  const from: string[] = [];
  const problems: string[] = [];
  const lookUp = (kind: string, name: string): string => {
    from.push(`${kind}.${name}`);
    const value = kind === 'env' ? references.env(name) : references.file(name);
    if (value !== undefined) return value;
    problems.push(
      kind === 'env'
        ? `set the variable ${name} in the environment, or in a file that --env-file names`
        : `create the file ${name}${references.where ?? ''}`,
    );
    return '';
  };
  const whole = [...text.matchAll(REFERENCE)].find(([match, , , , asJson]) => asJson && match === text);
  if (whole && !whole[1]) {
    const found = lookUp(String(whole[2]), String(whole[3]));
    const value = problems.length > 0 ? null : parsed(found, problems, from);
    return { value, from, problems };
  }
  const value = text.replace(REFERENCE, (match, marks: string, kind: string, name: string) =>
    marks === '' ? lookUp(kind, name) : match.replace('{{!', '{{'),
  );
  return { value, from, problems };
}

function parsed(text: string, problems: string[], [name]: string[]): Json {
  try {
    return JSON.parse(text);
  } catch {
    problems.push(`give ${name} a value that is JSON, because the reference says "as json"`);
    return null;
  }
}

export const hasReference = (text: string): boolean =>
  resolveText(text, { env: () => '', file: () => '' }).from.length > 0;

/** A text that resolves to itself. */
export const literal = (text: string): string => text.replace(REFERENCE, (match) => match.replace('{{', '{{!'));

/** A text whose variables of the environment stand for a secret. */
export const envReference = (name: string, asJson = false): string => `{{ env.${name}${asJson ? ' as json' : ''} }}`;

/** Variables that shells, systems and Weir itself set. An export must not ask for one, because it already holds another value. */
const TAKEN =
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TERM|LANG|TZ|TMPDIR|TMP|TEMP|HOSTNAME|EDITOR|MAIL|CI|NO_COLOR|FORCE_COLOR)$|^(HTTPS?|NO|ALL)_PROXY$|^(GITHUB_(TOKEN|SHA|ACTIONS)|CI_COMMIT_SHA)$|^(WEIR|NODE|NPM|XDG|LC|SSL|LD)_/;

/** A name of a variable from words: `My hook`, `headers`, `0` is `MY_HOOK_HEADERS_0`. */
export const variableName = (...words: string[]): string => {
  const name = words
    .join('_')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
  if (TAKEN.test(name)) return `SECRET_${name}`;
  return /^\d|^$/.test(name) ? `_${name}` : name;
};

/** References to the environment, and to files below `folder`. One line end at the end of a file is not part of the value. */
export function referencesIn(
  folder: string,
  { env, filesIn }: { env: Record<string, string | undefined>; filesIn?: string | undefined },
): References {
  return {
    env: (name) => env[name],
    ...(filesIn !== undefined && { where: `, in the folder ${filesIn}` }),
    file: (path) => {
      if (filesIn !== undefined && !isInside(filesIn, resolve(folder, path))) return undefined;
      try {
        return readFileSync(resolve(folder, path), 'utf8').replace(/\r?\n$/, '');
      } catch {
        return undefined;
      }
    },
  };
}
