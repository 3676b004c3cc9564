import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { NATS, Periodic } from '@weir/messaging';
import { TokenRepository } from '../../accounts/token.repository.js';
import { SessionRepository } from '../../console/session.repository.js';
import type { Principal } from '../../http/principal.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import type { LiveQuery } from './live-event.schemas.js';
import { feedsOf } from './live-feeds.js';
import { LiveTaps } from './live-tap.js';
import { LiveView } from './live-view.js';

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
  private readonly taps: LiveTaps;
  private readonly checks = new Periodic({
    task: 'check who may go on watching',
    everyMs: ACCESS_CHECK_MS,
    run: () => this.endRevoked(),
    log: new Logger(LiveEventService.name),
  });

  constructor(
    @Inject(NATS) nats: NatsConnection,
    private readonly inventory: InventoryLookup,
    private readonly tokens: TokenRepository,
    private readonly sessions: SessionRepository,
  ) {
    this.taps = new LiveTaps(nats);
  }

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
    const leave = this.taps.add({ view, query, caller }, feedsOf(workspaceId, query));
    const lifetime = setTimeout(() => view.end(), VIEW_MS_MAX);
    view.once('close', () => {
      clearTimeout(lifetime);
      leave();
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
}
