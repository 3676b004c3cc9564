import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ErrorCode,
  type FetchUrl,
  PAYLOAD_BYTES_MAX,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import {
  EgressByOwner,
  type EgressError,
  type EgressErrorCode,
  isEgressError,
  isPublicAddress,
  parseAddress,
} from '@weir/egress';

/** Limits of one `fetch` call in user code (security-reliability 3.1 point 5). */
const FETCH_TIMEOUT_MS = 2_000;
const FETCH_BYTES_MAX = 524_288;
/** Reserved for the fields of the reply other than its content. */
const ENVELOPE_BYTES = 1_024;

const CODES: Partial<Record<EgressErrorCode, ErrorCode>> = {
  timeout: 'timeout',
  connect: 'unavailable',
  tls: 'unavailable',
  protocol: 'unavailable',
  closed: 'unavailable',
  too_large: 'too_large',
};

/**
 * Makes HTTP calls for user code. Follows no redirects, refuses private addresses, and does not say why a name is refused.
 */
@Injectable()
export class FetchService {
  constructor(private readonly egress: EgressByOwner) {}

  async fetch({
    workspaceId,
    url,
    method,
    headers,
    body,
  }: RequestOf<typeof FetchUrl>): Promise<ReplyOf<typeof FetchUrl>> {
    const limits = { timeoutMs: FETCH_TIMEOUT_MS, maxResponseBytes: FETCH_BYTES_MAX };
    const answer = await this.egress
      .of(workspaceId)
      .request({ url, method, headers, ...(body !== undefined && { body }), ...limits })
      .catch((error: unknown) => {
        throw refusalOf(error, url);
      });
    const reply = { url, status: answer.status, headers: answer.headers, body: answer.body.toString('utf8') };
    if (answer.truncated || !isSendable(reply)) {
      throw new AppError('too_large', `The answer is larger than ${FETCH_BYTES_MAX} bytes`);
    }
    return reply;
  }
}

/** JSON encoding makes control characters and invalid UTF-8 up to six times longer. */
const isSendable = (reply: ReplyOf<typeof FetchUrl>): boolean =>
  Buffer.byteLength(JSON.stringify(reply)) <= PAYLOAD_BYTES_MAX - ENVELOPE_BYTES;

function refusalOf(error: unknown, url: string): unknown {
  if (!isEgressError(error)) return error;
  return new AppError(CODES[error.code] ?? 'invalid', messageOf(error, url), undefined, { cause: error });
}

/**
 * An unresolvable name and a name with a forbidden address give the same message, so that code cannot probe the network. A URL that
 * holds the address itself tells nothing new, and gets the words that code also reads where `fetch` is off.
 */
function messageOf({ code, message }: EgressError, url: string): string {
  if (code === 'invalid_url') return `invalid url, ${message}`;
  if (code !== 'blocked' && code !== 'dns') return message;
  return refusalOfHost(new URL(url).hostname) ?? 'The address cannot be resolved or is not allowed';
}

/** A name that means the own machine everywhere (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/;

function refusalOfHost(hostname: string): string | undefined {
  const text = hostname.replace(/^\[|\]$/g, '');
  const address = parseAddress(text);
  if (address && !isPublicAddress(address)) return `blocked request to non-public address: ${text}`;
  return LOCALHOST.test(hostname) ? `cannot use 127.0.0.1 as IP address for ${hostname}` : undefined;
}
