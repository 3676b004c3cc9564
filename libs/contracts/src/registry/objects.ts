import { z } from 'zod';
import { Ksuid, Timestamp } from '../ids.js';
import { CodeRuntime } from '../sandbox.js';

/** Records that a version was rolled back because its code failed on too many of its first events. */
const RolledBack = z.object({
  to: Ksuid.meta({ description: 'The version that was published again' }),
  errorRate: z.number().meta({ description: 'Error rate that was reached' }),
  events: z.int(),
  errors: z.int(),
  at: Timestamp,
});

const revisionFields = {
  id: Ksuid,
  versionId: Ksuid,
  name: z.string(),
  description: z.string(),
  code: z.string(),
  language: z.string(),
  workspaceId: Ksuid,
  externalId: z.string().optional(),
  /** Commit id from the latest publish of this revision that gave one. */
  commitId: z.string().optional(),
  createdBy: z.string().optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Entity tag of the object's state, without quotes. Every view of one state has the same one (decision 0052). */
  etag: z.string().optional(),
};
/** `imports` lists the import names of the libraries that the code uses. `codeVersion` is always "1" (ruling 3). */
const transformationFields = {
  ...revisionFields,
  codeVersion: z.literal('1'),
  imports: z.array(z.string()),
  rolledBack: RolledBack.optional(),
};
const libraryFields = { ...revisionFields, importName: z.string() };
/** Whether the shown revision is live. False for a draft. */
const isPublished = { isPublished: z.boolean().optional() };

/**
 * A transformation as spec 2.1 shows it. `destinations` holds ids (ruling 1). The runtime is that of the live version with the
 * libraries that are live. It is missing for a draft, and until code from before this field is published or tested again.
 */
export const Transformation = z.object({
  ...transformationFields,
  destinations: z.array(Ksuid),
  ...isPublished,
  ...CodeRuntime.partial().shape,
});
export type Transformation = z.output<typeof Transformation>;
export const TransformationRevision = z.object({ ...transformationFields, isPublished: z.boolean() });
export type TransformationRevision = z.output<typeof TransformationRevision>;
export const Library = z.object({ ...libraryFields, ...isPublished });
export type Library = z.output<typeof Library>;
export const LibraryRevision = z.object({ ...libraryFields, isPublished: z.boolean() });
export type LibraryRevision = z.output<typeof LibraryRevision>;

/**
 * The version that supplies the values which an update omits. This is the latest version. A publish without code after a rollback
 * uses the live one (ruling 33).
 */
export const BasedOn = z.object({ basedOn: Ksuid.optional() });

/** Values for the examples of calls. */
export const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
export const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
export const VERSION = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
export const AT = '2026-01-01T00:00:00.000Z';
export const CODE = 'export function transformEvent(event) { return event; }';

const exampleRevision = {
  id: ID,
  versionId: VERSION,
  name: 'Keep all',
  description: '',
  code: CODE,
  language: 'javascript',
  workspaceId: WORKSPACE,
  createdAt: AT,
  updatedAt: AT,
};
const exampleTransformationFields = { ...exampleRevision, codeVersion: '1' as const, imports: [] };
export const exampleTransformation = { ...exampleTransformationFields, destinations: [], runtime: 'warm' as const };
export const exampleTransformationRevision = { ...exampleTransformationFields, isPublished: true };
export const exampleLibrary = { ...exampleRevision, importName: 'keepAll' };
export const exampleLibraryRevision = { ...exampleLibrary, isPublished: true };
export const exampleOne = { workspaceId: WORKSPACE, id: ID };
export const exampleVersions = { ...exampleOne, count: 5, orderBy: 'ASC' as const };
