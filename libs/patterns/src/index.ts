/** Patterns that customers write, matched in linear time or refused. No other code builds a pattern from a customer's text. */
export {
  checkPatterns,
  type Item,
  matchingItems,
  PATTERNS_KEYWORD,
  PatternInConfig,
  type PatternPath,
} from './config-patterns.js';
export { MATCHED_LENGTH_MAX, PATTERN_SIZE_MAX, PatternRefused, PatternSet } from './pattern-set.js';
