/** The latest of some times in ISO form, or an empty text. */
export const latestOf = (times: readonly string[]): string => [...times].sort().at(-1) ?? '';
