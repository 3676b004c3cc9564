import { Injectable } from '@nestjs/common';
import { type Call, nameTaken, type ObjectStatus, type ValidationOutput } from '@weir/contracts';
import { newKsuid, recordAct } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { PublishGate } from '../gate/publish-gate.js';
import { Deadline } from '../gate/sandbox.client.js';
import type { Artifact, RevisionRow, Shape } from '../revisions/artifact.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import type { Base, Draft, RevisionRequest } from '../revisions/revision.draft.js';
import { found, foundOf, objectOf } from '../revisions/revision.reader.js';
import { type NewObject, RevisionStore } from '../revisions/revision.store.js';
import { requireMatch } from '../rules/entity-tag.js';
import { checkExternalId, checkLanguage, checkLanguageKept, checkName, requireCode } from '../rules/fields.js';
import { DestinationReleaseService } from './destination-release.service.js';

interface WriteRequest extends RevisionRequest {
  workspaceId: string;
  publish: boolean;
  language?: string | undefined;
}
export interface CreateRequest extends WriteRequest {
  name: string;
  code: string;
  externalId?: string | undefined;
  uniqueName?: boolean | undefined;
}
export interface UpdateRequest extends WriteRequest {
  id: string;
  ifMatch?: readonly string[] | undefined;
}
export interface DeleteRequest {
  workspaceId: string;
  id: string;
  status?: ObjectStatus | undefined;
  ifMatch?: readonly string[] | undefined;
  by?: string | undefined;
}

/** The parts of a write that depend on its artifact. */
export interface Recipe {
  /** The call, which sets the deadline. */
  call: Call;
  draft(base: Base): Draft;
  /** Columns of a new object that only libraries have. */
  columns?: NewObject['columns'];
  /** Refuses a publish, before its tests and again in the transaction. */
  require?(scope: Scope, id: string): Promise<void>;
  /** Runs in the transaction, after the revision went live. Returns fields for the answer. */
  published?(tx: WriteScope, id: string): Promise<object>;
}

/** Creates a revision with every write. Publishing also moves the pointer, and the old revision stays (spec section 3). */
@Injectable()
export class RevisionWriter {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly store: RevisionStore,
    private readonly gate: PublishGate,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  create<S extends Shape>(artifact: Artifact<S>, request: CreateRequest, recipe: Recipe) {
    const { name, code, createdBy } = request;
    const externalId = checkExternalId(request.externalId ?? '') || null;
    const object = { id: newKsuid(), language: checkLanguage(request.language), externalId, createdBy };
    const { revision, candidates } = recipe.draft({ ...object, versionId: newKsuid(), name, code, description: '' });
    requireCode(code);
    const prepare = async (scope: Scope) => {
      if (request.uniqueName) await this.requireFree(artifact, scope, checkName(name));
      await recipe.require?.(scope, object.id);
      return { revision, candidates: { ...candidates, newObjectId: object.id } };
    };
    return this.pass(artifact, request, recipe, prepare, (tx) =>
      this.store.insert(artifact, tx, { ...object, ...(recipe.columns && { columns: recipe.columns }) }),
    );
  }

  update<S extends Shape>(artifact: Artifact<S>, request: UpdateRequest, recipe: Recipe) {
    const versionId = newKsuid();
    const prepare = async (scope: Scope) => {
      const latest = found(await this.store.findLatest(artifact, scope, request.id), artifact.type);
      requireMatch(artifact.type, latest, request.ifMatch);
      checkLanguageKept(latest, request.language);
      await recipe.require?.(scope, request.id);
      const base = (await this.keptLive(artifact, scope, request)) ?? latest;
      return { ...recipe.draft(baseOn(base, versionId)), basedOn: base.version_id };
    };
    return this.pass(artifact, request, recipe, prepare);
  }

  /**
   * Unpublishes an object, or drops a draft. Its revisions stay.
   * @param release Removes everything that refers to the published object, or throws
   */
  delete(artifact: Artifact, request: DeleteRequest, release: (tx: WriteScope) => Promise<void>): Promise<void> {
    const { workspaceId, id, status, ifMatch, by } = request;
    return this.database.write(workspaceId, async (tx) => {
      const row = await foundOf(this.store, artifact, tx, { id, status });
      requireMatch(artifact.type, row, ifMatch);
      if (row.live_version_id !== null) await release(tx);
      await this.store.unpublish(artifact, tx, id);
      await this.releases.refresh(tx);
      await recordAct(tx, by, {
        action: `${artifact.type}.deleted`,
        details: { id, wasLive: row.live_version_id !== null },
      });
    });
  }

  /**
   * The live revision, if a publish without code must build on it (ruling 33). After a rollback, the latest revision is the one
   * that a user took back. A change of the description must not bring it live again.
   */
  private async keptLive<S extends Shape>(artifact: Artifact<S>, scope: Scope, { id, code, publish }: UpdateRequest) {
    if (!publish || code !== undefined || !(await this.store.isRolledBack(artifact, scope, id))) return undefined;
    return this.store.findLive(artifact, scope, id);
  }

  /** Holds in the transaction, because writers of a workspace take turns. */
  private async requireFree(artifact: Artifact, scope: Scope, name: string): Promise<void> {
    const existing = await this.store.findNamed(artifact, scope, name);
    if (existing) throw nameTaken(artifact.type, existing.id);
  }

  private async pass<S extends Shape>(
    artifact: Artifact<S>,
    { workspaceId, publish, createdBy }: WriteRequest,
    recipe: Recipe,
    prepare: (scope: Scope) => Promise<Draft>,
    begin: (tx: WriteScope) => Promise<void> = async () => undefined,
  ): Promise<{ stored: ReturnType<typeof objectOf<S>> & { basedOn?: string }; output: ValidationOutput }> {
    return this.gate.pass({
      workspaceId,
      deadline: Deadline.of(recipe.call),
      prepare,
      apply: async (tx, { revision, candidates, basedOn }, tested) => {
        await begin(tx);
        await this.store.addRevision(artifact, tx, revision);
        let more = {};
        if (publish) {
          await this.pointers.publish(tx, candidates, tested, { by: createdBy });
          more = (await recipe.published?.(tx, revision.id)) ?? {};
          await this.releases.refresh(tx);
        }
        const row = await this.store.findRevision(artifact, tx, revision.id, revision.versionId);
        return { ...objectOf(artifact, found(row, artifact.type)), ...(basedOn && { basedOn }), ...more };
      },
    });
  }
}

const baseOn = ({ id, name, description, code, language, external_id }: RevisionRow, versionId: string): Base => ({
  ...{ id, versionId, name, description, code, language },
  externalId: external_id,
});
