import { invalidField, type JsonObject } from '@weir/contracts';
import { type SettingsCheck, unsafeKey } from '@weir/settings';
import { invalidFields } from '../http/validate.js';

/** The required settings that are missing. Throws `invalid` with all problems by field if others do not fit: `config.url must be a string`. */
export function missingSettings(check: SettingsCheck, config: JsonObject): string[] {
  const { problems, missing } = check(config);
  if (problems.length === 0) return missing;
  throw invalidFields([
    // first what is wrong: who gave only a part knows that the rest is missing
    ...problems.map(({ path, problem }) => [['config', ...path].join('.'), problem] as const),
    ...missing.map((key) => [`config.${key}`, 'is required'] as const),
  ]);
}

/** Throws `invalid` naming the key. `json-body.ts` has already bounded the depth. */
export function refuseUnsafeKeys(value: unknown, at = 'config'): void {
  const path = unsafeKey(value);
  if (path) throw invalidField([at, ...path].join('.'), 'is not allowed as a key');
}
