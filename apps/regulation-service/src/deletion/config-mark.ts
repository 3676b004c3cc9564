import { createHash } from 'node:crypto';
import type { DestinationRecord } from '@weir/contracts';

/** Another text for another configuration: what failed with one is worth a try with the next. Tells nothing about it. */
export const configMark = ({ type, sealedConfig }: Pick<DestinationRecord, 'type' | 'sealedConfig'>): string =>
  createHash('sha256').update(`${type}/${sealedConfig}`).digest('base64url');
