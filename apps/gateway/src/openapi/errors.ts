import type { ErrorCode } from '@weir/contracts';
import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import { AREA_RULES, type ErrorForm } from '../http/areas.js';
import { statusOf } from '../http/status.js';
import type { Components, JsonSchema } from './components.js';

const ControlPlaneError = z
  .object({
    message: z.string(),
    error: z.string().meta({ description: 'The same as message' }),
    code: z.string(),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Problems by field' }),
  })
  .meta({
    id: 'Error',
    examples: [
      { message: 'name is required', error: 'name is required', code: 'BAD_REQUEST', details: { name: 'is required' } },
    ],
  });
const SchemaError = z.object({ msg: z.string() }).meta({ id: 'SchemaError' });

const FORMS: Record<ErrorForm, { contentType: string; schema: z.ZodType }> = {
  json: { contentType: 'application/json', schema: ControlPlaneError },
  msg: { contentType: 'application/json', schema: SchemaError },
  text: { contentType: 'text/plain', schema: z.string() },
};

/** All refusals of a route, derived from its guards and checks. */
export function errorCodesOf(api: ApiSpec): ErrorCode[] {
  const { scheme } = AREA_RULES[api.area];
  const codes: ErrorCode[] = [];
  if (api.access !== 'none') codes.push('unauthenticated', 'rate_limited');
  if (scheme === 'token' && api.access !== 'read' && api.access !== 'none') codes.push('forbidden');
  if (api.params) codes.push('not_found');
  // Paths that cannot be decoded are invalid too.
  if (api.params ?? api.query ?? api.body ?? api.headers) codes.push('invalid');
  if (api.body) codes.push('too_large');
  return [...new Set([...codes, ...(api.errors ?? []), 'internal' as const])];
}

/** Responses by status. Codes with the same status share a response. */
export function errorResponses(api: ApiSpec, components: Components): Record<string, JsonSchema> {
  const { contentType, schema } = FORMS[AREA_RULES[api.area].errors];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(api)) {
    const { status } = statusOf(code, api.area);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const response = (codes: readonly string[]) => ({
    description: codes.map((code) => code.replaceAll('_', ' ')).join(', or '),
    content: { [contentType]: { schema: components.of(schema, 'output') } },
  });
  const documented = [...byStatus].map(([status, codes]) => [String(status), response(codes)] as const);
  return Object.fromEntries([...documented, ...(api.body ? ofBodies(response) : [])]);
}

/** Refusals of bodies by HTTP itself: 408 for slow bodies, 415 for anything but JSON. */
const ofBodies = <Response>(response: (codes: readonly string[]) => Response) =>
  [
    ['408', response(['request timeout'])],
    ['415', response(['unsupported media type'])],
  ] as const;
