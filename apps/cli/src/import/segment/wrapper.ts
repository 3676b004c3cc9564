/** A setting of a function: written into the code, or asked for by its key. */
export type Setting = { name: string; value: unknown } | { name: string; credential: string };

/** Errors of Segment that mean that an event is not for the destination. Code throws them by these names. */
const REJECTIONS = ['EventNotSupported', 'InvalidEventPayload', 'ValidationError', 'DropEvent'];
const HANDLERS = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'delete'];

/**
 * An insert function in the shape of Weir (docs/specification/user-code.md). As at Segment, an event without a handler, or one that
 * code rejects or does not return, does not reach the destination. Other errors make it a dead letter.
 */
export function wrapped(code: string, settings: readonly Setting[]): string {
  const handlers = HANDLERS.map((type) => {
    const name = `on${type.charAt(0).toUpperCase()}${type.slice(1)}`;
    return `  ${type}: typeof ${name} === 'function' ? ${name} : undefined,`;
  });
  const values = settings.map((one) => `  ${JSON.stringify(one.name)}: ${written(one)},`);
  return `${REJECTIONS.map((name) => `class ${name} extends Error {}`).join('\n')}
class RetryError extends Error {}

${code.trimEnd()}

// Below is what Weir calls.
const weirRejections = [${REJECTIONS.join(', ')}];
const weirHandlers = {
${handlers.join('\n')}
};
const weirSettings = () => ({
${values.join('\n')}
});

export async function transformEvent(event) {
  const handler = weirHandlers[event.type];
  if (!handler) return null;
  try {
    return (await handler(event, weirSettings())) ?? null;
  } catch (error) {
    if (weirRejections.some((rejection) => error instanceof rejection)) return null;
    throw error;
  }
}
`;
}

const written = (setting: Setting): string =>
  'credential' in setting
    ? `getCredential(${JSON.stringify(setting.credential)})`
    : (JSON.stringify(setting.value) ?? 'undefined');
