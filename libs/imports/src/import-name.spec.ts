import { expect, it } from '@jest/globals';
import { importNameOf } from './import-name.js';

it.each([
  ['Currency Rates3', 'currencyRates3'],
  ['HTTP helpers V2', 'httpHelpersV2'],
  ['snake_case-and kebab', 'snakeCaseAndKebab'],
  ['alreadyCamel', 'alreadyCamel'],
  ['Größe', 'grosse'],
  ['1st Place', '1stPlace'],
  ['my 2nd helper', 'my2ndHelper'],
  ['TOP 3RD quartile', 'top3rdQuartile'],
  ['11th hour', '11ThHour'],
  ['v21st', 'v21st'],
])('%s is imported as %s', (name, importName) => {
  expect(importNameOf(name)).toBe(importName);
});
