/** Part of what is free that all sources of a workspace may hold together. */
const WORKSPACE_SHARE = 1;
/** Part of what is free that one source may hold: half of its workspace's, so that its neighbours there have room, too. */
const SOURCE_SHARE = 1 / 2;

/** Whose bytes are held. */
export interface Owner {
  workspaceId: string;
  /** Undefined on the control plane. */
  sourceId?: string;
}

/** What one request holds of the bound. Has to be released in a `finally`. */
export interface Hold {
  /** Throws the refusal when its owner or all requests together would hold too much. */
  add(bytes: number): void;
  /** Gives back a part. */
  drop(bytes: number): void;
  release(): void;
}

/**
 * Bounds the memory of bodies that were received and are not yet dealt with, in bytes over the whole process. Nobody may
 * hold more than a part of what is **free**: alone, a source gets a third of everything and a workspace half of it; the
 * more are greedy, the less each may hold, and something is always left for who comes next. Why: `docs/decisions/0003-intake-memory.md`.
 */
export class InFlightBytes {
  private used = 0;
  private readonly heldBy = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly noRoom: () => Error,
  ) {}

  get bytes(): number {
    return this.used;
  }

  open({ workspaceId, sourceId }: Owner): Hold {
    let held = 0;
    const take = (bytes: number) => {
      this.used += bytes;
      held += bytes;
      this.count(workspaceId, bytes);
      if (sourceId !== undefined) this.count(sourceId, bytes);
    };
    return {
      add: (bytes) => {
        if (!this.fits(workspaceId, WORKSPACE_SHARE, bytes)) throw this.noRoom();
        if (sourceId !== undefined && !this.fits(sourceId, SOURCE_SHARE, bytes)) throw this.noRoom();
        take(bytes);
      },
      drop: (bytes) => take(-bytes),
      release: () => take(-held),
    };
  }

  private fits(owner: string, share: number, bytes: number): boolean {
    return (this.heldBy.get(owner) ?? 0) + bytes <= share * (this.max - this.used);
  }

  private count(owner: string, bytes: number): void {
    const held = (this.heldBy.get(owner) ?? 0) + bytes;
    if (held === 0) this.heldBy.delete(owner);
    else this.heldBy.set(owner, held);
  }
}
