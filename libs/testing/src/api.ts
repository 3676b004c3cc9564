/** The caller's identity. `bearer` and `basic` are the first account, `admin` is the admin pair. */
export type Caller =
  | 'bearer'
  | 'basic'
  | 'admin'
  | 'nobody'
  | { token: string }
  | { user: string; password: string }
  | { writeKey: string };

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body. Undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any answer and assert on them
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
}

export interface Api {
  get(path: string, options?: RequestOptions): Promise<Answer>;
  /** Sends objects as JSON, and text and bytes unchanged. */
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
}

/** The facts about a stack that a caller needs. */
interface Reachable {
  /** Base URL of each gateway. */
  urls: string[];
  email: string;
  accessToken: string;
  admin: { user: string; password: string };
}

/** A client for one caller on a stack's first gateway, or on that of another replica. */
export function api(stack: Reachable, caller: Caller = 'bearer', replica = 0): Api {
  const base = stack.urls[replica];
  if (!base) throw new Error(`the stack has no gateway ${replica}`);
  const authorization = authorizationOf(stack, caller);
  const send = (method: string, path: string, options: RequestOptions = {}, body?: unknown) =>
    request(urlOf(base, path, options), method, { ...(authorization && { authorization }), ...options.headers }, body);
  return {
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, options, body),
    put: (path, body, options) => send('PUT', path, options, body),
    patch: (path, body, options) => send('PATCH', path, options, body),
    delete: (path, options) => send('DELETE', path, options),
  };
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function authorizationOf(stack: Reachable, caller: Caller): string | undefined {
  if (caller === 'nobody') return undefined;
  if (caller === 'bearer') return `Bearer ${stack.accessToken}`;
  if (caller === 'basic') return basic(stack.email, stack.accessToken);
  if (caller === 'admin') return basic(stack.admin.user, stack.admin.password);
  if ('token' in caller) return `Bearer ${caller.token}`;
  if ('writeKey' in caller) return basic(caller.writeKey, '');
  return basic(caller.user, caller.password);
}

function urlOf(base: string, path: string, { query = {} }: RequestOptions): string {
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
  return url.href;
}

async function request(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
