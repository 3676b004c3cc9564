import { z } from 'zod';
import { isObject, type JsonObject } from './json.js';

const NAME_MAX = 256;
/** Partitions of an installation, all that a source can be spread over. */
const PARTITIONS_MAX = 16;

const name = z
  .string()
  .min(1)
  .max(NAME_MAX)
  .refine((text) => text === text.trim(), 'must not begin or end with space');
const was = name.optional().meta({ description: 'The name before a rename, so that ids, write keys and history stay' });
const config = z
  .custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .default({});
const description = z.string().default('');
const codeFile = z.string().min(1).meta({ description: 'Path of the code, beside this file' });

const Source = z.strictObject({
  name,
  was,
  type: z.string().min(1).meta({ description: 'Kind of the sender, such as HTTP, Javascript or webhook' }),
  enabled: z.boolean().default(true),
  geoEnrichment: z.boolean().default(false),
  transient: z.boolean().default(false),
  partitions: z.int().min(1).max(PARTITIONS_MAX).default(1).meta({
    description: 'Over how many partitions its users are spread, 1 to 16. Changes only while the source is disabled',
  }),
  config,
  writeKey: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Only to keep a write key that SDKs already use. It is unique over all workspaces' }),
  privacy: z
    .strictObject({ samples: z.enum(['keep', 'mask', 'off']), maskedKeys: z.array(z.string().min(1)).default([]) })
    .optional()
    .meta({ description: 'What samples keep and show. Left out: not managed by the files' }),
});

const Destination = z.strictObject({
  name,
  was,
  type: z.string().min(1).meta({ description: 'Name of a destination definition, such as WEBHOOK' }),
  enabled: z.boolean().default(true),
  config,
  transformation: name.optional().meta({ description: 'Name of the transformation that its events pass through' }),
});

const Connection = z.strictObject({ source: name, destination: name, enabled: z.boolean().default(true) });

const Transformation = z.strictObject({
  name,
  was: name.optional().meta({ description: 'The name before a rename' }),
  description,
  file: codeFile,
  events: z.string().min(1).optional().meta({
    description: 'Path of a JSON file with a list of events, on which a publish tests the code',
  }),
});

const Library = z.strictObject({ name, description, file: codeFile });

const Credential = z.strictObject({
  key: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be 1 to 128 letters, digits, _, . and -')
    // addresses drop them, so that no request could name the credential
    .regex(/[^.]|\.{3}/, 'must not be one or two dots alone'),
  value: z.string().min(1),
  secret: z.boolean().default(true),
});

/** One resource in its own file. The folder gives its kind. */
export const FOLDERS = {
  sources: Source,
  destinations: Destination,
  connections: Connection,
  transformations: Transformation,
  libraries: Library,
  credentials: Credential,
} as const;
export type Folder = keyof typeof FOLDERS;

/** Keys for YAML anchors, as in docker-compose files. Weir does not read them. */
const ASIDE = /^x-/;

/** `weir.yaml`. Small projects have everything in it, larger ones a file for each resource beside it. */
export const ProjectFile = z
  .looseObject({
    version: z.literal(1, 'must be 1').default(1),
    sources: z.array(Source).default([]),
    destinations: z.array(Destination).default([]),
    connections: z.array(Connection).default([]),
    transformations: z.array(Transformation).default([]),
    libraries: z.array(Library).default([]),
    credentials: z.array(Credential).default([]),
  })
  .superRefine(refuseUnknownKeys, { when: () => true })
  .meta({
    ...{ title: 'weir.yaml', description: 'Configuration of a Weir workspace as code' },
    ...{ patternProperties: { [ASIDE.source]: {} }, additionalProperties: false },
  });

/** With `--prune`, a list under a misspelt key would delete everything of its kind. */
function refuseUnknownKeys(file: unknown, { issues, value }: z.core.$RefinementCtx): void {
  const known = ['version', ...Object.keys(FOLDERS)];
  const keys = isObject(file) ? Object.keys(file).filter((key) => !known.includes(key) && !ASIDE.test(key)) : [];
  if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: Object(value) });
}

export type FileOf<Kind extends Folder> = z.output<(typeof FOLDERS)[Kind]>;

/** For editors: completion and hints while one writes the files. */
export const jsonSchema = (): object => z.toJSONSchema(ProjectFile, { io: 'input', unrepresentable: 'any' });
