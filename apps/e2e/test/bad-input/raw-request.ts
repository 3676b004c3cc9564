import { connect } from 'node:net';
import { sharedStack } from '@weir/local';

export interface RawAnswer {
  /** 0 if there was no answer. */
  status: number;
  headers: string;
  body: string;
}

/**
 * Sends raw bytes, valid HTTP or not, and reads until the server closes the connection. Closes endless answers after their first
 * bytes.
 */
export function rawRequest(...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(sharedStack().urls[0] ?? '');
  return new Promise((done) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.length < 2_048 && /^content-type: text\/event-stream/im.test(answer)) socket.destroy();
    });
    // A server that refuses a large body closes the connection while the client is still sending.
    socket.on('error', () => undefined);
    socket.on('close', () => done(parsed(answer)));
    for (const part of parts) socket.write(part);
  });
}

function parsed(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), headers: head, body: rest.join('\r\n\r\n') };
}
