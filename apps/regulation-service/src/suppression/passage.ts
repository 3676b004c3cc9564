/** One user's events of one source: what a regulation lets pass or not. */
export interface Passage {
  workspaceId: string;
  sourceId: string;
  /** Trimmed, as `matchIdsOf` gives it. */
  userId: string;
}

/** Whether an active regulation stops the passage. */
export type IsSuppressed = (passage: Passage) => boolean;

/** Ids of workspaces and sources have a fixed length, so two passages never share a text. */
export const passageText = ({ workspaceId, sourceId, userId }: Passage): string => workspaceId + sourceId + userId;
