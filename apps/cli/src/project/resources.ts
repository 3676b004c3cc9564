import type { Known } from '../core/entity-tag.js';
import type { TestCase } from './code-files.js';
import type { JsonObject } from './json.js';
import type { Place } from './yaml-file.js';

/** The values that samples of a source keep and show (docs/specification/schemas.md). */
export interface Privacy {
  samples: 'keep' | 'mask' | 'off';
  maskedKeys: string[];
}

/** Dotted path of a value to the reference that it was read from, such as `env.API_KEY`. Such values are never shown. */
export type Secrets = Record<string, string>;

export interface Source {
  name: string;
  type: string;
  enabled: boolean;
  geoEnrichment: boolean;
  transient: boolean;
  /** Over how many partitions its users are spread. */
  partitions: number;
  config: JsonObject;
  /** Left out: Weir makes one. */
  writeKey?: string | undefined;
  /** Left out: not managed here. */
  privacy?: Privacy | undefined;
}

export interface Destination {
  name: string;
  type: string;
  enabled: boolean;
  config: JsonObject;
  /** Name of the transformation that its events pass through. */
  transformation?: string | undefined;
}

/** Known by the names of its ends. */
export interface Connection {
  source: string;
  destination: string;
  enabled: boolean;
}

export interface Code {
  name: string;
  description: string;
  code: string;
}

export interface Credential {
  key: string;
  value: string;
  secret: boolean;
}

/** The name of a resource before a rename. */
interface Renamed {
  was?: string | undefined;
}

interface Referring {
  /** Where values of the resource come from. */
  secrets: Secrets;
}

interface Tested {
  /** A publish tests the code on them. */
  events?: JsonObject[] | undefined;
  /** The saved tests. Left out: not managed here. */
  tests?: TestCase[] | undefined;
}

interface Placed {
  /** The place of a setting, or of what is closest around it. */
  placeOf(setting: readonly string[]): Place;
}

/** The files of a project, with every reference replaced by its value. */
export interface Desired {
  sources: (Source & Renamed & Referring & { writeKeyFrom?: string | undefined })[];
  destinations: (Destination & Renamed & Referring & Placed)[];
  connections: Connection[];
  transformations: (Code & Renamed & Tested)[];
  libraries: Code[];
  credentials: (Credential & Referring)[];
}

type Identified = Known;

interface Revised extends Identified {
  versionId: string;
  isPublished: boolean;
}

/** A workspace as the API shows it. Secrets may be `***` or left out. */
export interface Actual {
  sources: (Source & Identified & { writeKey: string; privacy: Privacy })[];
  destinations: (Destination & Identified & { transformationId?: string | undefined })[];
  connections: (Connection & Identified)[];
  transformations: (Code & Revised & { tests: TestCase[] })[];
  libraries: (Code & Revised & { importName: string })[];
  /** The tag is the time of the last change. */
  credentials: { key: string; secret: boolean; value?: string | undefined; etag?: string | undefined }[];
  /** The kinds of destinations that Weir has, by name. */
  kinds: Record<string, DestinationKind>;
}

/** A kind of destination, as its definition describes it. */
export interface DestinationKind {
  /** Dotted paths of secrets. `headers.to` is the `to` of each header. */
  secretKeys: string[];
  /** JSON Schema of the settings. */
  configSchema: JsonObject;
}

/** Shown by the API in place of a secret. */
export const MASK = '***';

/** Tells connections apart. Names may hold the arrow of {@link connectionName}. */
export const connectionKey = ({ source, destination }: Pick<Connection, 'source' | 'destination'>): string =>
  JSON.stringify([source, destination]);

export const connectionName = ({ source, destination }: Pick<Connection, 'source' | 'destination'>): string =>
  `${source} → ${destination}`;
