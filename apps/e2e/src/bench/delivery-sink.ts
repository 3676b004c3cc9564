import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Receives the events of a bench. Counts them by path and records how long each took. */
export class DeliverySink {
  /** Milliseconds from `sentAt` of an event to its arrival, by path. */
  readonly latencies = new Map<string, number[]>();
  /** Paths that never answer. */
  readonly hanging = new Set<string>();
  /** How long it takes to answer, in milliseconds. */
  answerMs = 0;
  duplicates = 0;
  private readonly seen = new Set<string>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** `http://127.0.0.1:port` */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Number of different events that arrived at paths with this prefix. */
  arrived(prefix: string): number {
    return [...this.latencies].reduce((sum, [path, taken]) => sum + (path.startsWith(prefix) ? taken.length : 0), 0);
  }

  clear(): void {
    this.latencies.clear();
    this.seen.clear();
    this.duplicates = 0;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    if (this.hanging.has(path)) return;
    this.note(path, JSON.parse(body));
    if (this.answerMs > 0) setTimeout(() => response.end(), this.answerMs);
    else response.end();
  }

  private note(path: string, { messageId, properties }: { messageId: string; properties: { sentAt: number } }): void {
    const key = `${path} ${messageId}`;
    if (this.seen.has(key)) {
      this.duplicates += 1;
      return;
    }
    this.seen.add(key);
    const taken = this.latencies.get(path) ?? [];
    taken.push(Date.now() - properties.sentAt);
    this.latencies.set(path, taken);
  }
}
