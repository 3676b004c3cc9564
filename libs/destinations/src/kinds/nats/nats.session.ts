import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  headers,
  type NatsConnection,
  RequestError,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { DELIVERY_TIMEOUT_MS, hasOnlyId, type JsonObject } from '@weir/contracts';
import type { DeliveryResult, DeliverySession, Outbound, SessionItem } from '../../kind.js';
import { type GuardedConnector, Kept } from '../../session/connection.js';
import {
  allOf,
  DELIVERED,
  type HostPort,
  hostPorts,
  later,
  never,
  type Tls,
  tlsOf,
  unsent,
} from '../../session/stream.js';
import { parsedJson } from '../../toolkit/convert.js';
import * as kit from '../../toolkit/index.js';
import { type Relay, relayTo } from './guarded-relay.js';

const DEFAULT_PORT = 4_222;

interface NatsSettings {
  servers: HostPort[];
  tls: Tls;
  authenticators: Authenticator[];
  jetStream: boolean;
}

/** Pure. Throws `AppError('invalid')` with the invalid key. */
export function natsSettings(config: JsonObject): NatsSettings {
  return {
    servers: hostPorts(config, 'servers', DEFAULT_PORT),
    tls: tlsOf(config, config['tls'] === true),
    authenticators: authenticatorsOf(config),
    jetStream: config['jetStream'] !== false,
  };
}

function authenticatorsOf(config: JsonObject): Authenticator[] {
  const [user, password, token] = [
    kit.configText(config, 'username'),
    kit.configText(config, 'password'),
    kit.configText(config, 'token'),
  ];
  const credentials = kit.configText(config, 'credentials');
  return [
    ...(user === '' ? [] : [usernamePasswordAuthenticator(user, password)]),
    ...(token === '' ? [] : [tokenAuthenticator(token)]),
    ...(credentials === '' ? [] : [credsAuthenticator(new TextEncoder().encode(credentials))]),
  ];
}

interface Open {
  nats: NatsConnection;
  relay: Relay;
  /** Rejects calls in progress when the connection ends. Otherwise they would wait forever. */
  waiting: Set<(error: Error) => void>;
}

/** Keeps one connection to the first reachable server. Repeats carry the same `Nats-Msg-Id`, and streams drop them. */
export class NatsSession implements DeliverySession {
  private readonly kept: Kept<Open>;

  constructor(
    private readonly settings: NatsSettings,
    outbound: Outbound,
  ) {
    this.kept = new Kept(
      outbound,
      (line, lost) => this.firstReachable(line, lost),
      (open) => open.nats.close(),
    );
  }

  async deliver(items: readonly SessionItem[]): Promise<DeliveryResult[]> {
    try {
      return await this.send(await this.kept.get(), items);
    } catch (error) {
      return allOf(items, unsent('NATS', this.kept.causeOf(error)));
    }
  }

  close(): Promise<void> {
    return this.kept.close();
  }

  private send({ nats, waiting }: Open, items: readonly SessionItem[]): Promise<DeliveryResult[]> {
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      const sent = this.settings.jetStream ? storedAll(nats, items) : publishedAll(nats, items);
      void sent.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  }

  private async firstReachable(line: GuardedConnector, lost: () => void): Promise<Open> {
    const errors: unknown[] = [];
    for (const server of this.settings.servers) {
      try {
        return await this.open(line, server, lost);
      } catch (error) {
        errors.push(error);
      }
    }
    throw errors[0];
  }

  private async open(line: GuardedConnector, { host, port }: HostPort, lost: () => void): Promise<Open> {
    const relay = await relayTo(await line.connect({ host, port }));
    try {
      const nats = await connect({
        servers: `127.0.0.1:${relay.port}`,
        name: 'weir',
        authenticator: this.settings.authenticators,
        timeout: DELIVERY_TIMEOUT_MS,
        // A relay serves one connection, so the next delivery opens another. Other members of the cluster are not contacted.
        reconnect: false,
        ignoreClusterUpdates: true,
        ...(this.settings.tls && { tls: tlsOptions(this.settings.tls, host) }),
      });
      const waiting: Open['waiting'] = new Set();
      void nats.closed().then(() => {
        relay.close();
        lost();
        for (const reject of waiting) reject(new Error('the connection ended'));
      });
      return { nats, relay, waiting };
    } catch (error) {
      relay.close();
      throw error;
    }
  }
}

/** The certificate must name the server and not the relay. The client passes these options to Node unchanged. */
function tlsOptions({ skipVerify, ca }: Exclude<Tls, false>, host: string): TlsOptions {
  const name = isIP(host) ? { servername: '' } : { servername: host };
  const options: TlsOptions & ConnectionOptions = { host, ...name, rejectUnauthorized: !skipVerify };
  return ca === undefined ? options : { ...options, ca };
}

function messageOf({ payload, idempotencyKey }: SessionItem) {
  const own = headers();
  own.set('Nats-Msg-Id', idempotencyKey);
  return { data: new TextEncoder().encode(JSON.stringify(payload.body.JSON)), headers: own };
}

async function publishedAll(nats: NatsConnection, items: readonly SessionItem[]): Promise<DeliveryResult[]> {
  const results = items.map((item) => published(nats, item));
  // A flush confirms that the server has read everything before it.
  await nats.flush();
  return results;
}

const storedAll = (nats: NatsConnection, items: readonly SessionItem[]): Promise<DeliveryResult[]> =>
  Promise.all(items.map((item) => stored(nats, item)));

function published(nats: NatsConnection, item: SessionItem): DeliveryResult {
  const { data, headers: own } = messageOf(item);
  if (isTooLarge(nats, data)) return tooLarge;
  nats.publish(item.payload.endpoint, data, { headers: own });
  return DELIVERED;
}

/** The server names its limit when it takes the connection. */
const isTooLarge = ({ info }: NatsConnection, data: Uint8Array): boolean =>
  data.length > (info?.max_payload ?? Number.POSITIVE_INFINITY);
const tooLarge: DeliveryResult = { status: 413, response: 'The event is larger than the NATS server takes' };

/** Reads a stream's acknowledgement: a message with its sequence number, or with an error. */
async function stored(nats: NatsConnection, item: SessionItem): Promise<DeliveryResult> {
  const { data, headers: own } = messageOf(item);
  if (isTooLarge(nats, data)) return tooLarge;
  try {
    const answer = await nats.request(item.payload.endpoint, data, { headers: own, timeout: DELIVERY_TIMEOUT_MS });
    return acknowledged(parsedJson(answer.string()));
  } catch (error) {
    if (error instanceof RequestError && error.isNoResponders()) return later('No stream stores this subject');
    if (nats.isClosed()) throw error;
    return later('The stream did not acknowledge the event');
  }
}

/** A stream that has only the id of an event takes the event once it has forgotten the id, two minutes later by default. */
function acknowledged(answer: unknown): DeliveryResult {
  const { error, seq } = (answer ?? {}) as { error?: { code?: number; err_code?: number }; seq?: unknown };
  if (hasOnlyId({ seq, errorCode: error && (error.err_code ?? 0) }))
    return later('The stream has the id of the event, but not the event');
  if (error === undefined && typeof seq === 'number') return DELIVERED;
  const code = error?.code ?? 0;
  const text = `The stream refused the event (${code})`;
  return code >= 400 && code < 500 ? never(text) : later(text);
}
