import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface StoredObject {
  bytes: Buffer;
  etag: string;
  writes: number;
  headers: IncomingMessage['headers'];
}

/** An object store for tests: lists in small pages, conditional writes, multipart uploads. It checks no signatures. */
export class ObjectStore {
  readonly objects = new Map<string, StoredObject>();
  pageSize = 2;
  /** Handles the request instead of the store if it returns true. */
  intercept: (method: string, url: URL, response: ServerResponse) => boolean = () => false;
  private readonly uploads = new Map<string, { headers: IncomingMessage['headers']; parts: Map<number, Buffer> }>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address ? `127.0.0.1:${address.port}` : '';
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  put(key: string, bytes: Buffer, headers: IncomingMessage['headers'] = {}): void {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    this.objects.set(key, { bytes, etag, headers, writes: (this.objects.get(key)?.writes ?? 0) + 1 });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://store');
    const body = await buffer(request);
    if (this.intercept(request.method ?? '', url, response)) return;
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (key === '') return this.list(url.searchParams, response);
    if (request.method === 'GET') return this.get(key, response);
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      this.uploads.set(key, { headers: request.headers, parts: new Map() });
      return reply(response, 200, `<R><Key>${key}</Key><UploadId>u1</UploadId></R>`);
    }
    const upload = this.uploads.get(key);
    const part = Number(url.searchParams.get('partNumber'));
    if (request.method === 'PUT' && upload && part > 0) {
      upload.parts.set(part, body);
      return reply(response, 200, '', { etag: `"${part}"` });
    }
    if (request.method === 'DELETE') return reply(response, 204, '');
    const current = this.objects.get(key);
    const match = request.headers['if-match'];
    if (match !== undefined && match !== current?.etag) return failure(response, 412, 'PreconditionFailed');
    const parts = [...(upload?.parts ?? [])].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    if (request.method === 'POST') this.put(key, Buffer.concat(parts), upload?.headers);
    else this.put(key, body, request.headers);
    reply(response, 200, '<R><ETag>"done"</ETag></R>', { etag: '"done"' });
  }

  private get(key: string, response: ServerResponse): void {
    const found = this.objects.get(key);
    if (!found) {
      failure(response, 404, 'NoSuchKey');
      return;
    }
    const { 'content-type': type = 'binary/octet-stream', 'x-amz-meta-batch': batch } = found.headers;
    const headers = { etag: found.etag, 'content-type': type, ...(batch && { 'x-amz-meta-batch': String(batch) }) };
    response.writeHead(200, { ...headers, 'content-length': found.bytes.length }).end(found.bytes);
  }

  private list(query: URLSearchParams, response: ServerResponse): void {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const prefix = query.get('prefix') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.pageSize);
    const isMore = keys.length > page.length;
    const more = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const truncated = `<IsTruncated>${isMore}</IsTruncated>`;
    reply(response, 200, `<ListBucketResult>${truncated}${more}${contents.join('')}</ListBucketResult>`);
  }
}

function reply(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
}

export const failure = (response: ServerResponse, status: number, code: string): void =>
  reply(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
