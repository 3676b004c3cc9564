import { AppError } from '@weir/contracts';

/** An external id is set once; setting the same again changes nothing. */
export function refuseOtherExternalId(kind: string, stored: string | null, asked: string): void {
  if (stored === null || stored === asked) return;
  throw new AppError('conflict', `externalId is already set for this ${kind} and cannot be changed`);
}
