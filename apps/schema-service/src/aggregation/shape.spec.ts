import { expect, it } from '@jest/globals';
import { Flattener } from './flatten.js';
import { PathTrie } from './path-trie.js';
import { shapeOf, typeNames } from './shape.js';

const hashOf = (event: Record<string, unknown>) => {
  const leaves = new Flattener(new PathTrie()).flatten(event);
  return leaves && shapeOf(leaves).hash;
};

it('is the same in every process', () => {
  expect(hashOf({ b: 'x', a: { c: 1 } })).toBe(hashOf({ a: { c: 2 }, b: 'y' }));
  expect(hashOf({})).toBe('4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'); // SHA-256 of `[]`
});

it('tells shapes apart whatever separators their keys hold', () => {
  const shapes = [{ 'a:string,b': 'x' }, { a: 'x', b: 'x' }, { 'a","string"],["b': 'x' }, { a: 'x', b: 1 }];
  expect(new Set(shapes.map(hashOf)).size).toBe(shapes.length);
});

it('names types in one order', () => {
  expect([1, 2, 4, 3, 7].map(typeNames)).toEqual([
    'string',
    'float64',
    'bool',
    'float64,string',
    'bool,float64,string',
  ]);
});
