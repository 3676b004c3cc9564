import {
  type DestinationKind,
  type Outbound,
  type OutboundRequest,
  type Twin,
  withoutStandIns,
} from '@weir/destinations';
import { sendStage } from '../stages/send-stage.js';

/** Longer bodies are left out of the line: the payload shows them already. */
const BODY_BYTES_MAX = 16_384;

/** Takes down what a kind would send, and sends nothing. */
class DryRun implements Outbound {
  readonly requests: OutboundRequest[] = [];

  request(request: OutboundRequest): Promise<never> {
    this.requests.push(request);
    return Promise.reject(new Error('a dry run'));
  }

  connect(): Promise<never> {
    return Promise.reject(new Error('a dry run'));
  }
}

/**
 * The first request that each payload makes, as a `curl` command line. Secrets stand as `***`: it is made of what the
 * destination would get without them.
 */
export async function curlLines(kind: DestinationKind, { config, payloads }: Twin): Promise<string[]> {
  const dryRun = new DryRun();
  for (const payload of payloads) await sendStage(kind, payload, config, dryRun);
  return dryRun.requests.map((request) => curlLine(withoutStandIns(request)));
}

export function curlLine({
  method,
  url,
  headers,
  body,
}: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>): string {
  const parts = ['curl', '-X', quoted(method), quoted(url)];
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(`${name}: ${value}`));
  if (body !== undefined) parts.push('--data-raw', quoted(shownBody(body)));
  return parts.join(' ');
}

const shownBody = (body: string) =>
  Buffer.byteLength(body) > BODY_BYTES_MAX ? `(${Buffer.byteLength(body)} bytes, left out)` : body;

/** For a POSIX shell: nothing is special between single quotes, and a single quote stands outside of them. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
