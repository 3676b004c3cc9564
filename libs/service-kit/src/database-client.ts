import type { Socket } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { inSpanOf } from '@weir/messaging';
import { Client, type ClientConfig } from 'pg';

/** The server ends every statement after this time. A longer one is a mistake that must not hold locks. */
export const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * A server that owes an answer and stays silent this long is gone, because it would have ended the statement before. The margin
 * covers the network and a busy machine.
 */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 3_000;

/**
 * A connection that breaks when its server falls silent. A network that drops packets can keep a dead connection open for a
 * quarter of an hour. Without this check a query would wait as long, and keep what its caller holds, such as locks.
 */
export class WatchedClient extends Client {
  private isOwedAnAnswer = false;

  constructor(options: ClientConfig & { answerTimeoutMs?: number }) {
    super(options);
    const socket = socketOf(this);
    socket.setTimeout(options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
    socket.on('timeout', () => this.look(socket));
    this.on('drain', () => {
      this.isOwedAnAnswer = false;
    });
  }

  // pg's query has eight signatures, so the arguments pass through unchanged.
  override query(...args: unknown[]): never {
    this.isOwedAnAnswer = true;
    return Reflect.apply(super.query, this, args) as never;
  }

  /** After a pause of the process, timers are overdue before pending data is read. The check therefore reads first. */
  private look(socket: Socket): void {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (this.isOwedAnAnswer && socket.bytesRead === bytesRead) reset(socket);
    });
  }
}

/** The socket below TLS, if there is TLS. pg-pool gets it in the same way. */
const socketOf = (client: Client) => client.connection.stream as Socket;

/** Resets the connection if possible, which discards unsent data that nobody expects anymore. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy(); // a Unix domain socket
  }
}

/** The first table that a statement names, with or without its schema. */
const TABLE = /\b(?:from|into|update|join)\s+(?:"?\w+"?\.)?"?(\w+)/i;

/**
 * A connection that times its queries and shows them as spans of the current trace. Queries outside a trace have no span. A span names the
 * operation and the table. It never holds the statement, which may contain values, or its parameters.
 */
export class TracedClient extends WatchedClient {
  private readonly onAnswer;

  constructor(
    options: ClientConfig & { answerTimeoutMs?: number; onAnswer?: (seconds: number, isSuccess: boolean) => void },
  ) {
    super(options);
    this.onAnswer = options.onAnswer;
  }

  // pg's query has eight signatures, so the arguments pass through unchanged.
  override query(...args: unknown[]): never {
    const run = () => Reflect.apply(super.query, this, args);
    const [statement] = args;
    const isPlain = typeof statement === 'string' && typeof args.at(-1) !== 'function';
    if (!isPlain) return run();
    return this.timed(inSpanOf(nameOf(statement), settingsOf(statement), run)) as never;
  }

  private async timed<T>(answer: T): Promise<Awaited<T>> {
    const startedAt = performance.now();
    let isSuccess = false;
    try {
      const result = await answer;
      isSuccess = true;
      return result;
    } finally {
      this.onAnswer?.((performance.now() - startedAt) / 1_000, isSuccess);
    }
  }
}

const settingsOf = (statement: string) => ({
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operationOf(statement) },
});

const operationOf = (statement: string) => /\w+/.exec(statement)?.[0].toUpperCase() ?? 'QUERY';
const nameOf = (statement: string) => `${operationOf(statement)} ${TABLE.exec(statement)?.[1] ?? ''}`.trimEnd();
