import { AppError, type JsonObject, MASK, PAYLOAD_BYTES_MAX, type StageResults } from '@weir/contracts';
import {
  type DestinationKind,
  type Outbound,
  type OutboundRequest,
  type Payload,
  type SecretMask,
  shownPayloads,
  type Twin,
  twinOf,
  withoutStandIns,
} from '@weir/destinations';
import { during, ownTurn } from '@weir/messaging';
import { type CodeSecrets, sendStage } from '@weir/stages';

/** One element of `data`, in the form for admins and in the form for other roles. */
export interface Views {
  clear: StageResults;
  /** Without secrets. Payloads are masked by place, and answers of destinations by text (ruling 21). */
  shown: StageResults;
}

export interface Tested {
  workspaceId: string;
  kind: DestinationKind;
  config: JsonObject;
  /** Masks the secrets of all configurations involved. */
  mask: SecretMask;
  /** Secrets that user code may have put into the event. */
  codeSecrets: CodeSecrets;
  /** The event as the caller sent it. */
  sent: JsonObject;
  /** The event that became the payloads, if any. */
  event: JsonObject | undefined;
  /** Index of the message. Set when details are requested. */
  message?: number | undefined;
}

/** Builds both views. Yields between its steps, because a test may have many results. */
export async function viewsOf(result: StageResults, tested: Tested): Promise<Views> {
  const { workspaceId, kind, config, mask, codeSecrets, sent, event, message } = tested;
  await ownTurn(workspaceId);
  const made = result.dest_transformed_payload;
  const payloads = Array.isArray(made) ? (made as Payload[]) : undefined;
  const twin =
    event && payloads ? during('test.twin', () => twinOf(kind, codeSecrets.inEvent(event, sent), config)) : undefined;
  await ownTurn(workspaceId);
  const requests = twin && message !== undefined ? await curlLines(kind, twin) : [];
  const details = message === undefined ? {} : { details: { message, requests } };
  await ownTurn(workspaceId);
  return during('test.show', () => ({
    clear: { ...result, ...details },
    shown: {
      ...result,
      ...('user_transformed_payload' in result && {
        user_transformed_payload: codeSecrets.inEvent(result.user_transformed_payload, sent),
      }),
      ...('dest_transformed_payload' in result && {
        dest_transformed_payload: payloads ? shownPayloads(payloads, twin) : codeSecrets.in(made),
      }),
      ...('destination_response' in result && {
        destination_response: codeSecrets.in(mask.in(result.destination_response)),
      }),
      ...details,
    },
  }));
}

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
  return dryRun.requests.map((request) => curlLine(withoutSignature(kind, withoutStandIns(request))));
}

/** A signature of stand-ins would be wrong. */
function withoutSignature({ signatureHeaders = [] }: DestinationKind, request: OutboundRequest): OutboundRequest {
  const signed = signatureHeaders.filter((name) => name in request.headers).map((name) => [name, MASK]);
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(signed) } };
}

export function curlLine({
  method,
  url,
  headers,
  forwardedFor,
  body,
}: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'forwardedFor' | 'body'>): string {
  const parts = ['curl', '-X', quoted(method), quoted(url)];
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(`${name}: ${value}`));
  if (forwardedFor !== undefined) parts.push('-H', quoted(`x-forwarded-for: ${forwardedFor}`));
  if (body !== undefined) parts.push('--data-raw', quoted(shownBody(body)));
  return parts.join(' ');
}

const shownBody = (body: string) =>
  Buffer.byteLength(body) > BODY_BYTES_MAX ? `(${Buffer.byteLength(body)} bytes, left out)` : body;

/** Quotes for a POSIX shell. Single quotes protect everything except a single quote, which goes outside them. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Reserved for the fields of a reply other than the results. */
const ENVELOPE_BYTES = 8_192;
const RESULTS_BYTES_MAX = PAYLOAD_BYTES_MAX - ENVELOPE_BYTES;

/**
 * Shortens the results to fit one message. Cuts the answers of destinations, each to an equal share. Throws `too_large` if the
 * payloads alone do not fit.
 */
export function fittedResults(results: StageResults[], bytesMax = RESULTS_BYTES_MAX): StageResults[] {
  if (bytesOf(results) <= bytesMax) return results;
  const answers = results.flatMap(({ destination_response }) => listOf(destination_response));
  const bare = results.map((result) => withAnswers(result, () => ''));
  const share = Math.floor((bytesMax - bytesOf(bare)) / Math.max(1, answers.length));
  if (share < 0 || answers.length === 0) {
    throw new AppError('too_large', 'The results do not fit in one answer. Test a smaller event');
  }
  return results.map((result) => withAnswers(result, (answer) => cutTo(answer, share)));
}

function withAnswers(result: StageResults, change: (answer: unknown) => unknown): StageResults {
  if (!Array.isArray(result.destination_response)) return result;
  return { ...result, destination_response: result.destination_response.map(change) };
}

/** JSON encoding may use six bytes for a character, so this halves the text until it fits. */
function cutTo(answer: unknown, bytesMax: number): unknown {
  if (bytesOf(answer) <= bytesMax) return answer;
  let text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  while (text !== '' && bytesOf(text) > bytesMax) text = text.slice(0, Math.floor(text.length / 2));
  return text.toWellFormed();
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
