import { SpanKind } from '@opentelemetry/api';
import { inSpanOf } from '@weir/messaging';
import { WatchedClient } from './watched-client.js';

/** The first table that a statement names. */
const TABLE = /\b(?:from|into|update|join)\s+"?(\w+)/i;

/**
 * A connection whose queries appear as spans of the current trace. Queries outside a trace have no span. A span names the
 * operation and the table. It never holds the statement, which may contain values, or its parameters.
 */
export class TracedClient extends WatchedClient {
  // pg's query has eight signatures, so the arguments pass through unchanged.
  override query(...args: unknown[]): never {
    const run = () => Reflect.apply(super.query, this, args);
    const [statement] = args;
    const isPlain = typeof statement === 'string' && typeof args.at(-1) !== 'function';
    return (isPlain ? inSpanOf(nameOf(statement), partsOf(statement), run) : run()) as never;
  }
}

const partsOf = (statement: string) => ({
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operationOf(statement) },
});

const operationOf = (statement: string) => /\w+/.exec(statement)?.[0].toUpperCase() ?? 'QUERY';
const nameOf = (statement: string) => `${operationOf(statement)} ${TABLE.exec(statement)?.[1] ?? ''}`.trimEnd();
