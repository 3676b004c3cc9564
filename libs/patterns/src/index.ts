/**
 * Patterns that customers write. They are matched in linear time, or refused. No other code in Weir builds a pattern from a
 * customer's text.
 */
export {
  checkPatterns,
  type Item,
  matchingItems,
  PATTERNS_KEYWORD,
  PatternInConfig,
  type PatternPlace,
} from './config-patterns.js';
export { MATCHED_LENGTH_MAX, PATTERN_SIZE_MAX, PatternRefused, PatternSet } from './pattern-set.js';
