import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  AppError,
  AppendAudit,
  type Call,
  CheckSuppression,
  type CodeBundle,
  type DestinationRelease,
  type EventResult,
  FindDeletedDestinations,
  GetBundle,
  GetDestinationRelease,
  isAppError,
  type JsonObject,
  ListCredentials,
  ListReleasesSince,
  RELEASE_PUBLISHED_SUBJECT,
  type ReplyOf,
  ReportTrial,
  type RequestOf,
  RevertTrial,
  RunCode,
  type StoredCredential,
  type TrialState,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';

/** How the stand-in sandbox transforms an event. */
export type Code = (event: JsonObject, metadata: JsonObject) => EventResult;

/** Stands in for the services that tests and live delivery call: registry, sandbox, regulation and gateway. */
export class StandIns {
  readonly releases = new Map<string, DestinationRelease>();
  readonly code = new Map<string, Code>();
  readonly suppressed = new Set<string>();
  /** Users who were deleted, and until when (ISO 8601). */
  readonly deletedUntil = new Map<string, string>();
  /** Destinations that are missing in the gateway's database. */
  readonly deleted = new Set<string>();
  /** State of the sandbox's kill switch. */
  codeIsOff = false;
  /** The sealed values that `getCredential` returns. */
  credentials: StoredCredential[] = [];
  /** Console output of the code. */
  logs: string[] = [];
  readonly calls: { subject: string; request: JsonObject }[] = [];
  /** Calls to these subjects are refused. */
  readonly broken = new Set<string>();
  /** The state that trial reports get back. */
  trialState: TrialState = 'running';
  private releaseNumber = 0;
  private readonly subscriptions: Subscription[] = [];

  constructor(private readonly nats: NatsConnection) {
    this.answer(GetDestinationRelease, ({ destinationId }) => ({ release: this.releases.get(destinationId) ?? null }));
    this.answer(ListReleasesSince, ({ after }) => ({
      releases: [...this.releases.values()].filter(({ release }) => release > after),
      more: false,
    }));
    this.answer(GetBundle, ({ versionId }) => this.bundleOf(versionId));
    this.answer(RunCode, ({ bundle, events }) => {
      if (this.codeIsOff) throw new AppError('disabled', 'User code is switched off');
      return { results: events.map(({ message, metadata }) => this.run(bundle, message, metadata)), logs: this.logs };
    });
    this.answer(ListCredentials, () => ({ credentials: this.credentials }));
    this.answer(ReportTrial, () => ({ state: this.trialState }));
    this.answer(RevertTrial, () => {
      this.trialState = 'rolledBack';
      return { state: this.trialState };
    });
    this.answer(AppendAudit, () => ({}));
    this.answer(FindDeletedDestinations, ({ destinationIds }) => ({
      deleted: destinationIds.filter((id) => this.deleted.has(id)),
    }));
    this.answer(CheckSuppression, ({ userIds }) => ({
      suppressed: userIds.filter((id) => this.suppressed.has(id)),
      deleted: userIds.flatMap((userId) => {
        const until = this.deletedUntil.get(userId);
        return until === undefined ? [] : [{ userId, until }];
      }),
    }));
  }

  /** Links code to a destination, as publishing does. */
  publish(workspaceId: string, destinationId: string, code: Code, fields: Partial<DestinationRelease> = {}): void {
    const versionId = newKsuid();
    this.releaseNumber += 1;
    this.code.set(versionId, code);
    const version = { transformationId: newKsuid(), versionId, libraryVersionIds: [], ...fields };
    this.releases.set(destinationId, { workspaceId, destinationId, ...version, release: this.releaseNumber });
    this.nats.publish(RELEASE_PUBLISHED_SUBJECT);
  }

  callsTo(call: Call): JsonObject[] {
    return this.calls.filter(({ subject }) => subject === call.subject).map(({ request }) => request);
  }

  stop(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }

  answer<C extends Call>(call: C, handler: (request: RequestOf<C>) => ReplyOf<C>): void {
    const callback = (_error: Error | null, message: { json<T>(): T; respond(data: string): boolean }) => {
      const { data, id } = message.json<{ data: unknown; id: string }>();
      this.calls.push({ subject: call.subject, request: data as JsonObject });
      message.respond(JSON.stringify({ id, isDisposed: true, ...this.replyOf(call, data, handler) }));
    };
    this.subscriptions.push(this.nats.subscribe(call.subject, { callback }));
  }

  private replyOf<C extends Call>(call: C, data: unknown, handler: (request: RequestOf<C>) => ReplyOf<C>): object {
    try {
      if (this.broken.has(call.subject)) throw new AppError('unavailable', 'broken for the test');
      return { response: handler(call.request.parse(data) as RequestOf<C>) };
    } catch (error) {
      return { err: isAppError(error) ? error.toBody() : new AppError('internal', String(error)).toBody() };
    }
  }

  private bundleOf(versionId: string): CodeBundle {
    if (!this.code.has(versionId)) throw new AppError('not_found', 'version not found');
    return { key: versionId, name: 'test code', code: 'stands in', libraries: [] };
  }

  private run(bundle: CodeBundle, message: JsonObject, metadata: JsonObject): EventResult {
    const code = this.code.get(bundle.key);
    return code ? code(message, metadata) : { status: 'dropped' };
  }
}
