import type { BaseRequest } from './base-requests.js';
import { ALWAYS, ALWAYS_ENCODED, ODD_HEADERS, ODD_PARAMETERS, ODD_VALUES } from './odd-values.js';

/** A request with one odd value in it. */
export interface FuzzRequest {
  base: BaseRequest;
  /** Readable place of the odd value: `query limit`, `body users.0.userId`. */
  place: string;
  odd: string;
  /** Whether it is part of every run. */
  always: boolean;
  line: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Headers that routes read, even if the document does not list them. */
const HEADERS = ['x-request-id', 'x-forwarded-for', 'if-none-match', 'accept', 'origin', 'traceparent'];
/** Customers define anything deeper in a body. */
const PLACE_DEPTH_MAX = 4;

/** All requests that differ from the base request in one place. */
export function fuzzRequests(base: BaseRequest): FuzzRequest[] {
  const { path, query, body } = base;
  const parameters = base.route.operation.parameters ?? [];
  const namesIn = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const inPath = Object.keys(path).flatMap((name) =>
    ODD_PARAMETERS.filter(Boolean).map((odd) =>
      made(base, { place: `path ${name}`, odd, path: { ...path, [name]: odd } }),
    ),
  );
  const inQuery = namesIn('query').flatMap((name) => [
    ...ODD_PARAMETERS.map((odd) => made(base, { place: `query ${name}`, odd, query: { ...query, [name]: odd } })),
    made(base, { place: `query ${name}`, odd: 'twice', query: { ...query, [name]: `a&${name}=b` } }),
    made(base, { place: `query ${name}`, odd: 'nested', query: { ...query, [`${name}[a]`]: 'b' } }),
  ]);
  const inHeaders = [...HEADERS, ...namesIn('header')].flatMap((name) =>
    ODD_HEADERS.map((odd) => made(base, { place: `header ${name}`, odd, headers: { [name.toLowerCase()]: odd } })),
  );
  const inBody =
    body === undefined
      ? []
      : [[], ...placesIn(body)].flatMap((at) =>
          ODD_VALUES.map((odd) => {
            const text = JSON.stringify(replaced(body, at, odd));
            return made(base, { place: `body ${at.join('.')}`, odd: JSON.stringify(odd), body: text, value: odd });
          }),
        );
  return [...inPath, ...inQuery, ...inHeaders, ...inBody];
}

interface Difference {
  place: string;
  odd: string;
  value?: unknown;
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
}

/** Inserts parameters unchanged, because they are encoded already or wrong on purpose. */
function made(base: BaseRequest, { place, odd, value, ...difference }: Difference): FuzzRequest {
  const { route, headers } = base;
  const { path, query, body } = { ...base, body: JSON.stringify(base.body), ...difference };
  const target = route.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const search = Object.entries(query).map(([name, text]) => `${name}=${text}`);
  return {
    base,
    place,
    odd,
    always: ALWAYS.includes(value as string) || ALWAYS_ENCODED.includes(odd),
    line: `${route.method} ${target}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    headers: { ...headers, ...difference.headers },
    body,
  };
}

/** Places of all values in a body, including containers. */
function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || at.length === PLACE_DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...placesIn(inner, [...at, key])]);
}

function replaced(value: unknown, [key, ...below]: string[], odd: unknown): unknown {
  if (key === undefined) return odd;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], below, odd);
  return copy;
}
