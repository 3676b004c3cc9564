import type { Schema } from '@weir/client';
import { plural } from './format.js';

type Deletion = NonNullable<Schema<'RegulationDetails'>['deletion']>;
/** The parts of a deletion that its text depends on. */
export interface DeletionState {
  status: Deletion['status'];
  destinations: readonly Pick<Deletion['destinations'][number], 'status'>[];
}

const WORDS: Record<Deletion['status'], string> = {
  pending: 'deletion requested',
  running: 'deletion in progress',
  forwarded: 'deletion accepted by destinations, but not confirmed yet',
  complete: 'deleted',
  partial: 'partly deleted',
  failed: 'deletion failed and will be retried',
  aborted: 'deletion failed for good',
  not_supported: 'deletion requested, but no destination supports it',
  canceled: 'deletion canceled',
};

/** The state of a deletion for the person responsible. A destination that cannot delete is named even when all others are done. */
export function deletionText({ status, destinations }: DeletionState): string {
  const unable = destinations.filter((one) => one.status === 'not_supported').length;
  if (status === 'not_supported' || unable === 0) return WORDS[status];
  const except = plural(unable, 'destination that does', 'destinations that do');
  return `${WORDS[status]}, except at ${except} not support it`;
}
