import type { Socket } from 'node:net';
import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import kafkajs, { Kafka, logLevel, type Producer, type SASLOptions } from 'kafkajs';
import type { DeliveryResult, DeliverySession, Outbound, OutboundConnection, SessionItem } from '../../kind.js';
import { type GuardedConnector, Kept } from '../../session/connection.js';
import { allOf, DELIVERED, hostPorts, later, never, refuseSsh, tlsOf, unsent } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import './bounded-decoder.js';
import './idle-queue.js';

const DEFAULT_PORT = 9_092;

interface KafkaSettings {
  /** `host:port` of the first brokers. They name the others. */
  brokers: string[];
  tls: NonNullable<OutboundConnection['tls']>;
  sasl: SASLOptions | undefined;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function kafkaSettings(config: JsonObject): KafkaSettings {
  refuseSsh(config);
  if (config['convertToAvro'] === true) throw new AppError('invalid', 'convertToAvro is not supported');
  const port = Number(kit.configText(config, 'port') || DEFAULT_PORT);
  return {
    brokers: hostPorts(config, 'hostName', port).map((broker) =>
      broker.host.includes(':') ? `[${broker.host}]:${broker.port}` : `${broker.host}:${broker.port}`,
    ),
    tls: tlsOf(config, config['sslEnabled'] === true),
    sasl: config['useSASL'] === true ? saslOf(config) : undefined,
  };
}

function saslOf(config: JsonObject): SASLOptions {
  const login = { username: kit.requiredText(config, 'username'), password: kit.requiredText(config, 'password') };
  const type = kit.configText(config, 'saslType') || 'plain';
  if (type === 'plain') return { mechanism: 'plain', ...login };
  if (type === 'sha256') return { mechanism: 'scram-sha-256', ...login };
  if (type === 'sha512') return { mechanism: 'scram-sha-512', ...login };
  throw new AppError('invalid', 'saslType must be plain, sha256 or sha512');
}

/** A message counts as written once every in-sync replica has it. */
const ALL_REPLICAS = -1;

/** Uses one producer, which finds and follows the leaders of partitions by itself. */
export class KafkaSession implements DeliverySession {
  private readonly producer: Kept<Producer>;

  constructor(
    private readonly settings: KafkaSettings,
    outbound: Outbound,
  ) {
    this.producer = new Kept(
      outbound,
      (line) => this.open(line),
      (producer) => producer.disconnect(),
    );
  }

  async deliver(items: readonly SessionItem[]): Promise<DeliveryResult[]> {
    try {
      const producer = await this.producer.get();
      const topicMessages = [...Map.groupBy(items, ({ payload }) => payload.endpoint)].map(([topic, ofTopic]) => ({
        topic,
        messages: ofTopic.map(messageOf),
      }));
      await producer.sendBatch({ topicMessages, acks: ALL_REPLICAS, timeout: DELIVERY_TIMEOUT_MS });
      return allOf(items, DELIVERED);
    } catch (error) {
      return this.failed(items, error);
    }
  }

  close(): Promise<void> {
    return this.producer.close();
  }

  /** The broker's refusal may concern only one of several items. */
  private async failed(items: readonly SessionItem[], error: unknown): Promise<DeliveryResult[]> {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      await this.producer.drop();
      return allOf(items, unsent('Kafka', this.producer.causeOf(error)));
    }
    if (!refusal.isFinal) return allOf(items, later(refusal.text));
    if (items.length === 1) return [never(refusal.text)];
    const results: DeliveryResult[] = [];
    for (const item of items) results.push(...(await this.deliver([item])));
    return results;
  }

  private async open(line: GuardedConnector): Promise<Producer> {
    const { brokers, tls, sasl } = this.settings;
    const kafka = new Kafka({
      clientId: 'weir',
      brokers,
      ...(sasl && { sasl }),
      connectionTimeout: DELIVERY_TIMEOUT_MS,
      requestTimeout: DELIVERY_TIMEOUT_MS,
      // The deliverer retries with longer delays. Here one retry covers a leader that has just moved.
      retry: { retries: 1, initialRetryTime: 100 },
      // Its messages could name a destination's hosts.
      logLevel: logLevel.NOTHING,
      socketFactory: ({ host, port, onConnect }) => line.socket({ host, port, tls }, onConnect) as Socket,
    });
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    return producer;
  }
}

const messageOf = ({ payload, idempotencyKey }: SessionItem) => ({
  key: payload.userId ?? null,
  value: JSON.stringify(payload.body.JSON),
  // Kafka does not detect duplicates, but consumers can by this id.
  headers: { ...payload.headers, 'weir-message-id': idempotencyKey },
});

/** The refusal of a broker. Undefined for any other error. Its text names no event. */
function refusalOf(error: unknown): { text: string; isFinal: boolean } | undefined {
  if (!(error instanceof kafkajs.KafkaJSError)) return undefined;
  const protocol = [error, error.cause].find((one) => typeof one === 'object' && one !== null && 'type' in one);
  if (!protocol) return undefined;
  const type = String((protocol as { type: unknown }).type);
  return { text: `Kafka answered ${type}`, isFinal: FINAL.has(type) };
}

/** Errors about the message itself. Users can fix errors about topics and permissions. */
const FINAL = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);
