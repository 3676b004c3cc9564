/** Shorter values are not secrets, and masking them would hide single letters everywhere. */
const SECRET_CHARS_MIN = 4;

/**
 * Credential values to mask in what people read about a run, longest first. Output events keep them because they are sent as they
 * are. Callers that show such an event mask it.
 */
export function secretsOf(credentials: { value: string }[]): string[] {
  const secrets = credentials.map(({ value }) => value).filter(({ length }) => length >= SECRET_CHARS_MIN);
  return [...new Set(secrets.flatMap(formsOf))].sort((left, right) => right.length - left.length);
}

/** A value as it is, in JSON, in JSON within JSON, and in an address. A key with line breaks is another text in each. */
function formsOf(value: string): string[] {
  const inJson = escaped(value);
  const inForm = String(new URLSearchParams([['', value]])).slice(1);
  return [value, inJson, escaped(inJson), encodeURIComponent(value.toWellFormed()), inForm];
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
