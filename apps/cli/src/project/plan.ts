import type { Known, ToDelete } from '../core/entity-tag.js';
import type { TestCase } from './code-files.js';
import type { Change } from './compare.js';
import type { JsonObject } from './json.js';
import type { Code, Privacy } from './resources.js';

export type Kind = 'credential' | 'library' | 'transformation' | 'source' | 'destination' | 'connection';
export type CodeKind = 'library' | 'transformation';

interface Base {
  name: string;
  /** The text for the reader. Holds no secret. */
  changes: Change[];
}
type Create = Base & { action: 'create' };
type Update = Base & Known & { action: 'update' };
type Put = Create | Update;

/** A name of a resource that a step needs. The id is known once earlier steps have run. */
export type Step =
  | (Put & { kind: 'credential'; body: { value: string; isSecret: boolean } })
  /** Makes a draft, which the step `publish` makes live together with all others. Without a body, only the tests change. */
  | (Put & { kind: CodeKind; body: Code | undefined })
  | ((Create | (Update & { writeKey: string; knownPrivacy?: Privacy | undefined })) & {
      kind: 'source';
      body: JsonObject | undefined;
      privacy?: Privacy | undefined;
    })
  | ((Create | (Update & { linkedId?: string | undefined })) & {
      kind: 'destination';
      body: JsonObject | undefined;
      transformation?: string | null | undefined;
    })
  | (Put & { kind: 'connection'; source: string; destination: string; enabled: boolean })
  | (Base & { action: 'publish'; kind: 'code'; code: Publication[] })
  | (Base & ToDelete & { action: 'delete'; kind: Kind });

/** A revision to make live. Without `existing`, the draft of an earlier step. */
export interface Publication {
  kind: CodeKind;
  name: string;
  existing?: (Known & { versionId: string }) | undefined;
  events?: JsonObject[] | undefined;
  /** Saved together with the code. */
  tests?: TestCase[] | undefined;
}

/** The steps, in order, that bring a workspace to the state of the files. */
export interface Plan {
  steps: Step[];
  /** The problems that prevent the plan, and how to solve them. */
  problems: string[];
  /** Destinations that can be stored, and get no events yet. */
  warnings: string[];
  notes: string[];
  /** Resources of the workspace that the files do not have. */
  unmanaged: { kind: Kind; name: string }[];
  /** Secrets that cannot be compared, as `destination "hook": config.apiKey`. */
  unknownSecrets: string[];
  /** Ids of what exists, by kind and name. */
  ids: Ids;
}

/** Ids by kind and name. */
export class Ids {
  private readonly known = new Map<string, string>();

  set(kind: Kind, name: string, id: string): void {
    this.known.set(`${kind}/${name}`, id);
  }

  get(kind: Kind, name: string): string {
    const id = this.known.get(`${kind}/${name}`);
    if (id === undefined) throw new Error(`no ${kind} is called "${name}"`);
    return id;
  }
}

/** Steps that cannot be undone by applying an earlier state of the files again. */
export const deletions = ({ steps }: Plan): Step[] => steps.filter(({ action }) => action === 'delete');

export interface DiffOptions {
  /** Deletes what the files do not have. */
  prune?: boolean;
  /** Writes secrets again that the API does not give back. */
  setSecrets?: boolean;
}

/** One part of a plan, for one kind of resource. */
export interface Part extends Pick<Plan, 'problems' | 'warnings' | 'notes' | 'unknownSecrets'> {
  steps: Step[];
  /** Objects that only the workspace has. */
  rest: (ToDelete & { kind: Kind; name: string })[];
}

export const emptyPart = (): Part => ({
  ...{ steps: [], problems: [], warnings: [], notes: [], unknownSecrets: [] },
  rest: [],
});
