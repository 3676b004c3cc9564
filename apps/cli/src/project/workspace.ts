import type { Known, ToDelete } from '../core/entity-tag.js';
import type { TestCase } from './code-files.js';
import type { JsonObject } from './json.js';
import type { CodeKind, Kind } from './plan.js';
import type { Actual, Code, Privacy } from './resources.js';

/** A revision to publish, with test events and tests of its own. */
export interface RevisionToPublish {
  kind: CodeKind;
  versionId: string;
  /** Entity tag of its object. */
  etag?: string | undefined;
  events?: JsonObject[] | undefined;
  /** Take the place of the saved tests, together with the code. */
  tests?: TestCase[] | undefined;
}

/** A revision that was made, and the tag of its object since then. */
export interface Draft extends Known {
  versionId: string;
}

/**
 * The reads and writes that a plan needs. A create whose name is taken, and a change of what is no longer in the known state, fail.
 * `client-workspace.ts` makes them over the API.
 */
export interface Workspace {
  read(): Promise<Actual>;
  /** Writes a credential. `known` is what was read, if it was there. */
  putCredential(key: string, body: { value: string; isSecret: boolean }, known?: Known): Promise<void>;
  /** Makes a draft, or a revision of what is known. */
  draft(kind: CodeKind, existing: Known | undefined, code: Code): Promise<Draft>;
  /** Makes all of them live, or none. Throws if a test fails. */
  publish(revisions: RevisionToPublish[]): Promise<void>;
  createSource(body: JsonObject): Promise<{ id: string; writeKey: string }>;
  updateSource(existing: Known, body: JsonObject): Promise<void>;
  /** `known` is what was read. Without it, the source is new. */
  putPrivacy(writeKey: string, privacy: Privacy, known?: Privacy): Promise<void>;
  createDestination(body: JsonObject): Promise<{ id: string }>;
  updateDestination(existing: Known, body: JsonObject): Promise<void>;
  /** `known` is the id of the transformation that was read, if the destination had one. */
  link(destinationId: string, transformationId: string, known?: string): Promise<void>;
  unlink(destinationId: string, known?: string): Promise<void>;
  createConnection(body: { sourceId: string; destinationId: string; enabled: boolean }): Promise<void>;
  updateConnection(existing: Known, body: { enabled: boolean }): Promise<void>;
  delete(kind: Kind, existing: ToDelete): Promise<void>;
}
