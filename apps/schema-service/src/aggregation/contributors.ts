import { type JsonObject, normalizeUserId } from '@weir/contracts';

/** Who had a value, as long as nobody else had it. */
export interface Contributor {
  /** A keyed hash: tells one from another, and nobody who it is. */
  readonly key: string;
}

/** Makes the keys; only whoever knows the service's secret can. */
export interface ContributorKeys {
  userKey(workspaceId: string, userId: string): string;
  anonymousKey(workspaceId: string, anonymousId: string): string;
}

/** The users of one flush, each once, so that they are compared by reference. */
export class Contributors {
  private readonly workspaces = new Map<string, Workspace>();

  constructor(private readonly keys: ContributorKeys) {}

  /** Whose event it is: its user's, or else its anonymous one's; undefined when it is of nobody. */
  of(workspaceId: string, { userId, anonymousId }: JsonObject): Contributor | undefined {
    let workspace = this.workspaces.get(workspaceId);
    if (!workspace) {
      workspace = { users: new Map(), anonymous: new Map() };
      this.workspaces.set(workspaceId, workspace);
    }
    return (
      known(workspace.users, userId, (id) => this.keys.userKey(workspaceId, id)) ??
      known(workspace.anonymous, anonymousId, (id) => this.keys.anonymousKey(workspaceId, id))
    );
  }
}

/** By id as events write it; null: it names nobody. */
type People = Map<unknown, Contributor | null>;

interface Workspace {
  users: People;
  anonymous: People;
}

function known(people: People, written: unknown, keyOf: (id: string) => string): Contributor | undefined {
  if (written === undefined) return undefined;
  let contributor = people.get(written);
  if (contributor === undefined) {
    const id = normalizeUserId(written);
    contributor = id === undefined ? null : new LazyContributor(() => keyOf(id));
    people.set(written, contributor);
  }
  return contributor ?? undefined;
}

/** Most values are everybody's: most keys are never asked for. */
class LazyContributor implements Contributor {
  private made: string | undefined;

  constructor(private readonly make: () => string) {}

  get key(): string {
    this.made ??= this.make();
    return this.made;
  }
}

/** One, if both are the same; undefined stands for several. */
export const both = (left: Contributor | undefined, right: Contributor | undefined): Contributor | undefined =>
  left === right || (left && right && left.key === right.key) ? left : undefined;
