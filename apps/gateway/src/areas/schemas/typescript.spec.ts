import { describe, expect, it } from '@jest/globals';
import type { JsonObject, ObservedSchema } from '@weir/contracts';
import ts from 'typescript';
import { TypeWriter } from './typescript.js';

const observed = (schemaIdentifier: string, schema: JsonObject, schemaType = 'track'): ObservedSchema => ({
  eventId: '6b8f0f66-5a42-4d8e-9d6b-0d6b5c1f9a10',
  writeKey: 'wk',
  schemaType,
  schemaIdentifier,
  schema: { type: 'object', properties: {}, ...schema },
});

/** The compiler's diagnostics for the source. */
const problemsOf = (source: string) =>
  (ts.transpileModule(source, { reportDiagnostics: true }).diagnostics ?? []).map(({ messageText }) => messageText);

describe('TypeScript of observed schemas', () => {
  it('has nested objects, lists, unions and optional keys', () => {
    const seat = { type: 'object', properties: { row: { type: 'string' } }, required: ['row'] };
    const source = new TypeWriter().declare(
      observed('Seat chosen', {
        properties: {
          price: { type: 'number' },
          seats: { type: 'array', items: { anyOf: [{ type: ['string', 'boolean'] }, seat] } },
          'odd key': { type: 'object', properties: {}, additionalProperties: false },
          open: { type: 'object', properties: {} },
        },
        required: ['price'],
      }),
    );
    expect(source).toBe(`/** "track Seat chosen" */
export type TrackSeatChosen = {
  price: number;
  seats?: (string | boolean | {
    row: string;
  })[];
  "odd key"?: Record<string, never>;
  open?: Record<string, unknown>;
};
`);
    expect(problemsOf(source)).toEqual([]);
  });

  it('compiles whatever names and keys are', () => {
    const writer = new TypeWriter();
    const names = [
      'Order',
      'order',
      'Or-der',
      '',
      '*/ process.exit() /*',
      '"',
      'ключ',
      '日本',
      '\u2028',
      '1',
      '`',
      '__proto__',
    ];
    const keys = JSON.parse(
      '{"__proto__":{"type":"string"},"a\\"b":{"type":"number"},"constructor":{},"\\u2028":{"type":"boolean"},"0":{}}',
    );
    const declared = names.flatMap((name) =>
      ['track', '9'].map((type) => writer.declare(observed(name, { properties: keys }, type))),
    );
    const source = declared.join('\n');
    expect(problemsOf(source)).toEqual([]);
    expect(source).not.toMatch(/^process/m);
    const types = [...source.matchAll(/^export type (\S+) =/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(2 * names.length);
    expect(source).toContain('__proto__?: string;');
  });
});
