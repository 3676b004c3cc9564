/** A workspace alone may hold this part of the room. Another one finds room for its largest message in the rest. */
const WORKSPACE_PART = 3 / 4;

interface Waiting {
  bytes: number;
  begin: () => void;
}

interface Owner {
  held: number;
  waiting: Set<Waiting>;
}

/**
 * Limits the bytes that a process works on at a time, and shares them by workspace. Workspaces that wait take turns, so one with
 * thousands of destinations waits behind itself.
 */
export class FairRoom {
  /** Workspaces that hold or want room, in the order in which they are served next. */
  private readonly owners = new Map<string, Owner>();
  private used = 0;

  constructor(private readonly bytesMax: number) {}

  /** Resolves to true when the workspace got the bytes, or to false, without them, when `signal` aborts. */
  async take(workspaceId: string, bytes: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const owner = this.owners.get(workspaceId) ?? { held: 0, waiting: new Set() };
    this.owners.set(workspaceId, owner);
    return new Promise((resolve) => {
      const leave = () => {
        owner.waiting.delete(waiting);
        resolve(false);
        this.serve();
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const waiting = { bytes, begin };
      signal.addEventListener('abort', leave, { once: true });
      owner.waiting.add(waiting);
      this.serve();
    });
  }

  give(workspaceId: string, bytes: number): void {
    const owner = this.owners.get(workspaceId);
    if (owner) owner.held -= bytes;
    this.used -= bytes;
    this.serve();
  }

  private serve(): void {
    for (const [id, { held, waiting }] of this.owners) if (held === 0 && waiting.size === 0) this.owners.delete(id);
    for (let next = this.next(); next; next = this.next()) {
      const { id, owner, first } = next;
      owner.waiting.delete(first);
      owner.held += first.bytes;
      this.used += first.bytes;
      this.owners.delete(id);
      this.owners.set(id, owner);
      first.begin();
    }
  }

  private next(): { id: string; owner: Owner; first: Waiting } | undefined {
    for (const [id, owner] of this.owners) {
      const [first] = owner.waiting;
      // a request above the limit is granted when nobody holds anything, otherwise it would wait forever
      const isWithinShare = first && (owner.held === 0 || owner.held + first.bytes <= this.bytesMax * WORKSPACE_PART);
      if (!isWithinShare) continue;
      const fits = this.used === 0 || this.used + first.bytes <= this.bytesMax;
      return fits ? { id, owner, first } : undefined; // smaller requests of others do not overtake it
    }
    return undefined;
  }
}
