interface Outcomes {
  delivered: number;
  dead: number;
  inRetry: number;
}

/**
 * Counts events that were sent or wait to be sent. Code may multiply or drop events, so shares refer to this number and not to
 * accepted events.
 */
export const sentOf = (rows: readonly Outcomes[]): number =>
  rows.reduce((sum, { delivered, dead, inRetry }) => sum + delivered + dead + inRetry, 0);
