import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@weir/contracts';
import { errorAnswer } from './error-answer.js';
import { isLingering, lingerOn } from './linger.js';
import { HttpProblem } from './problem.js';

/** Keyed by the error code of Node's parser. All other errors mean malformed HTTP. */
const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'HEADERS_TOO_LARGE', 'Request line and headers may have 16 KiB together'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(
    413,
    'PAYLOAD_TOO_LARGE',
    'The extensions of chunks may have 16 KiB together',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time'),
};
const MALFORMED = new AppError('invalid', 'The request is not valid HTTP/1.1');

/** Answers input that is not an HTTP request, and so reached neither a route nor the framework. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // Already answered. Discards the rest, which is mostly not HTTP either.
  if (isLingering(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorAnswer(PROBLEMS[error.code ?? ''] ?? MALFORMED, 'public');
  const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  lingerOn(socket);
}
