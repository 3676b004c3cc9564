import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { withSdkCalls } from '../commands/types.js';

/** As the server writes them: properties of track, traits of identify, and a number behind names that are there already. */
const TYPES = `/** "track Seat chosen" */
export type TrackSeatChosen = {
  price: number;
  row?: string;
};

/** "track *\\/ \\"odd\\"" */
export type TrackOdd = Record<string, unknown>;

/** "track Paid" */
export type TrackPaid = {
  price?: number;
};

/** "track Paid" */
export type TrackPaid_2 = {
  price?: string;
};

/** "identify" */
export type Identify = {
  plan?: string;
  address?: Record<string, unknown>;
};
`;

/** In a folder that has the SDKs, so that their types are found. */
const FOLDER = join(import.meta.dirname, '../../../../apps/e2e/test');

/** Diagnostics of the compiler for a program that has the types and then these lines. */
function problemsOf(...lines: string[]): string[] {
  const file = join(FOLDER, 'calls.ts');
  const text = `${withSdkCalls(TYPES)}\ndeclare const browser: SdkCalls;\ndeclare const server: ServerSdkCalls;\n`;
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const source = `${text}${lines.join('\n')}\n`;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source, version) : read(name, version);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('types for the calls of an SDK', () => {
  it('take what was seen before', () => {
    const lines = [
      `browser.track('Seat chosen', { price: 12, row: 'a' });`,
      `browser.track('*/ "odd"');`,
      `browser.track('Paid');`,
      `browser.track('Paid', { price: '12' });`,
      `browser.identify('ada', { plan: 'pro' });`,
      `browser.group('acme', { anything: 1 });`,
      `server.track({ userId: 'ada', event: 'Seat chosen', properties: { price: 12 } });`,
      `server.track({ anonymousId: 'a', event: 'Paid' });`,
      `server.identify({ userId: 'ada', traits: { plan: 'pro' } });`,
    ];
    expect(problemsOf(...lines)).toEqual([]);
  });

  it.each([
    [`browser.track('Seat chosen', { price: '12' });`, /not assignable to type 'number'/],
    [`browser.track('Seat chosen');`, /Expected 2 arguments/],
    [`browser.track('Seat taken', { price: 12 });`, /not assignable to parameter/],
    [`browser.track('Seat chosen', { price: 12, prise: 12 });`, /prise/],
    [`browser.identify('ada', { plan: 7 });`, /not assignable to type 'string'/],
    [`server.track({ userId: 'ada', event: 'Seat chosen', properties: { price: '12' } });`, /'number'/],
    [`server.track({ userId: 'ada', event: 'Seat taken' });`, /not assignable/],
  ])('refuse %s', (line, problem) => {
    expect(problemsOf(line).join()).toMatch(problem);
  });

  it('fit the SDKs, so that an instance needs no cast', () => {
    const lines = [
      `import { RudderAnalytics } from '@rudderstack/analytics-js';`,
      `import Rudder from '@rudderstack/rudder-sdk-node';`,
      `import { AnalyticsBrowser } from '@segment/analytics-next';`,
      `import { Analytics } from '@segment/analytics-node';`,
      'const browsers: SdkCalls[] = [new RudderAnalytics(), new AnalyticsBrowser()];',
      `const servers: ServerSdkCalls[] = [new Analytics({ writeKey: 'k' }), new Rudder('k')];`,
    ];
    expect(problemsOf(...lines)).toEqual([]);
  });

  it('compile before any event was seen', () => {
    expect(withSdkCalls('')).toContain('export interface SdkCalls');
  });
});
