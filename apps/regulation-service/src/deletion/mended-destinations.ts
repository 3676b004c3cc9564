import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DestinationRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Database } from '@weir/service-kit';
import { retryMended } from './task-claim.repository.js';

/**
 * A mark that differs for each configuration. A deletion that failed with one is worth a try with the next. Reveals nothing about
 * the configuration.
 */
export const configMark = ({ type, sealedConfig }: Pick<DestinationRecord, 'type' | 'sealedConfig'>): string =>
  createHash('sha256').update(`${type}/${sealedConfig}`).digest('base64url');

/** Retries failed deletions at once when their destination gets another configuration, even if no eraser ran at that time. */
@Injectable()
export class MendedDestinations {
  /** Destinations whose configuration may have changed since the last comparison. At the start, these are all. */
  private readonly noted = new Set<string>();

  constructor(
    private readonly dataSource: Database,
    private readonly inventory: InventoryMirror,
  ) {
    inventory.onChange(({ objectType, id }) => {
      if (objectType === 'destination') this.noted.add(id);
    });
  }

  note(destinationId: string): void {
    this.noted.add(destinationId);
  }

  /** After an error, the same destinations are compared again next time. */
  async retry(): Promise<void> {
    const ids = [...this.noted];
    if (ids.length === 0) return;
    this.noted.clear();
    const marks = ids.flatMap((id): [string, string][] => {
      const destination = this.inventory.destination(id);
      return destination ? [[id, configMark(destination)]] : [];
    });
    await retryMended(this.dataSource, new Map(marks)).catch((error: unknown) => {
      for (const id of ids) this.noted.add(id);
      throw error;
    });
  }
}
