import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  AppError,
  type JsonObject,
  Ksuid,
  LiveOutcomes,
  liveAcceptedSubject,
  liveOutcomesSubject,
  MESSAGE_TYPES,
  SuppressedEvents,
  suppressedEventsSubject,
} from '@weir/contracts';
import { isBatch, jsonOf, NATS, onMessage, Periodic, readBatch, unpackBatches } from '@weir/messaging';
import { z } from 'zod';
import { TokenRepository } from '../../accounts/token.repository.js';
import { SessionRepository } from '../../console/session.repository.js';
import type { Principal } from '../../http/principal.js';
import { shownEvent } from '../../http/redaction.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { LiveView, Turns } from './live-view.js';

export const LiveQuery = z.object({
  sourceId: Ksuid.optional().describe('Shows only the events of this source'),
  destinationId: Ksuid.optional().describe('Shows only the deliveries of this destination, and no accepted events'),
  type: z.enum(MESSAGE_TYPES).optional().describe('Type of the event'),
});
export type LiveQuery = z.output<typeof LiveQuery>;

/** Server-sent events. The route's description defines them. */
export const LiveStream = z.string().meta({ contentMediaType: 'text/event-stream' });

/** Most views of one workspace per process. */
export const VIEWS_MAX = 10;
/** Ends every view after an hour, so that a forgotten one does not run forever. */
const VIEW_MS_MAX = 3_600_000;
/** How soon a view ends once its token was revoked or its session is over. */
const ACCESS_CHECK_MS = 1_000;

/** Live views listen to messages on the broker. They delay nothing and drop events that they cannot show. */
@Injectable()
export class LiveEventService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly views = new Map<LiveView, Principal>();
  private readonly turns = new Turns();
  private readonly checks = new Periodic({
    task: 'check who may go on watching',
    everyMs: ACCESS_CHECK_MS,
    run: () => this.endRevoked(),
    log: new Logger(LiveEventService.name),
  });

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly inventory: InventoryLookup,
    private readonly tokens: TokenRepository,
    private readonly sessions: SessionRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.checks.start();
  }

  /** Opens a view that lives until its reader leaves, its time is over, or the process stops. */
  async open(caller: Principal, query: LiveQuery): Promise<LiveView> {
    const { workspaceId } = caller;
    const { sourceId, destinationId } = query;
    if (sourceId) await this.inventory.requireSources(workspaceId, 'sourceId', [sourceId]);
    if (destinationId) await this.inventory.requireDestinations(workspaceId, 'destinationId', [destinationId]);
    const open = [...this.views.values()].filter((owner) => owner.workspaceId === workspaceId).length;
    if (open >= VIEWS_MAX)
      throw new AppError('rate_limited', `A workspace has at most ${VIEWS_MAX} live views at a time`);
    const view = new LiveView();
    this.views.set(view, caller);
    const taps = this.tap(caller, query, view);
    const lifetime = setTimeout(() => view.end(), VIEW_MS_MAX);
    view.once('close', () => {
      clearTimeout(lifetime);
      for (const tap of taps) tap.unsubscribe();
      this.views.delete(view);
    });
    return view;
  }

  async onModuleDestroy(): Promise<void> {
    await this.checks.stop();
    for (const view of this.views.keys()) view.end();
  }

  /** Asks once for all views of the process. While the database is away, nobody can revoke anything either. */
  private async endRevoked(): Promise<void> {
    if (this.views.size === 0) return;
    const asked = [...this.views];
    const callers = asked.map(([, caller]) => caller);
    const sessions = await this.sessions.liveAmong(callers.flatMap(({ sessionId }) => sessionId ?? []));
    const tokens = await this.tokens.liveAmong(callers.flatMap(({ tokenId }) => tokenId ?? []));
    const mayWatch = ({ sessionId, tokenId }: Principal) =>
      sessionId === undefined ? tokenId !== null && tokens.has(tokenId) : sessions.has(sessionId);
    for (const [view, caller] of asked) if (!mayWatch(caller)) view.end();
  }

  private tap(caller: Principal, query: LiveQuery, view: LiveView): Subscription[] {
    const { workspaceId } = caller;
    const subscribe = (subject: string, show: (data: Uint8Array) => void) =>
      this.nats.subscribe(subject, {
        callback: onMessage(({ data }) => this.showEach(view, unpackBatches(data), show)),
      });
    const outcomes = subscribe(liveOutcomesSubject(workspaceId), (data) => showOutcomes(view, data, query));
    if (query.destinationId) return [outcomes];
    const accepted = liveAcceptedSubject(workspaceId, query.sourceId);
    return [
      outcomes,
      subscribe(accepted, (data) => showAccepted(view, data, query, caller)),
      subscribe(suppressedEventsSubject(workspaceId), (data) => showSuppressed(view, data, query)),
    ];
  }

  /** Shows each line of a message in its own turn. Counts the lines that the view has no room for. */
  private showEach(view: LiveView, lines: Uint8Array[], show: (data: Uint8Array) => void): void {
    const isTaken = (line: Uint8Array) => view.hasRoom && this.turns.add(view, () => show(line));
    const firstLeft = lines.findIndex((line) => !isTaken(line));
    if (firstLeft !== -1) view.skip(lines.length - firstLeft);
  }
}

function showOutcomes(view: LiveView, data: Uint8Array, { sourceId, destinationId, type }: LiveQuery): void {
  const told = LiveOutcomes.safeParse(jsonOf(data));
  if (!told.success) return;
  for (const outcome of told.data.outcomes) {
    if (sourceId && outcome.sourceId !== sourceId) continue;
    if (destinationId && outcome.destinationId !== destinationId) continue;
    if (!type || outcome.type === type) view.show('delivery', outcome);
  }
  if (told.data.skipped > 0) view.skip(told.data.skipped);
}

/** The message names no user, so every role may see it. */
function showSuppressed(view: LiveView, data: Uint8Array, { sourceId, type }: LiveQuery): void {
  const told = SuppressedEvents.safeParse(jsonOf(data));
  if (!told.success) return;
  const { counts, events } = told.data;
  for (const { receivedAt: at, ...event } of events) {
    if (sourceId && event.sourceId !== sourceId) continue;
    if (!type || event.type === type) view.show('suppressed', { at, ...event });
  }
  const all = counts.reduce((sum, count) => sum + count.events, 0);
  if (all > events.length) view.skip(all - events.length);
}

function showAccepted(view: LiveView, data: Uint8Array, { type }: LiveQuery, { role }: Principal): void {
  const batch = readBatch({ json: () => jsonOf(data) });
  if (!isBatch(batch)) return;
  const { sourceId, receivedAt: at, events } = batch;
  for (const event of events) {
    if (type && event['type'] !== type) continue;
    view.show('accepted', { at, sourceId, ...namesOf(event), ...shownEvent(role, event) });
  }
}

function namesOf({ messageId, type, event, name }: JsonObject): JsonObject {
  const shown = Object.entries({ messageId, type, name: type === 'track' ? event : name });
  return Object.fromEntries(shown.filter(([, value]) => typeof value === 'string'));
}
