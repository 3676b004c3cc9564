import type { Socket } from 'node:net';
import type { Outbound, OutboundConnection, OutboundRequest, OutboundResponse } from '@weir/destinations';
import { EgressError } from '@weir/egress';

/**
 * The outbound client of one deletion. After its time, it makes no calls and cuts its sockets, so that no vendor can keep the deletion going
 * in small steps. A request has its own short deadline, and ends by that.
 */
export class BoundedOutbound implements Outbound {
  isOver = false;
  private readonly sockets = new Set<Socket>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly outbound: Outbound,
    ms: number,
  ) {
    this.timer = setTimeout(() => this.end(), ms);
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    if (this.isOver) throw tooLong();
    return this.outbound.request(request);
  }

  async connect(where: OutboundConnection): Promise<Socket> {
    if (this.isOver) throw tooLong();
    const socket = await this.outbound.connect(where);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.isOver) socket.destroy();
    return socket;
  }

  /** The deletion has ended in time. */
  close(): void {
    clearTimeout(this.timer);
  }

  private end(): void {
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
  }
}

const tooLong = () => new EgressError('timeout', 'The deletion took too long', 'ETIMEDOUT');
