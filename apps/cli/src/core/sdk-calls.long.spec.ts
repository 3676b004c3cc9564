import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { withSdkCalls } from './sdk-calls.js';

const TYPES = `/** "track Seat chosen" */
export type TrackSeatChosen = {
  properties?: { price: number };
};

/** "track *\\/ \\"odd\\"" */
export type TrackOdd = { messageId: string };

/** "identify" */
export type Identify = { context?: { traits?: { plan: string } } };
`;

/** Diagnostics of the compiler for a program that has the types and then this line. */
function problemsOf(line: string): string[] {
  const source = `${withSdkCalls(TYPES)}\ndeclare const analytics: SdkCalls;\n${line}\n`;
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === 'calls.ts' ? ts.createSourceFile(name, source, version) : read(name, version);
  const program = ts.createProgram(['calls.ts'], { strict: true, noEmit: true, types: [] }, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('types for the calls of an SDK', () => {
  it.each([
    `analytics.track('Seat chosen', { price: 12 });`,
    `analytics.track('*/ "odd"', {});`,
    `analytics.identify('ada', { plan: 'pro' });`,
    `analytics.group('acme', { anything: 1 });`,
  ])('take %s', (line) => {
    expect(problemsOf(line)).toEqual([]);
  });

  it.each([
    [`analytics.track('Seat chosen', { price: '12' });`, /not assignable to type 'number'/],
    [`analytics.track('Seat taken', { price: 12 });`, /not assignable to parameter/],
    [`analytics.track('Seat chosen', { prise: 12 });`, /prise/],
    [`analytics.identify('ada', { plan: 7 });`, /not assignable to type 'string'/],
  ])('refuse %s', (line, problem) => {
    expect(problemsOf(line).join()).toMatch(problem);
  });

  it('compile before any event was seen', () => {
    expect(withSdkCalls('')).toContain('export interface SdkCalls');
  });
});
