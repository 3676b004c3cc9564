import { describe, expect, it } from '@jest/globals';
import { completionOf } from './completion.js';

const FIELDS = [
  { path: 'type', type: 'string' },
  { path: 'properties.price', type: 'number' },
  { path: 'properties.price', type: 'string' },
  { path: 'properties.cart.items', type: 'array' },
  { path: 'properties.not-a-name', type: 'string' },
  { path: 'context.traits.email', type: 'string' },
];

/** Labels with their types, at the `|` of the code. */
function at(marked: string) {
  const [before = '', after = ''] = marked.split('|');
  const found = completionOf(before, before + after, FIELDS, ['money', 'tools']);
  return (
    found && { word: before.slice(found.from), options: found.options.map(({ label, detail }) => [label, detail]) }
  );
}

const PROPERTIES = [
  ['price', 'number | string'],
  ['cart', 'object'],
];

describe('completion', () => {
  it('offers the keys of events that were seen, with their types', () => {
    expect(at('return event.|')).toEqual({
      word: '',
      options: [
        ['type', 'string'],
        ['properties', 'object'],
        ['context', 'object'],
      ],
    });
    expect(at('if (event.properties?.pr|)')).toEqual({ word: 'pr', options: PROPERTIES });
    expect(at('event.context?.traits?.|')?.options).toEqual([['email', 'string']]);
  });

  it('knows the parameter by its own name, and variables that hold a part', () => {
    expect(at('export function transformEvent(e, metadata) { e.properties.| }')?.options).toEqual(PROPERTIES);
    expect(at('export const transformEvent = (e) => { const p = e.properties;\n p.| }')?.options).toEqual(PROPERTIES);
    expect(at('const p = event.properties ?? {};\nconst c = p.cart;\nc.|')?.options).toEqual([['items', 'array']]);
  });

  it('offers import names behind from, and nothing elsewhere', () => {
    expect(at("import { a } from 'mo|")).toEqual({
      word: 'mo',
      options: [
        ['money', undefined],
        ['tools', undefined],
      ],
    });
    for (const other of ['Math.|', 'other.properties.|', 'event|', '3.|', '']) expect(at(other)).toBeUndefined();
  });
});
