import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import type { DestinationRelease } from '@weir/contracts';
import { type UsedVersion, UsedVersionRepository } from './used-version.repository.js';

/** Write interval. One statement covers all destinations of the process. */
const FLUSH_MS = 1_000;

/** Remembers which version this deliverer ran for which destination. The record is only evidence and never delays a delivery. */
@Injectable()
export class UsedVersions {
  private readonly logger = new Logger(UsedVersions.name);
  private readonly deliverer = `${hostname()}/${process.pid}`;
  private waiting = new Map<string, UsedVersion>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly repository: UsedVersionRepository) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  note({ workspaceId, destinationId, versionId }: DestinationRelease): void {
    if (versionId === null) return;
    this.waiting.set(destinationId, { workspaceId, destinationId, versionId, lastUsedAt: new Date() });
  }

  private async flush(): Promise<void> {
    if (this.waiting.size === 0) return;
    const used = [...this.waiting.values()];
    this.waiting = new Map();
    await this.repository
      .put(this.deliverer, used)
      .catch((error: Error) => this.logger.warn(`used versions are not written down: ${error.message}`));
  }
}
