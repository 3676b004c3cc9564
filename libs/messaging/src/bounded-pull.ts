import type { JsMsg } from '@nats-io/jetstream';
import { createInbox, type Msg, type NatsConnection, nanos } from '@nats-io/transport-node';

/** What is used of a message of a stream. */
export type PulledMessage = Pick<
  JsMsg,
  'subject' | 'seq' | 'redelivered' | 'data' | 'headers' | 'json' | 'string' | 'ack' | 'nak' | 'term' | 'working'
> & { info: Pick<JsMsg['info'], 'deliveryCount' | 'deliverySequence'> };

export interface PullOptions {
  nats: NatsConnection;
  stream: string;
  durable: string;
  /** Messages of the pull. */
  messagesMax: number;
  /** Bytes of the pull, as the broker counts them: more than its largest message has. */
  bytesMax: number;
  /** The broker waits so long for messages. */
  expiresMs: number;
  onMessage: (message: PulledMessage) => void;
  signal: AbortSignal;
}

/** After this the broker's word that a pull is over is not waited for any more: it may have restarted, or have no such consumer. */
const GRACE_MS = 1_000;
/** A broker that has lost the consumer without anybody waiting there takes pulls from it, and says nothing. */
const SILENCE = 'the broker says nothing about a pull: it may have no such consumer';
/** The broker's words about a pull: it goes on, it ran out of time or of bytes. */
const HEARTBEAT = 100;
const ENDED = [404, 408];
const OTHERWISE_ENDED = 409;
const OUT_OF_BYTES = /exceeds maxbytes|batch completed|leadership change/i;

/**
 * One pull from a durable consumer that is bounded in bytes: the client library bounds a pull in messages or in bytes, never
 * in both, and takes the end of one for an error. Resolves when the pull is over, however many messages came, or when
 * `signal` aborts. Rejects when the broker cannot serve it: the consumer was deleted, nobody answers in time.
 */
export function pullOnce(options: PullOptions): Promise<void> {
  const { nats, stream, durable, messagesMax, bytesMax, expiresMs, onMessage, signal } = options;
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const inbox = createInbox(inboxPrefixOf(nats));
    let left = messagesMax;
    const end = (error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      subscription.unsubscribe();
      if (error) reject(error);
      else resolve();
    };
    const stop = () => end();
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) return end(error);
        if (message.subject === inbox) return heed(message, end);
        left -= 1;
        onMessage(pulled(nats, message));
        if (left === 0) end();
      },
    });
    const timer = setTimeout(() => end(new Error(SILENCE)), expiresMs + GRACE_MS);
    signal.addEventListener('abort', stop, { once: true });
    const request = { batch: messagesMax, max_bytes: bytesMax, expires: nanos(expiresMs) };
    nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, JSON.stringify(request), { reply: inbox });
  });
}

/** What the broker says about the pull itself comes on its inbox; messages come on their own subject. */
function heed({ headers }: Msg, end: (error?: Error) => void): void {
  const { code = 0, description = '' } = headers ?? {};
  if (code === HEARTBEAT) return;
  const isOver = ENDED.includes(code) || (code === OTHERWISE_ENDED && OUT_OF_BYTES.test(description));
  end(isOver ? undefined : new Error(`the broker refuses a pull: ${code} ${description}`.trim()));
}

/** Answers to one user of the broker come below a prefix of its own ({@link natsOptions}). */
function inboxPrefixOf(nats: NatsConnection): string | undefined {
  return (nats as { options?: { inboxPrefix?: string } }).options?.inboxPrefix;
}

/** Tokens of the reply subject, from its end where a newer broker has more at the beginning: `$JS.ACK.….<delivered>.<seq>.…` */
function pulled(nats: NatsConnection, message: Msg): PulledMessage {
  const { reply = '' } = message;
  const tokens = reply.split('.');
  const first = tokens.length === SHORT_REPLY_TOKENS ? 4 : 6;
  const [deliveryCount = 0, seq = 0, deliverySequence = 0] = tokens.slice(first).map(Number);
  return {
    subject: message.subject,
    seq,
    redelivered: deliveryCount > 1,
    info: { deliveryCount, deliverySequence },
    data: message.data,
    headers: message.headers,
    json: () => message.json(),
    string: () => message.string(),
    ...answersTo(nats, reply),
  };
}
const SHORT_REPLY_TOKENS = 9;

/** Whoever keeps one of them to answer later does not keep the message. */
function answersTo(nats: NatsConnection, reply: string): Pick<PulledMessage, 'ack' | 'nak' | 'term' | 'working'> {
  const say = (word: string) => {
    try {
      nats.publish(reply, word);
    } catch {
      // the connection is closed: the message is handed out again
    }
  };
  return {
    ack: () => say('+ACK'),
    nak: (delayMs) => say(delayMs ? `-NAK {"delay":${nanos(delayMs)}}` : '-NAK'),
    term: () => say('+TERM'),
    working: () => say('+WPI'),
  };
}
