import { refusalOfHost } from './non-public.js';
import {
  asObject,
  asText,
  entries,
  iterator,
  listFrom,
  newList,
  newTable,
  PlainError,
  PlainPromise,
  parse,
  setPrototypeOf,
  stringify,
  upperCase,
} from './primordials.js';
import { settings } from './settings.js';
import { parseUrl, serializeUrl } from './web/url-parse.js';

/**
 * `fetch` without a host function. A call waits here until the host takes it, and the host returns the answer the same way, both
 * as JSON text. The text is written when user code makes the call, on that code's own time. Taking it therefore runs no user
 * code.
 */
interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}
interface Response {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}
type Answer = { call: number; response: Response | undefined; error: string | undefined };

/** JSON of the waiting calls, joined by commas. */
let untaken = '';
let calls = 0;
const waiting = newList<(answer: Answer) => void>();

/** Forgets the calls of an earlier run. */
export function resetFetches(): void {
  untaken = '';
  calls = 0;
  waiting.length = 0;
}

export function takeFetches(): string {
  const json = `[${untaken}]`;
  untaken = '';
  return json;
}

export function settleFetches(answersJson: string): void {
  const answers = parse(answersJson) as Answer[];
  for (let index = 0; index < answers.length; index += 1) {
    const answer = setPrototypeOf(answers[index], null) as Answer;
    waiting[answer.call]?.(answer);
  }
}

/** Returns the parsed JSON of the answer, or the text `ERROR`. Never rejects. */
export async function fetch(url: unknown, options?: unknown): Promise<unknown> {
  try {
    return parse((await send(url, options)).body);
  } catch {
    return 'ERROR';
  }
}

/**
 * Returns `{url, status, headers, body}` with a parsed body if it is JSON. Rejects with `{message, stack}` if there is no answer.
 */
export async function fetchV2(url: unknown, options?: unknown): Promise<Omit<Response, 'body'> & { body: unknown }> {
  const response = await sendOrRefuse(url, options);
  return { ...response, body: parsedOrText(response.body) };
}

async function sendOrRefuse(url: unknown, options: unknown): Promise<Response> {
  try {
    return await send(url, options);
  } catch (error) {
    const { message, stack } = error as { message: unknown; stack: unknown };
    throw { message, stack }; // a plain object, because code written for other runtimes looks at its keys
  }
}

function parsedOrText(body: string): unknown {
  try {
    return parse(body);
  } catch {
    return body;
  }
}

async function send(url: unknown, options: unknown): Promise<Response> {
  const { hostname, ...request } = requestOf(url, options);
  if (!settings.allowFetch) {
    throw new PlainError(refusalOfHost(hostname) ?? 'fetch is not allowed in this workspace');
  }
  const { response, error } = await answerTo(request);
  if (!response) throw new PlainError(error ?? 'fetch failed');
  return response;
}

/** Queues a call for the host. The limits here apply again in the child and in the supervisor. */
function answerTo(request: Request): Promise<Answer> {
  if (calls >= settings.fetchesMax) throw new PlainError(`fetch can be called ${settings.fetchesMax} times in one run`);
  const call = calls + 1;
  const text = askText(call, request);
  if (text.length > settings.fetchBytes)
    throw new PlainError(`The request is larger than ${settings.fetchBytes} bytes`);
  calls = call;
  untaken += `${untaken === '' ? '' : ','}${text}`;
  return new PlainPromise<Answer>((settle) => {
    waiting[call] = settle;
  });
}

/** Concatenates strings and prototype-free objects, so that no `toJSON` is ever called. */
function askText(call: number, { url, method, headers, body }: Request): string {
  const sent = body === undefined ? '' : `,"body":${stringify(body)}`;
  return `{"call":${call},"url":${stringify(url)},"method":${stringify(method)},"headers":${stringify(headers)}${sent}}`;
}

function requestOf(url: unknown, options: unknown): Request & { hostname: string } {
  if (url === undefined || url === null || url === '') throw new PlainError('fetch url is required');
  const record = parseUrl(asText(url));
  if (!record) throw new PlainError(`invalid url, ${asText(url)}`);
  if (record.scheme !== 'http' && record.scheme !== 'https') {
    throw new PlainError('invalid protocol, only http and https are supported');
  }
  const { method = 'GET', headers = {}, body } = asObject(options ?? {}) as Record<string, unknown>;
  return {
    hostname: asText(record.host ?? ''),
    url: asText(serializeUrl(record)),
    method: upperCase(asText(method)),
    headers: headersOf(asObject(headers) as object),
    body: body === undefined || body === null ? undefined : asText(body),
  };
}

/** Reads headers from an object or from an iterable of pairs. */
function headersOf(given: object): Record<string, string> {
  const pairs = iterator in given ? listFrom(given as Iterable<Iterable<unknown>>) : entries(given);
  const table = newTable<string>();
  for (let index = 0; index < pairs.length; index += 1) {
    const pair = listFrom(pairs[index] as ArrayLike<unknown>);
    table[asText(pair[0])] = asText(pair[1]);
  }
  return table;
}
