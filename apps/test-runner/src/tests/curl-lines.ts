import type { JsonObject } from '@weir/contracts';
import {
  type DestinationKind,
  maskSecrets,
  type Outbound,
  type OutboundRequest,
  type Payload,
  secretValues,
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

/** The first request that each payload makes, as a `curl` command line; secrets of the configurations stand as `***`. */
export async function curlLines(
  kind: DestinationKind,
  payloads: readonly Payload[],
  config: JsonObject,
  secretsOf: readonly JsonObject[],
): Promise<string[]> {
  const dryRun = new DryRun();
  for (const payload of payloads) await sendStage(kind, payload, config, dryRun);
  const { secretKeys } = kind.definition.config;
  const secrets = secretsOf.flatMap((one) => secretValues(one, secretKeys));
  return dryRun.requests.map((request) => curlLine(maskSecrets(request, secrets)));
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
