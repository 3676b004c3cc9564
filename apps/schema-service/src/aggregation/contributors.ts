import { type JsonObject, normalizeUserId } from '@weir/contracts';

/** The only user seen with a value so far. */
export interface Contributor {
  /**
   * A keyed hash, which tells users apart without revealing who they are. After a rotation of the secret: several hashes of the same
   * user, the newest first.
   */
  readonly key: string;
}

/** Stands between the hashes of one key. No hash contains it. */
export const CONTRIBUTOR_SEPARATOR = '.';

/** Makes contributor keys. Only a holder of the service's secret can make them. */
export interface ContributorKeys {
  userKey(workspaceId: string, userId: string): string;
  anonymousKey(workspaceId: string, anonymousId: string): string;
}

/** Limits of the cache: users, and characters of their ids. */
const PEOPLE_MAX = 50_000;
const CHARS_MAX = 4_194_304;

/** Holds one object per user, so that a flush compares contributors by reference. */
export class Contributors {
  private people = 0;
  private chars = 0;
  private readonly workspaces = new Map<string, Workspace>();

  constructor(private readonly keys: ContributorKeys) {}

  /** The event's user, or else its anonymous user. Undefined if the event names neither. */
  of(workspaceId: string, { userId, anonymousId }: JsonObject): Contributor | undefined {
    let workspace = this.workspaces.get(workspaceId);
    if (!workspace) {
      workspace = { users: new Map(), anonymous: new Map() };
      this.workspaces.set(workspaceId, workspace);
    }
    return (
      this.known(workspace.users, userId, (id) => this.keys.userKey(workspaceId, id)) ??
      this.known(workspace.anonymous, anonymousId, (id) => this.keys.anonymousKey(workspaceId, id))
    );
  }

  /** The aggregator replaces the cache before the next flush once this is true. */
  get areMany(): boolean {
    return this.people > PEOPLE_MAX || this.chars > CHARS_MAX;
  }

  private known(people: People, written: unknown, keyOf: (id: string) => string): Contributor | undefined {
    if (typeof written !== 'string' && typeof written !== 'number') return undefined;
    const contributor = people.get(written);
    return contributor === undefined ? this.meet(people, written, keyOf) : (contributor ?? undefined);
  }

  private meet(people: People, written: string | number, keyOf: (id: string) => string): Contributor | undefined {
    const id = normalizeUserId(written);
    const contributor = id === undefined ? null : new LazyContributor(id, keyOf);
    people.set(written, contributor);
    this.people += 1;
    this.chars += 2 * String(written).length; // the id as written, and trimmed
    return contributor ?? undefined;
  }
}

/** Keyed by id as events write it. Null means that the id names nobody. */
type People = Map<string | number, Contributor | null>;

interface Workspace {
  users: People;
  anonymous: People;
}

/** Computes its key on first use. Most values have several contributors, so most keys are never needed. */
class LazyContributor implements Contributor {
  private made: string | undefined;

  constructor(
    private readonly id: string,
    private readonly keyOf: (id: string) => string,
  ) {}

  get key(): string {
    this.made ??= this.keyOf(this.id);
    return this.made;
  }
}

/** The contributor if both sides are the same one. Undefined stands for several. */
export function both(left: Contributor | undefined, right: Contributor | undefined): Contributor | undefined {
  if (left === right || !left || !right) return left && right;
  if (left.key === right.key) return left;
  if (!shareAHash(left.key, right.key)) return undefined;
  // The one with more hashes is found under each of them.
  return left.key.length > right.key.length ? left : right;
}

/** Whether two keys belong to one user: one from before a rotation, and one from after it. */
function shareAHash(left: string, right: string): boolean {
  if (!left.includes(CONTRIBUTOR_SEPARATOR) && !right.includes(CONTRIBUTOR_SEPARATOR)) return false;
  const hashes = new Set(left.split(CONTRIBUTOR_SEPARATOR));
  return right.split(CONTRIBUTOR_SEPARATOR).some((hash) => hashes.has(hash));
}
