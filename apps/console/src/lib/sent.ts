interface Outcomes {
  delivered: number;
  dead: number;
  inRetry: number;
}

/**
 * What was sent, or is to be sent. Code may make several events of one and drop others, so shares are of this number and not of the
 * events that were accepted.
 */
export const sentOf = (rows: readonly Outcomes[]): number =>
  rows.reduce((sum, { delivered, dead, inRetry }) => sum + delivered + dead + inRetry, 0);
