import {
  type DestinationKind,
  type Outbound,
  type OutboundRequest,
  type Twin,
  withoutStandIns,
} from '@weir/destinations';
import { sendStage } from '../stages/send-stage.js';

/** The line omits longer bodies because the payload already shows them. */
const BODY_BYTES_MAX = 16_384;

/** Records what a kind would send, and sends nothing. */
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
 * Formats the first request of each payload as a `curl` command line. Secrets appear as `***`, because the line is built from a
 * configuration and payloads without them.
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

/** Quotes for a POSIX shell. Single quotes protect everything except a single quote, which goes outside them. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
