import type { TestCase } from '../project/code-files.js';
import { addVariable, emptyProject, type FileProject } from '../project/files.js';
import { envReference, variableName } from '../project/references.js';
import { Ledger } from './ledger.js';

/** A kind of destination that Weir has, as `GET /destination-definitions` shows it. */
export interface Definition {
  name: string;
  secretKeys: readonly string[];
  /** Settings that the kind reads, with the JSON types of their values. */
  settings: Readonly<Record<string, readonly string[]>>;
}

export interface Code {
  name: string;
  description: string;
  code: string;
  language: string;
  tests?: TestCase[];
}

/** Finds code that the workspace export only names. Undefined if there is none. */
export interface CodeSource {
  transformation(id: string | undefined, versionId: string): Promise<Code | undefined>;
  library(versionId: string): Promise<Code | undefined>;
}

/** Something that Weir does not do, and what happens to events because of it. */
export interface Loss {
  what: string;
  events: string;
}

/** A destination of the workspace export whose code is missing, and which project files may have. */
export interface MissingCode {
  destination: string;
  /** Id of the transformation in the export. */
  transformationId: string | undefined;
  /** To be called with the name of the transformation. */
  found(transformation: string): void;
}

/** The result of an import while it is made. */
export class Import {
  readonly ledger = new Ledger();
  readonly project: FileProject = emptyProject();
  readonly losses: Loss[] = [];
  /** Values of the variables that the files refer to. */
  readonly env: Record<string, string> = {};
  readonly missingCode: MissingCode[] = [];
  private readonly names = new Map<string, Set<string>>();

  constructor(
    readonly definitions: ReadonlyMap<string, Definition>,
    readonly code: CodeSource,
  ) {}

  /** A reference to a new variable that holds this secret. */
  secret(value: unknown, place: string, ...words: string[]): string {
    const name = addVariable(this.project, variableName(...words), place);
    const isText = typeof value === 'string';
    this.env[name] = isText ? value : JSON.stringify(value);
    return envReference(name, !isText);
  }

  /** A name that is free in its folder: Weir knows resources by their names. */
  freeName(folder: string, wanted: string): string {
    const taken = this.names.get(folder) ?? new Set<string>();
    this.names.set(folder, taken);
    const base = wanted.trim() || 'unnamed';
    for (let number = 1; ; number++) {
      const name = number === 1 ? base : `${base} (${number})`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  }

  /** Removes a loss that turned out to be none. */
  noLonger(what: string): void {
    const at = this.losses.findIndex((loss) => loss.what === what);
    if (at >= 0) this.losses.splice(at, 1);
  }
}
