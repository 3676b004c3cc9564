import type { ErrorDetails } from '@weir/contracts';

/** Texts that clients compare byte for byte (wire-facts 3.2). */
export const VERSION_NOT_FOUND = 'Transformation VersionID not found';
export const ABORTED_BY_USER_STAGE = 'error encountered in user_transformation stage. Aborting.';
export const ABORTED_BY_DEST_STAGE = 'error encountered in dest_transformation stage. Aborting.';
export const destinationDisabled = (id: string) => `Destination with id ${id} is disabled`;

/** Our own texts where the specification has none (rulings 19 and 20). */
export const SKIPPED_BECAUSE_DROPPED = 'event dropped in user_transformation stage. Skipping.';
export const notSupported = (type: string) => `Destinations of type ${type} are not supported by the Test API`;

export const stageError = (error: string): ErrorDetails => ({ error });
