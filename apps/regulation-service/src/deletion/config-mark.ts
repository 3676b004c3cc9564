import { createHash } from 'node:crypto';
import type { DestinationRecord } from '@weir/contracts';

/**
 * A mark that differs for each configuration. A deletion that failed with one is worth a try with the next. Reveals nothing about
 * the configuration.
 */
export const configMark = ({ type, sealedConfig }: Pick<DestinationRecord, 'type' | 'sealedConfig'>): string =>
  createHash('sha256').update(`${type}/${sealedConfig}`).digest('base64url');
