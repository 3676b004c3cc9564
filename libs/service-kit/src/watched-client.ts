import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** The server ends every statement within this: whatever takes longer is a mistake that must not hold locks. */
export const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * A server that has not said a word for so long, while it owes an answer, is not there: it would have ended the statement
 * itself by then. The rest is for the way, and for a machine that is short of time.
 */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 3_000;

/**
 * A connection that breaks when its server falls silent. A network that swallows packets ends no connection for up to a
 * quarter of an hour; without this a query would wait as long, and hold whatever its caller holds.
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

  // pg's query has eight signatures; whatever is asked for is passed on as it is.
  override query(...args: unknown[]): never {
    this.isOwedAnAnswer = true;
    return Reflect.apply(super.query, this, args) as never;
  }

  /** A process that was paused finds its timers overdue before it has read what came meanwhile: that is read first. */
  private look(socket: Socket): void {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (this.isOwedAnAnswer && socket.bytesRead === bytesRead) reset(socket);
    });
  }
}

/** The one below TLS, if there is TLS; pg-pool reaches for it in the same way. */
const socketOf = (client: Client) => client.connection.stream as Socket;

/** What waits to be sent is thrown away with it, where the system can: nobody knows of it any more. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy(); // a socket of the file system
  }
}
