/** Fraction of the free bytes that all sources of a workspace may hold together. */
const WORKSPACE_SHARE = 1;
/** Fraction of the free bytes that one source may hold. Half of the workspace's share leaves room for its other sources. */
const SOURCE_SHARE = 1 / 2;

/** The owner of the share of memory against which bytes count. */
export interface Holder {
  workspaceId: string;
  /** Undefined on the control plane. */
  sourceId?: string;
}

/** The bytes that one request holds. Release it in a `finally`. */
export interface Hold {
  /** The most bytes that it held at a time. */
  readonly most: number;
  /** Throws the refusal if the holder or all requests together would hold too much. */
  add(bytes: number): void;
  /** Gives back some bytes. */
  drop(bytes: number): void;
  release(): void;
}

/**
 * Bounds the memory of bodies in progress, in bytes per process. Each holder may hold a fraction of the bytes that are **free**. A
 * source that is alone gets a third of the limit, a workspace half of it. Each further holder gets less, and some room always
 * remains for the next. Why: `docs/decisions/0003-intake-memory.md`.
 */
export class InFlightBytes {
  private used = 0;
  private readonly heldBy = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly noRoom: () => Error,
    /** Most bytes of one holder, however many are free. */
    private readonly holderMax = Number.POSITIVE_INFINITY,
  ) {}

  get bytes(): number {
    return this.used;
  }

  open({ workspaceId, sourceId }: Holder): Hold {
    let held = 0;
    let most = 0;
    const take = (bytes: number) => {
      this.used += bytes;
      held += bytes;
      most = Math.max(most, held);
      this.count(workspaceId, bytes);
      if (sourceId !== undefined) this.count(sourceId, bytes);
    };
    return {
      get most() {
        return most;
      },
      add: (bytes) => {
        if (!this.fits(workspaceId, WORKSPACE_SHARE, bytes)) throw this.noRoom();
        if (sourceId !== undefined && !this.fits(sourceId, SOURCE_SHARE, bytes)) throw this.noRoom();
        take(bytes);
      },
      drop: (bytes) => take(-bytes),
      release: () => take(-held),
    };
  }

  private fits(holder: string, share: number, bytes: number): boolean {
    const most = Math.min(this.holderMax, share * (this.max - this.used));
    return (this.heldBy.get(holder) ?? 0) + bytes <= most;
  }

  private count(holder: string, bytes: number): void {
    const held = (this.heldBy.get(holder) ?? 0) + bytes;
    if (held === 0) this.heldBy.delete(holder);
    else this.heldBy.set(holder, held);
  }
}
