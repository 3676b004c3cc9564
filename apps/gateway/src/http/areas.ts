import { INTAKE_BODY_BYTES_MAX } from '@weir/contracts';

/** Parts of the HTTP API with common rules for errors, authentication and limits. The specification has areas A to D. */
export const AREAS = [
  'transformations',
  'regulations',
  'test',
  'deliveries',
  'schemas',
  'inventory',
  'admin',
  'console',
  'sign-in',
  'intake',
  'public',
] as const;
export type Area = (typeof AREAS)[number];

/** Credential of a caller: an access token, the admin pair, either of them, a source's write key, or none. */
export type Scheme = 'token' | 'admin' | 'token-or-admin' | 'write-key' | 'none';
/** Form of errors: control plane JSON (ruling 26), `{"msg"}` of area D, plain text of the intake (wire-facts 6.4). */
export type ErrorForm = 'json' | 'msg' | 'text';
/** `GATEWAY_PLANES` selects the planes that a process serves. It always serves `both`. */
export type Plane = 'control' | 'data';

export interface AreaRules {
  scheme: Scheme;
  errors: ErrorForm;
  plane: Plane | 'both';
  /** Largest request body, as sent. */
  bodyBytesMax: number;
  /** Whether to accept unknown query parameters. SDKs, scrapers and probes add their own. */
  isQueryOpen?: boolean;
}

const KIB = 1024;
/** For bodies with a handful of fields. */
const SMALL_BODY = 64 * KIB;
/** One credential with its e-mail address, from callers that nobody knows yet. */
const SIGN_IN_BODY = 4 * KIB;
/** Code, publishes and regulations of many users (security-reliability 3.5). */
const LARGE_BODY = 1024 * KIB;
/** A destination's sealed configuration must fit into one broker message. */
const CONFIG_BODY = 256 * KIB;
/** Fits one event of 512 KiB plus the fields around it. */
const TEST_BODY = LARGE_BODY;
/** The limit counts after decompression. A larger compressed body cannot be valid either. */
const INTAKE_BODY = INTAKE_BODY_BYTES_MAX;

export const AREA_RULES = {
  transformations: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: LARGE_BODY },
  regulations: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: LARGE_BODY },
  test: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: TEST_BODY },
  deliveries: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: SMALL_BODY },
  inventory: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: CONFIG_BODY },
  admin: { scheme: 'admin', errors: 'json', plane: 'control', bodyBytesMax: SMALL_BODY },
  console: { scheme: 'token', errors: 'json', plane: 'control', bodyBytesMax: SMALL_BODY },
  // The credential is in the body.
  'sign-in': { scheme: 'none', errors: 'json', plane: 'control', bodyBytesMax: SIGN_IN_BODY },
  schemas: { scheme: 'token-or-admin', errors: 'msg', plane: 'data', bodyBytesMax: SMALL_BODY },
  intake: { scheme: 'write-key', errors: 'text', plane: 'data', bodyBytesMax: INTAKE_BODY, isQueryOpen: true },
  public: { scheme: 'none', errors: 'json', plane: 'both', bodyBytesMax: SMALL_BODY, isQueryOpen: true },
} as const satisfies Record<Area, AreaRules> as Record<Area, AreaRules>;

/** The area of an unknown path, so that its 404 has the same form as other errors there. */
export function areaOfPath(path: string): Area {
  if (path.startsWith('/schemas/')) return 'schemas';
  if (/^\/(v1\/|beacon\/|pixel\/|sourceConfig)/.test(path)) return 'intake';
  return 'public';
}
