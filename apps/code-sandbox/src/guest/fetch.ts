import { nonPublicAddress } from './non-public.js';
import { parse, stringify } from './primordials.js';
import { settings } from './settings.js';
import { URL } from './web/url.js';

/**
 * `fetch` without a function of the host: a call lies here until the host comes to take it, and the host brings the
 * answer in the same way, both as JSON text.
 */
interface Ask {
  call: number;
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}
interface Response {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}
type Answer = { call: number; response?: Response; error?: string };

let untaken: Ask[] = [];
const waiting = new Map<number, (answer: Answer) => void>();
let calls = 0;

export function takeFetches(): string {
  const json = stringify(untaken);
  untaken = [];
  return json;
}

export function settleFetches(answersJson: string): void {
  for (const answer of parse(answersJson) as Answer[]) {
    waiting.get(answer.call)?.(answer);
    waiting.delete(answer.call);
  }
}

/** The parsed JSON of the answer; the text `ERROR` for anything else. Never rejects. */
export async function fetch(url: unknown, options?: unknown): Promise<unknown> {
  try {
    return parse((await send(url, options)).body);
  } catch {
    return 'ERROR';
  }
}

/** `{url, status, headers, body}`, the body parsed when it is JSON. Rejects with `{message, stack}` when there is no answer. */
export async function fetchV2(url: unknown, options?: unknown): Promise<Omit<Response, 'body'> & { body: unknown }> {
  const response = await send(url, options).catch((error: Error) => {
    const { message, stack } = error;
    throw { message, stack }; // no Error: code that was written for other runtimes looks at its keys
  });
  return { ...response, body: parsedOrText(response.body) };
}

function parsedOrText(body: string): unknown {
  try {
    return parse(body);
  } catch {
    return body;
  }
}

async function send(url: unknown, options: unknown): Promise<Response> {
  const request = requestOf(url, options);
  if (!settings.allowFetch) {
    const address = nonPublicAddress(new URL(request.url).hostname);
    throw new Error(
      address ? `blocked request to non-public address: ${address}` : 'fetch is not allowed in this workspace',
    );
  }
  if (calls >= settings.fetchesMax) throw new Error(`fetch can be called ${settings.fetchesMax} times in one run`);
  calls += 1;
  const call = calls;
  const { response, error } = await new Promise<Answer>((settle) => {
    waiting.set(call, settle);
    untaken.push({ call, ...request });
  });
  if (!response) throw new Error(error ?? 'fetch failed');
  return response;
}

function requestOf(url: unknown, options: unknown): Omit<Ask, 'call'> {
  if (url === undefined || url === null || url === '') throw new Error('fetch url is required');
  const parsed = URL.parse(url);
  if (!parsed) throw new Error(`invalid url, ${String(url)}`);
  if (!/^https?:$/.test(parsed.protocol)) throw new Error('invalid protocol, only http and https are supported');
  const { method = 'GET', headers = {}, body } = Object(options ?? {}) as Record<string, unknown>;
  const pairs: [unknown, unknown][] =
    Symbol.iterator in Object(headers) ? [...(headers as [])] : Object.entries(headers as object);
  return {
    url: parsed.href,
    method: String(method).toUpperCase(),
    headers: Object.fromEntries(pairs.map(([name, value]) => [String(name), String(value)])),
    ...(body !== undefined && body !== null && { body: String(body) }),
  };
}
