import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** Keys per page, small enough that tests see more than one. */
const PAGE_KEYS = 3;

export interface ObjectStore {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Contents by key. There is one bucket. */
  objects: Map<string, Buffer>;
  /** Method and key of each request that was answered, in order. */
  requests: string[];
  /** Every request gets 503 while this is set. */
  isAway: boolean;
  /** Called with the key of each object that was stored, before the answer. */
  onStored: (key: string) => Promise<void> | void;
  /** Called with the key of each object that is read, before the answer. */
  onRead: (key: string) => Promise<void> | void;
  /** The JSON values of all lines below a prefix, by key and line. */
  lines<T>(prefix?: string): T[];
  close(): Promise<void>;
}

/** Stands in for a store with the API of S3: one bucket, addressed by path. It checks no signature. */
export async function objectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const store: ObjectStore = {
    ...{ url: '', objects, requests: [], isAway: false, onStored: () => undefined, onRead: () => undefined },
    lines: <T>(prefix = '') =>
      [...objects]
        .filter(([key]) => key.startsWith(prefix))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, body]) => gunzipSync(body).toString('utf8').split('\n').filter(Boolean))
        .map((line) => JSON.parse(line) as T),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => void answer(store, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}

async function answer(store: ObjectStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store');
  const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
  const body = await buffer(request).catch(() => undefined);
  if (!body) return;
  if (store.isAway) return refuse(response, 503, 'SlowDown');
  store.requests.push(`${request.method} ${key}`);
  if (request.method === 'PUT') return put(store, key, { body, ifMatch: request.headers['if-match'] }, response);
  if (request.method === 'DELETE') {
    store.objects.delete(key);
    response.writeHead(204).end();
  } else if (key === '') response.setHeader('content-type', 'application/xml').end(listing(store, url.searchParams));
  else await get(store, key, response);
}

async function put(
  store: ObjectStore,
  key: string,
  { body, ifMatch }: { body: Buffer; ifMatch: string | undefined },
  response: ServerResponse,
): Promise<void> {
  const known = store.objects.get(key);
  if (ifMatch !== undefined && (!known || etagOf(known) !== ifMatch))
    return refuse(response, 412, 'PreconditionFailed');
  store.objects.set(key, body);
  await store.onStored(key);
  response.setHeader('etag', etagOf(body)).end();
}

async function get(store: ObjectStore, key: string, response: ServerResponse): Promise<void> {
  await store.onRead(key);
  const body = store.objects.get(key);
  if (!body) refuse(response, 404, 'NoSuchKey');
  else response.setHeader('etag', etagOf(body)).setHeader('content-length', body.length).end(body);
}

function listing({ objects }: ObjectStore, query: URLSearchParams): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const folderOf = (key: string) => {
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    return end < 0 ? undefined : key.slice(0, end + 1);
  };
  const names = [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => folderOf(key) ?? key);
  const left = [...new Set(names)].toSorted().filter((name) => name > after);
  const page = left.slice(0, PAGE_KEYS);
  const isMore = left.length > page.length;
  const entries = page.map((name) =>
    delimiter && name.endsWith(delimiter)
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`,
  );
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
};

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
