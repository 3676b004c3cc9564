import type { JsonObject } from './json.js';
import type { CodeKind } from './plan.js';
import type { Actual, Code, Privacy } from './resources.js';

/** A revision to publish, with test events of its own. */
export interface RevisionToPublish {
  kind: CodeKind;
  versionId: string;
  events?: JsonObject[] | undefined;
}

/** The reads and writes that a plan needs. `client-workspace.ts` makes them over the API. */
export interface Workspace {
  read(): Promise<Actual>;
  putCredential(key: string, body: { value: string; isSecret: boolean }): Promise<void>;
  /** Makes a draft, or a revision of what has this id. */
  draft(kind: CodeKind, id: string | undefined, code: Code): Promise<{ id: string; versionId: string }>;
  /** Makes all of them live, or none. Throws if a test fails. */
  publish(revisions: RevisionToPublish[]): Promise<void>;
  createSource(body: JsonObject): Promise<{ id: string; writeKey: string }>;
  updateSource(id: string, body: JsonObject): Promise<void>;
  putPrivacy(writeKey: string, privacy: Privacy): Promise<void>;
  createDestination(body: JsonObject): Promise<{ id: string }>;
  updateDestination(id: string, body: JsonObject): Promise<void>;
  link(destinationId: string, transformationId: string): Promise<void>;
  unlink(destinationId: string): Promise<void>;
  createConnection(body: { sourceId: string; destinationId: string; enabled: boolean }): Promise<void>;
  updateConnection(id: string, body: { enabled: boolean }): Promise<void>;
  delete(kind: 'credential' | CodeKind | 'source' | 'destination' | 'connection', id: string): Promise<void>;
}
