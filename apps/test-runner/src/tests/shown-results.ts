import type { JsonObject, Role, StageResults } from '@weir/contracts';
import { maskSecrets, secretValues } from '@weir/destinations';

/**
 * What a caller of that role may see: secrets of the configuration stand as `***` in the payload, and where the
 * destination echoes them, for everybody but admins (ruling 21).
 */
export function shownTo(
  role: Role,
  results: StageResults[],
  configs: JsonObject[],
  secretKeys: readonly string[],
): StageResults[] {
  if (role === 'admin') return results;
  const secrets = configs.flatMap((config) => secretValues(config, secretKeys));
  return results.map((result) => ({
    ...result,
    ...masked(result, 'dest_transformed_payload', secrets),
    ...masked(result, 'destination_response', secrets),
  }));
}

const masked = (result: StageResults, key: keyof StageResults, secrets: string[]) =>
  key in result ? { [key]: maskSecrets(result[key], secrets) } : {};
