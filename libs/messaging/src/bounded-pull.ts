import type { JsMsg } from '@nats-io/jetstream';
import { type Msg, type NatsConnection, nanos } from '@nats-io/transport-node';
import { newInbox } from './connection.js';

/** The part of a stream message that Weir uses. */
export type PulledMessage = Pick<
  JsMsg,
  'subject' | 'seq' | 'redelivered' | 'data' | 'headers' | 'json' | 'string' | 'ack' | 'nak' | 'term' | 'working'
> & { info: Pick<JsMsg['info'], 'deliveryCount' | 'deliverySequence'> };

export interface PullOptions {
  nats: NatsConnection;
  stream: string;
  durable: string;
  /** Maximum number of messages per pull. */
  messagesMax: number;
  /** Maximum bytes per pull, as the broker counts them. Must exceed the size of the largest message. */
  bytesMax: number;
  /** How long the broker waits for messages. */
  expiresMs: number;
  onMessage: (message: PulledMessage) => void;
  signal: AbortSignal;
}

/** How long to wait for the broker to end a pull after it expired. The broker may have restarted or lost the consumer. */
const GRACE_MS = 1_000;
/** How long to wait for messages that the end of their pull has overtaken. A leader that is lost meanwhile never sends them. */
const OVERTAKEN_MS = 2_000;
/** How long an aborted pull waits for messages under way. A broker that is away sends none. */
const UNDER_WAY_MS = 500;
/** The broker says in this header how many of the messages that a pull asked for it did not send. */
const NOT_SENT = 'Nats-Pending-Messages';
/** A broker that has lost a consumer with no pull open accepts pulls for it and stays silent. */
const SILENCE = 'the broker says nothing about a pull: it may have no such consumer';
/** Status codes of the broker about a pull: 100 continues it, 404 and 408 end it. For 409 the text decides. */
const HEARTBEAT = 100;
const ENDED = [404, 408];
const OTHERWISE_ENDED = 409;
const OUT_OF_BYTES = /exceeds maxbytes|batch completed|leadership change/i;

/**
 * Makes one pull from a durable consumer, bounded in messages and in bytes. The client library bounds only one of them, and
 * treats reaching a byte bound as an error. Resolves when the pull is over, however many messages came. Rejects when the broker
 * cannot serve the pull: the consumer was deleted, or no answer came in time.
 *
 * When `signal` aborts, resolves once the broker knows. Until then it may send messages, and nobody else would get a message that
 * was lost here before its acknowledgement is overdue.
 *
 * A consumer with replicas sends a message only after most servers know of its delivery, but the end of a pull at once. So the end
 * may come before the last messages (seen on 2.12). The pull goes on until all that were sent are here.
 */
export function pullOnce(options: PullOptions): Promise<void> {
  const { nats, stream, durable, messagesMax, bytesMax, expiresMs, onMessage, signal } = options;
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const inbox = newInbox(nats);
    let left = messagesMax;
    /** How many messages will not come. Known once the broker has ended the pull. */
    let notSent = 0;
    const end = (error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      subscription.unsubscribe();
      if (error) reject(error);
      else resolve();
    };
    const waitFor = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(end, milliseconds);
    };
    const stop = () => {
      waitFor(UNDER_WAY_MS);
      void subscription.drain().then(
        () => end(),
        () => end(),
      );
    };
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) return end(error);
        if (message.subject !== inbox) {
          left -= 1;
          onMessage(pulled(nats, message));
        } else if (!isHeartbeat(message)) {
          const fault = faultIn(message);
          if (fault) return end(signal.aborted ? undefined : fault);
          notSent = notSentOf(message) ?? left;
          if (!signal.aborted) waitFor(OVERTAKEN_MS);
        }
        if (left <= notSent) end();
      },
    });
    let timer = setTimeout(() => end(new Error(SILENCE)), expiresMs + GRACE_MS);
    signal.addEventListener('abort', stop, { once: true });
    const request = { batch: messagesMax, max_bytes: bytesMax, expires: nanos(expiresMs) };
    nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, JSON.stringify(request), { reply: inbox });
  });
}

/** Status messages arrive on the inbox itself, stream messages on their own subject. */
const isHeartbeat = ({ headers }: Msg) => headers?.code === HEARTBEAT;

/** How many of the messages that were asked for the broker did not send. Undefined if it does not say. */
const notSentOf = ({ headers }: Msg) => (headers?.has(NOT_SENT) ? Number(headers.get(NOT_SENT)) : undefined);

/** Why the broker cannot serve a pull. Undefined if the pull ended well. */
function faultIn({ headers }: Msg): Error | undefined {
  const { code = 0, description = '' } = headers ?? {};
  const isOver = ENDED.includes(code) || (code === OTHERWISE_ENDED && OUT_OF_BYTES.test(description));
  return isOver ? undefined : new Error(`the broker refuses a pull: ${code} ${description}`.trim());
}

/** Reads the counters from the reply subject: `$JS.ACK.….<delivered>.<seq>.…`. Newer brokers put more tokens in front of them. */
function pulled(nats: NatsConnection, message: Msg): PulledMessage {
  const { reply = '' } = message;
  const tokens = reply.split('.');
  const first = tokens.length === SHORT_REPLY_TOKENS ? 4 : 6;
  const [deliveryCount = 0, seq = 0, deliverySequence = 0] = tokens.slice(first).map(Number);
  const data = ownBytes(message.data);
  const string = () => data.toString('utf8');
  return {
    subject: message.subject,
    seq,
    redelivered: deliveryCount > 1,
    info: { deliveryCount, deliverySequence },
    data,
    headers: message.headers,
    json: <T>() => JSON.parse(string()) as T,
    string,
    ...answersTo(nats, reply),
  };
}
const SHORT_REPLY_TOKENS = 9;

/** A copy, because the client reads messages into larger buffers, and a message may wait for long. */
const ownBytes = (data: Uint8Array): Buffer => Buffer.from(new Uint8Array(data).buffer);

/** Holds only the reply subject, so that a caller can keep these functions without keeping the message in memory. */
function answersTo(nats: NatsConnection, reply: string): Pick<PulledMessage, 'ack' | 'nak' | 'term' | 'working'> {
  const say = (word: string) => {
    try {
      nats.publish(reply, word);
    } catch {
      // the connection is closed, so the broker will redeliver the message
    }
  };
  return {
    ack: () => say('+ACK'),
    nak: (delayMs) => say(delayMs ? `-NAK {"delay":${nanos(delayMs)}}` : '-NAK'),
    term: () => say('+TERM'),
    working: () => say('+WPI'),
  };
}
