import { expect, it } from '@jest/globals';
import { type DestinationDefinition, ListDefinitions } from '@weir/contracts';
import { pageOfDefinitions } from './runner.controller.js';

const [example] = ListDefinitions.example.reply.definitions;
const definitions = ['A', 'B', 'C'].map((name) => ({ ...example, name }) as DestinationDefinition);
const namesOf = (after?: string) => {
  const page = pageOfDefinitions(definitions, after, 2);
  return [page.definitions.map(({ name }) => name), page.next];
};

it('pageOfDefinitions goes on behind the last name until nothing is left', () => {
  expect(namesOf()).toEqual([['A', 'B'], 'B']);
  expect(namesOf('B')).toEqual([['C'], undefined]);
  expect(namesOf('C')).toEqual([[], undefined]);
});
