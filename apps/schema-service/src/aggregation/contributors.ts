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

/** Users whose keys are remembered, and the characters of their ids. */
const PEOPLE_MAX = 50_000;
const CHARS_MAX = 4_194_304;

/** Users, each once, so that within one flush they are compared by reference. */
export class Contributors {
  private people = 0;
  private chars = 0;
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
      this.known(workspace.users, userId, (id) => this.keys.userKey(workspaceId, id)) ??
      this.known(workspace.anonymous, anonymousId, (id) => this.keys.anonymousKey(workspaceId, id))
    );
  }

  /** Between two flushes they are forgotten then. */
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
    this.chars += 2 * String(written).length; // as it is written, and trimmed
    return contributor ?? undefined;
  }
}

/** By id as events write it; null: it names nobody. */
type People = Map<string | number, Contributor | null>;

interface Workspace {
  users: People;
  anonymous: People;
}

/** Most values are everybody's: most keys are never asked for. */
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

/** One, if both are the same; undefined stands for several. */
export const both = (left: Contributor | undefined, right: Contributor | undefined): Contributor | undefined =>
  left === right || (left && right && left.key === right.key) ? left : undefined;
