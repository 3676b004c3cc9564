import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { JsonObject } from '@weir/contracts';

/** A server that refuses, repeats in its error what it was told, and never closes its end of a connection. */
export interface RepeatingServer {
  /** Configuration that leads a destination here, beside its secrets. */
  config: JsonObject;
  /** Texts that arrived. */
  heard: string[];
  close(): Promise<void>;
}

type Answer = (bytes: Buffer, socket: Socket) => void;

/** One for each kind that keeps a session. S3 never sends its secret key, but its access key with each request. */
export const REPEATING_SERVERS: Record<string, () => Promise<RepeatingServer>> = {
  REDIS: () =>
    listening(
      (bytes, socket) => {
        const commands = bytes.toString().match(/^\*\d+\r$/gm) ?? [];
        for (const _ of commands) socket.write(`-ERR ${REFUSAL} ${JSON.stringify(bytes.toString())}\r\n`);
      },
      (port) => ({ address: `127.0.0.1:${port}` }),
    ),
  NATS: () =>
    listening(
      (bytes, socket) => {
        const text = bytes.toString();
        if (text.startsWith('CONNECT')) socket.write(`-ERR 'Authorization Violation: ${REFUSAL} ${text.trim()}'\r\n`);
      },
      (port) => ({ servers: `127.0.0.1:${port}`, subject: 'events', username: 'ada', token: '', credentials: '' }),
      (socket) => socket.write(`INFO ${JSON.stringify(NATS_INFO)}\r\n`),
    ),
  POSTGRES: () =>
    listening(
      (bytes, socket) => {
        const isPassword = bytes.toString('latin1', 0, 1) === 'p';
        socket.write(isPassword ? postgresError(`${REFUSAL} ${bytes.toString('utf8', 5)}`) : ASK_FOR_PASSWORD);
      },
      (port) => ({ host: '127.0.0.1', port: `${port}`, database: 'events', user: 'ada' }),
    ),
  KAFKA: () =>
    listening(kafkaAnswer, (port) => ({
      ...{ hostName: '127.0.0.1', port: `${port}`, topic: 'events' },
      ...{ useSASL: true, saslType: 'plain', username: 'ada' },
    })),
  S3: () =>
    listening(
      (bytes, socket) => {
        const text = bytes.toString();
        if (text.startsWith('PUT')) socket.write(storeError(`${REFUSAL} ${text}`));
      },
      (port) => ({
        ...{ bucketName: 'bucket-1', region: 'us-east-1', endPoint: `http://127.0.0.1:${port}` },
        ...{ useSSL: false, s3ForcePathStyle: true },
      }),
    ),
};

const REFUSAL = 'cannot do this:';
const NATS_INFO = { server_id: 'repeats', version: '2.12.0', proto: 1, headers: true, auth_required: true };

async function listening(
  answer: Answer,
  configOf: (port: number) => JsonObject,
  greet: (socket: Socket) => void = () => undefined,
): Promise<RepeatingServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => undefined);
    greet(socket);
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      answer(bytes, socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  };
  return { config: configOf((server.address() as AddressInfo).port), heard, close };
}

function storeError(text: string): string {
  const told = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const body = `<Error><Code>AccessDenied</Code><Message>${told}</Message></Error>`;
  const headers = `content-type: application/xml\r\ncontent-length: ${Buffer.byteLength(body)}`;
  return `HTTP/1.1 403 Forbidden\r\n${headers}\r\n\r\n${body}`;
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number): Buffer => int32(value).subarray(2);

/** Message R with 3: a password in plain text. */
const ASK_FOR_PASSWORD = Buffer.concat([Buffer.from('R'), int32(8), int32(3)]);

/** Message E with severity, code and text. */
function postgresError(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C28P01\0M${text.replaceAll('\0', '')}\0\0`);
  return Buffer.concat([Buffer.from('E'), int32(4 + fields.length), fields]);
}

const [HANDSHAKE, VERSIONS, AUTHENTICATE, METADATA] = [17, 18, 36, 3];
const AUTHENTICATION_FAILED = 58;

/** Answers a request of Kafka's protocol: length, API, version, correlation id, and the rest. */
function kafkaAnswer(bytes: Buffer, socket: Socket): void {
  for (let at = 0; at < bytes.length; at += 4 + bytes.readInt32BE(at)) {
    const body = kafkaBody(bytes.readInt16BE(at + 4), bytes.toString('utf8', at + 12, at + 4 + bytes.readInt32BE(at)));
    const answer = Buffer.concat([bytes.subarray(at + 8, at + 12), body]);
    socket.write(Buffer.concat([int32(answer.length), answer]));
  }
}

function kafkaBody(api: number, told: string): Buffer {
  if (api === VERSIONS) {
    const apis = [HANDSHAKE, VERSIONS, AUTHENTICATE, METADATA].flatMap((one) => [int16(one), int16(0), int16(1)]);
    return Buffer.concat([int16(0), int32(4), ...apis, int32(0)]);
  }
  if (api === HANDSHAKE) return Buffer.concat([int16(0), int32(1), int16(5), Buffer.from('PLAIN')]);
  const text = Buffer.from(`${REFUSAL} ${told}`);
  return Buffer.concat([int16(AUTHENTICATION_FAILED), int16(text.length), text, int32(0), int32(0), int32(0)]);
}
