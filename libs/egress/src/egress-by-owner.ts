import { Egress, type EgressOptions } from './egress.js';

/** Owners whose connections are kept apart at a time; an idle client costs little, and idle connections end by themselves. */
const OWNERS_MAX = 1_024;

/**
 * A client for each owner (a workspace, a destination): connections to one origin and look-ups are bounded for each, so that
 * one who waits for hosts that do not answer uses up nobody else's.
 */
export class EgressByOwner {
  private readonly clients = new Map<string, Egress>();
  private closed = false;

  constructor(private readonly options: Omit<EgressOptions, 'owner'>) {}

  /** Not to be kept: a client that was not asked for in a long time makes room for another. */
  of(owner: string): Egress {
    const client = this.clients.get(owner) ?? new Egress({ ...this.options, owner });
    this.clients.delete(owner);
    // Whoever comes late is told by the client itself.
    if (this.closed) void client.close();
    else this.keep(owner, client);
    return client;
  }

  /** Takes no more requests and resolves when those under way have ended. */
  async close(): Promise<void> {
    this.closed = true;
    const clients = [...this.clients.values()];
    this.clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  /** A client that is left out finishes what it has; its idle connections run out. */
  private keep(owner: string, client: Egress): void {
    this.clients.set(owner, client);
    for (const oldest of this.clients.keys()) {
      if (this.clients.size <= OWNERS_MAX) break;
      this.clients.delete(oldest);
    }
  }
}
