import { Egress, type EgressOptions } from './egress.js';

/** Owners with separate connections. An idle client costs little, and its idle connections close by themselves. */
const OWNERS_MAX = 1_024;

/**
 * Gives each owner (a workspace or a destination) its own client, with its own limits for connections and lookups. An owner that
 * waits for unresponsive hosts cannot use up the limits of others.
 */
export class EgressByOwner {
  private readonly clients = new Map<string, Egress>();
  private closed = false;

  constructor(private readonly options: Omit<EgressOptions, 'owner'>) {}

  /** Returns the owner's client. Do not keep it, because the least recently used client is dropped. */
  of(owner: string): Egress {
    const client = this.clients.get(owner) ?? new Egress({ ...this.options, owner });
    this.clients.delete(owner);
    // Requests of a closed client fail with `closed`.
    if (this.closed) void client.close();
    else this.keep(owner, client);
    return client;
  }

  /** Accepts no more requests. Resolves when those in progress have ended. */
  async close(): Promise<void> {
    this.closed = true;
    const clients = [...this.clients.values()];
    this.clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  /** A client that is dropped finishes its requests, and its idle connections expire. */
  private keep(owner: string, client: Egress): void {
    this.clients.set(owner, client);
    for (const oldest of this.clients.keys()) {
      if (this.clients.size <= OWNERS_MAX) break;
      this.clients.delete(oldest);
    }
  }
}
