import createFetchClient from 'openapi-fetch';
import { errorOf, noAnswer } from './error.js';
import type { paths } from './generated/api.js';
import { type LiveEvent, type LiveOptions, watch } from './live-events.js';
import { type RetryOptions, retrying } from './retries.js';
import type { Answer, Call, Paginate } from './types.js';

/** Where Weir is, and who asks. */
export interface ClientOptions {
  /** Address of the gateway, such as `https://weir.example.com`. */
  url: string;
  /** Access token of a workspace. Without one, only public routes answer. */
  token?: string | undefined;
  /** Sent with each request. `authorization` here wins over `token`, for routes that take a write key or the operator's pair. */
  headers?: Record<string, string> | undefined;
  /** Sends requests instead of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  retries?: RetryOptions | undefined;
}

/** A client of the Weir API. */
export interface WeirClient {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
  PATCH: Call<'patch'>;
  /** Iterates over the items of a list, page by page. */
  paginate: Paginate;
  /** Watches events live, until the loop is left or the signal is aborted. Throws a `WeirError` if the server refuses. */
  liveEvents(options?: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>;
}

/** Makes a client. It sends nothing until it is called. */
export function createClient({
  url,
  token,
  headers,
  fetch = (request) => globalThis.fetch(request),
  retries,
}: ClientOptions): WeirClient {
  const api = createFetchClient<paths>({
    baseUrl: url.replace(/\/$/, ''),
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    fetch: retrying(fetch, retries),
  });
  const GET = answering(url, api.GET) as Call<'get'>;
  return {
    GET,
    POST: answering(url, api.POST) as Call<'post'>,
    PUT: answering(url, api.PUT) as Call<'put'>,
    DELETE: answering(url, api.DELETE) as Call<'delete'>,
    PATCH: answering(url, api.PATCH) as Call<'patch'>,
    paginate: ((path, init) => pagesOf(GET as AnyCall, path, init)) as Paginate,
    liveEvents: (options) => watch(GET, options),
  };
}

/** The data of an answer. Throws its `WeirError` if there is one. */
export async function unwrap<Data>(answer: Answer<Data> | Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await answer;
  if (error) throw error;
  return data as Data;
}

interface AnyInit {
  params?: { query?: Record<string, unknown> };
  signal?: AbortSignal | null;
}
type AnyCall = (path: string, init?: AnyInit) => Promise<Answer<unknown>>;
type AnyFetch = (path: string, init?: AnyInit) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Turns what a server or a broken connection says into a typed error. The types of `Call` say what `api` answers. */
function answering(url: string, call: unknown): unknown {
  const send = call as AnyFetch;
  return async (path: string, init?: AnyInit): Promise<Answer<unknown>> => {
    try {
      const { data, response, error } = await send(path, init);
      return response.ok ? { data, response } : { error: errorOf(response, error), response };
    } catch (thrown) {
      return { error: noAnswer(url, thrown, init?.signal) };
    }
  };
}

async function* pagesOf(get: AnyCall, path: string, init: AnyInit = {}): AsyncGenerator<unknown, void, undefined> {
  const asked = new Set<string>();
  for (let query = init.params?.query; ; ) {
    const { data, error, response } = await get(path, { ...init, params: { ...init.params, ...(query && { query }) } });
    if (error) throw error;
    yield* itemsOf(data);
    query = nextQuery(data, response.headers);
    if (!query) return;
    const next = JSON.stringify(query);
    // such a list would be read for ever
    if (asked.has(next)) throw new Error(`The list ${path} does not end: its page ${next} came twice`);
    asked.add(next);
  }
}

type Query = Record<string, unknown>;

/** The items of a page: the answer itself, or the only list in it. */
function itemsOf(page: unknown): unknown[] {
  if (Array.isArray(page)) return page;
  const lists = Object.values(page ?? {}).filter((value) => Array.isArray(value));
  return lists[0] ?? [];
}

/** The query of the next page. Most lists name its path in `paging.next`, bare ones in a `Link` header (RFC 8288). */
function nextQuery(page: unknown, headers: Headers): Query | undefined {
  const next = (page as { paging?: { next?: string } } | undefined)?.paging?.next ?? linkTo('next', headers);
  const query = next?.split('?')[1];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

function linkTo(relation: string, headers: Headers): string | undefined {
  const links = headers.get('link')?.split(',') ?? [];
  const link = links.find((one) => one.includes(`rel="${relation}"`));
  return link?.split('>')[0]?.split('<')[1];
}
