/** One user's events from one source, which regulations stop or let pass. */
export interface Passage {
  workspaceId: string;
  sourceId: string;
  /** Trimmed, as returned by `matchIdsOf`. */
  userId: string;
}

/** Whether an active regulation stops the passage. */
export type IsSuppressed = (passage: Passage) => boolean;

/** Ids of workspaces and sources have a fixed length, so different passages have different texts. */
export const passageText = ({ workspaceId, sourceId, userId }: Passage): string => workspaceId + sourceId + userId;
