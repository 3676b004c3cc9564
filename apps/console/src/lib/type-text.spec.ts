import { expect, it } from '@jest/globals';
import { typeText } from './type-text.js';

it('types have the names of JSON, one or several', () => {
  expect(['string', 'float64', 'bool,float64,string'].map(typeText)).toEqual([
    'string',
    'number',
    'boolean or number or string',
  ]);
});
