import { type RecordedRequest, type RecordingServer, type Reply, recordingServer } from '@weir/testing';
import { now, type Recorder } from './recorder.js';

/** Destinations of all workspaces in one server. `/in/<workspace>` takes events, `/forget/<workspace>` takes erasures. */
export class Sink {
  private readonly recorders = new Map<string, Recorder>();
  /** Decides about events. An empty reply is a healthy destination's. */
  private reply: () => Reply = () => ({});

  private constructor(private readonly server: RecordingServer) {
    server.answer((request) => this.take(request));
  }

  static async open(): Promise<Sink> {
    return new Sink(await recordingServer());
  }

  get url(): string {
    return this.server.url;
  }

  /** From now on, what arrives for this workspace is written there, also after its round has ended. */
  recordTo(recorder: Recorder, workspace: string): void {
    this.recorders.set(workspace, recorder);
  }

  /** From now on, events are answered like this. */
  behave(reply: () => Reply): void {
    this.reply = reply;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private take({ path, json }: RecordedRequest): Reply {
    this.server.requests.length = 0; // the history has them
    const [, what, workspace = ''] = path.split('/');
    if (what === 'forget') return this.forget(workspace, json);
    const { messageId: id, version } = json as { messageId: string; version?: number };
    const reply = this.reply();
    const { status = 200, hang, reset, delayMs = 0 } = reply;
    const isTaken = status < 300 && !hang && !reset && delayMs < LATE_MS;
    const arrival = { kind: 'arrival', at: now(), workspace, destination: workspace, id, isTaken } as const;
    this.recorders.get(workspace)?.write({ ...arrival, ...(version !== undefined && { version }) });
    return reply;
  }

  private forget(workspace: string, json: unknown): Reply {
    const { users = [] } = json as { users?: { userId: string }[] };
    for (const { userId: user } of users) {
      this.recorders.get(workspace)?.write({ kind: 'erasure', at: now(), workspace, destination: workspace, user });
    }
    return {};
  }
}

/** Weir waits 10 s for an answer, so it may not have heard a later one. */
const LATE_MS = 9_000;
