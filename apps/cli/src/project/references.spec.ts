import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { literal, type References, resolveText, variableName } from './references.js';

const references: References = {
  env: (name) => ({ KEY: 'k-1', LIST: '[1, 2]', BROKEN: '{' })[name],
  file: (path) => (path === 'secrets/key.pem' ? 'pem' : undefined),
};
const resolved = (text: string) => resolveText(text, references);

describe('a reference', () => {
  it.each([
    ['{{ env.KEY }}', 'k-1', ['env.KEY']],
    ['{{env.KEY}}', 'k-1', ['env.KEY']],
    ['Bearer {{ env.KEY }}, {{ file.secrets/key.pem }}', 'Bearer k-1, pem', ['env.KEY', 'file.secrets/key.pem']],
    ['{{ env.LIST as json }}', [1, 2], ['env.LIST']],
    ['{{ event.path || default }}', '{{ event.path || default }}', []],
    ['{{! env.KEY }}', '{{ env.KEY }}', []],
    ['{{!! env.KEY }}', '{{! env.KEY }}', []],
    ['{{! env.KEY as json }}', '{{ env.KEY as json }}', []],
  ])('%s is %j', (text, value, from) => {
    expect(resolved(text)).toEqual({ value, from, problems: [] });
  });

  it.each([
    ['{{ env.NOWHERE }}', 'set the variable NOWHERE in the environment, or in a file that --env-file names'],
    ['{{ file.nowhere }}', 'create the file nowhere'],
    ['{{ env.BROKEN as json }}', 'give env.BROKEN a value that is JSON, because the reference says "as json"'],
  ])('%s says what to do', (text, problem) => {
    expect(resolved(text).problems).toEqual([problem]);
  });

  it('is never read from a text that was made literal', () => {
    const part = fc.constantFrom('{{', '}}', '!', ' env.KEY ', ' file.a ', ' as json ', 'x');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        expect(resolved(literal(text))).toEqual({ value: text, from: [], problems: [] });
      }),
    );
  });
});

it.each([
  [['My hook', 'headers', '0', 'to'], 'MY_HOOK_HEADERS_0_TO'],
  [['Braze', 'restApiKey'], 'BRAZE_REST_API_KEY'],
  [['7 days'], '_7_DAYS'],
  [['ü'], '_'],
  [['path'], 'SECRET_PATH'],
  [['WEIR_TOKEN'], 'SECRET_WEIR_TOKEN'],
])('%j is the variable %s', (words, name) => {
  expect(variableName(...words)).toBe(name);
});
