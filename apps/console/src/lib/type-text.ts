/** The API names types as its first clients did. People who write JavaScript know other names. */
const NAMES: Record<string, string> = { float64: 'number', bool: 'boolean' };

/** One type, or several that are joined by commas, in the words of JSON: `number or string`. */
export const typeText = (types: string): string =>
  types
    .split(',')
    .map((type) => NAMES[type] ?? type)
    .join(' or ');
