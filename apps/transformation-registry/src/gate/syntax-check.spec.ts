import { describe, expect, it } from '@jest/globals';
import { syntaxProblem } from './syntax-check.js';

describe('syntaxProblem', () => {
  it.each([
    ['nothing', ''],
    ['a transformation', 'export function transformEvent(event) { return event; }'],
    ['an import of what nobody has', 'import { a } from "ghost"; export const b = a;'],
    ['code that fails when it runs', 'throw new SyntaxError("later");'],
    ['top-level await', 'await null;'],
  ])('finds none in %s', (_, code) => {
    expect(syntaxProblem(code)).toBeUndefined();
  });

  it.each([
    ['an open bracket', 'export function transformEvent(', 'Unexpected token (1:31)'],
    ['another language', 'def transformEvent(event, metadata):\n  return event', 'Unexpected token (1:4)'],
    ['two declarations of one name', 'const a = 1;\nconst a = 2;', "'a' has already been declared (2:6)"],
  ])('says where it is in %s', (_, code, problem) => {
    expect(syntaxProblem(code)).toContain(problem);
  });
});
