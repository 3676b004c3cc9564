import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** Answer for a name: IPv4 addresses, no such name, a server failure, or silence. */
export type NameAnswer = string[] | 'missing' | 'broken' | 'silent';

export interface NameServer {
  /** `127.0.0.1:<port>` */
  address: string;
  /** The name of each question, in order of arrival, for both families. */
  asked: string[];
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** RFC 1035 section 4.1.1: flags of a recursive response, and response codes. */
const RESPONSE_FLAGS = 0x8180;
const CODES = { missing: 3, broken: 2 };

/** A name server on loopback (RFC 1035) that answers with `answer`. Its records live for `ttlSeconds`. */
export async function nameServer(answer: (name: string) => NameAnswer, ttlSeconds = 60): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const { name, type, end } = questionOf(question);
    asked.push(name);
    const said = answer(name);
    if (said === 'silent') return;
    const addresses = Array.isArray(said) && type === TYPE_A ? said.filter((address) => isIPv4(address)) : [];
    const header = Buffer.from(question.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(RESPONSE_FLAGS | (typeof said === 'string' ? CODES[said] : 0), 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = addresses.map((address) => record(address, ttlSeconds));
    socket.send(Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((closed) => void socket.close(() => closed())),
  };
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An address record for the name in the question. */
function record(address: string, ttlSeconds: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(0xc00c, 0);
  bytes.writeUInt16BE(TYPE_A, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt32BE(ttlSeconds, 6);
  bytes.writeUInt16BE(4, 10);
  bytes.set(address.split('.').map(Number), 12);
  return bytes;
}
