import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  AppError,
  EventBatch,
  type JsonObject,
  LiveOutcomes,
  liveAcceptedSubject,
  liveOutcomesSubject,
} from '@weir/contracts';
import { NATS } from '@weir/messaging';
import type { Principal } from '../../auth/principal.js';
import { seesSecrets } from '../../auth/roles.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { redacted } from '../deliveries/redacted.js';
import type { LiveQuery } from './live-event.schemas.js';
import { LiveView } from './live-view.js';
import { Turns } from './turns.js';

/** Most views of one workspace per process. */
export const VIEWS_MAX = 10;
/** Ends every view after an hour, so that a forgotten one does not run forever. */
const VIEW_MS_MAX = 3_600_000;

/** Live views listen to messages on the broker. They delay nothing and drop events that they cannot show. */
@Injectable()
export class LiveEventService implements OnModuleDestroy {
  private readonly views = new Map<LiveView, string>();
  private readonly turns = new Turns();

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly inventory: InventoryLookup,
  ) {}

  /** Opens a view that lives until its reader leaves, its time is over, or the process stops. */
  async open(caller: Principal, query: LiveQuery): Promise<LiveView> {
    const { workspaceId } = caller;
    const { sourceId, destinationId } = query;
    if (sourceId) await this.inventory.requireSources(workspaceId, 'sourceId', [sourceId]);
    if (destinationId) await this.inventory.requireDestinations(workspaceId, 'destinationId', [destinationId]);
    const open = [...this.views.values()].filter((owner) => owner === workspaceId).length;
    if (open >= VIEWS_MAX)
      throw new AppError('rate_limited', `A workspace has at most ${VIEWS_MAX} live views at a time`);
    const view = new LiveView();
    this.views.set(view, workspaceId);
    const taps = this.tap(caller, query, view);
    const lifetime = setTimeout(() => view.end(), VIEW_MS_MAX);
    view.once('close', () => {
      clearTimeout(lifetime);
      for (const tap of taps) tap.unsubscribe();
      this.views.delete(view);
    });
    return view;
  }

  onModuleDestroy(): void {
    for (const view of this.views.keys()) view.end();
  }

  private tap(caller: Principal, query: LiveQuery, view: LiveView): Subscription[] {
    const { workspaceId } = caller;
    const subscribe = (subject: string, show: (data: unknown) => void) =>
      this.nats.subscribe(subject, {
        callback: (_error, message) => {
          const isTaken = view.hasRoom && this.turns.add(view, () => show(message.json()));
          if (!isTaken) view.skip(1);
        },
      });
    const outcomes = subscribe(liveOutcomesSubject(workspaceId), (data) => showOutcomes(view, data, query));
    if (query.destinationId) return [outcomes];
    const accepted = liveAcceptedSubject(workspaceId, query.sourceId);
    return [outcomes, subscribe(accepted, (data) => showAccepted(view, data, query, caller))];
  }
}

function showOutcomes(view: LiveView, data: unknown, { sourceId, destinationId, type }: LiveQuery): void {
  const told = LiveOutcomes.safeParse(data);
  if (!told.success) return;
  for (const outcome of told.data.outcomes) {
    if (sourceId && outcome.sourceId !== sourceId) continue;
    if (destinationId && outcome.destinationId !== destinationId) continue;
    if (!type || outcome.type === type) view.show('delivery', outcome);
  }
  if (told.data.skipped > 0) view.skip(told.data.skipped);
}

function showAccepted(view: LiveView, data: unknown, { type }: LiveQuery, { role }: Principal): void {
  const batch = EventBatch.safeParse(data);
  if (!batch.success) return;
  const { sourceId, receivedAt: at, events } = batch.data;
  for (const event of events) {
    if (type && event['type'] !== type) continue;
    view.show('accepted', { at, sourceId, ...namesOf(event), ...(seesSecrets(role) && { event: redacted(event) }) });
  }
}

function namesOf({ messageId, type, event, name }: JsonObject): JsonObject {
  const shown = Object.entries({ messageId, type, name: type === 'track' ? event : name });
  return Object.fromEntries(shown.filter(([, value]) => typeof value === 'string'));
}
