interface Marked {
  workspaceId: string;
  destinationId: string;
}

/** Destinations that wait to be worked on. Workspaces take turns, and so do the destinations of each, so none waits for many of another. */
export class ReplayTurns {
  /** Destinations by workspace, in the order of their turns. */
  private readonly waiting = new Map<string, Set<string>>();

  /** Behind the others of its workspace. One that waits already keeps its place. */
  add({ workspaceId, destinationId }: Marked): void {
    const own = this.waiting.get(workspaceId) ?? new Set();
    this.waiting.set(workspaceId, own.add(destinationId));
  }

  /** Takes the next one out. Undefined if none waits. */
  next(): Marked | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [workspaceId, own] = first;
    const [destinationId = ''] = own;
    own.delete(destinationId);
    this.waiting.delete(workspaceId);
    if (own.size > 0) this.waiting.set(workspaceId, own);
    return { workspaceId, destinationId };
  }
}
