import type { StreamMessage } from './stream-message.js';

/** While several sources wait, each gets this part of a call, and so does each workspace while several wait. */
const SHARE = 1 / 4;

/**
 * The messages of one partition that wait for a call, each source in stream order. Sources take turns, and so do workspaces,
 * because a partition belongs to many of them. A busy sender delays another by one call, however much it sends.
 */
export class WaitingMessages implements Iterable<StreamMessage> {
  /** Messages by workspace and by subject, which names the source. The one that was served last comes last. */
  private readonly workspaces = new Map<string, Map<string, StreamMessage[]>>();

  get isEmpty(): boolean {
    return this.workspaces.size === 0;
  }

  *[Symbol.iterator](): IterableIterator<StreamMessage> {
    for (const sources of this.workspaces.values()) for (const messages of sources.values()) yield* messages;
  }

  /** The messages of one source, in stream order. */
  of(subject: string): readonly StreamMessage[] {
    return this.workspaces.get(workspaceOf(subject))?.get(subject) ?? [];
  }

  /** Adds a message in its place. Returns false if it replaces an earlier copy. */
  add(message: StreamMessage): boolean {
    const { subject } = message;
    const sources = this.workspaces.get(workspaceOf(subject)) ?? new Map<string, StreamMessage[]>();
    const messages = sources.get(subject) ?? [];
    this.workspaces.set(workspaceOf(subject), sources.set(subject, messages));
    const last = messages.at(-1);
    const isNewest = last === undefined || compare(last, message) < 0;
    const at = isNewest ? messages.length : messages.findIndex((held) => compare(held, message) >= 0);
    const earlier = messages[at];
    const isAgain = earlier !== undefined && compare(earlier, message) === 0;
    messages.splice(at, isAgain ? 1 : 0, message);
    return !isAgain;
  }

  /** Removes the messages of one source that fail the test. */
  keep(subject: string, isKept: (message: StreamMessage) => boolean): void {
    const sources = this.workspaces.get(workspaceOf(subject));
    const messages = sources?.get(subject)?.filter(isKept) ?? [];
    // replaces the value in its place, so the turn stays
    if (messages.length > 0) sources?.set(subject, messages);
    else sources?.delete(subject);
    if (sources?.size === 0) this.workspaces.delete(workspaceOf(subject));
  }

  /**
   * The messages of the next call, up to the limit and at least one. A source that waits alone may fill the call. A message that
   * is larger than a share gets a call of its own when its turn comes.
   */
  next(bytesMax: number): StreamMessage[] {
    const subjects = [...this.workspaces.values()].flatMap((sources) => [...sources.keys()]);
    const ofSource = subjects.length === 1 ? bytesMax : bytesMax * SHARE;
    const ofWorkspace = this.workspaces.size === 1 ? bytesMax : bytesMax * SHARE;
    const lefts = new Map<string, number>();
    const chosen: StreamMessage[] = [];
    let left = bytesMax;
    for (const subject of subjects) {
      const workspace = workspaceOf(subject);
      const room = lefts.get(workspace) ?? ofWorkspace;
      const messages = upTo(Math.min(left, room, ofSource), this.of(subject));
      if (subject === subjects[0] && messages.length === 0) return this.served(firstOf(this.of(subject)));
      left -= bytesOf(messages);
      lefts.set(workspace, room - bytesOf(messages));
      chosen.push(...messages);
    }
    return this.served(chosen);
  }

  clear(): void {
    this.workspaces.clear();
  }

  /** Puts the sources of these messages behind the others. */
  private served(chosen: StreamMessage[]): StreamMessage[] {
    for (const subject of new Set(chosen.map((message) => message.subject))) {
      const workspace = workspaceOf(subject);
      const sources = this.workspaces.get(workspace);
      const messages = sources?.get(subject);
      if (!sources || !messages) continue;
      sources.delete(subject);
      sources.set(subject, messages);
      this.workspaces.delete(workspace);
      this.workspaces.set(workspace, sources);
    }
    return chosen;
  }
}

/** Groups subjects of one partition by workspace: the last token is the source. */
export const workspaceOf = (subject: string): string => subject.slice(0, subject.lastIndexOf('.'));

/**
 * The first messages that fit. All batches of a stream message stay together. If only some of them were handled, the next owner
 * would get them again with the others.
 */
function upTo(bytesMax: number, messages: readonly StreamMessage[]): readonly StreamMessage[] {
  let bytes = 0;
  const over = messages.findIndex(({ data }) => {
    bytes += data.length;
    return bytes > bytesMax;
  });
  if (over === -1) return messages;
  const sequence = messages[over]?.sequence;
  return messages.slice(
    0,
    messages.findIndex((message) => message.sequence === sequence),
  );
}

const firstOf = (messages: readonly StreamMessage[]): StreamMessage[] =>
  messages.filter(({ sequence }) => sequence === messages[0]?.sequence);

type Position = Pick<StreamMessage, 'sequence' | 'position'>;
const compare = (a: Position, b: Position) => a.sequence - b.sequence || a.position - b.position;

export const bytesOf = (messages: Iterable<StreamMessage>): number => {
  let bytes = 0;
  for (const { data } of messages) bytes += data.length;
  return bytes;
};
