import { Injectable } from '@nestjs/common';
import type { Call, ValidationOutput } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { ReleaseGate } from '../gate/release-gate.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { requireMatch } from '../rules/entity-tag.js';
import { checkExternalId } from '../rules/fields.js';
import { checkLanguage, checkLanguageKept } from '../rules/language.js';
import type { AnyKind, RevisionRow } from './kind.js';
import type { Base, Draft, RevisionRequest } from './revision.draft.js';
import { found } from './revision.reader.js';
import { type NewObject, RevisionStore } from './revision.store.js';
import { taggedObjectOf } from './revision.view.js';

interface WriteRequest extends RevisionRequest {
  workspaceId: string;
  publish: boolean;
  language?: string | undefined;
}
export interface CreateRequest extends WriteRequest {
  name: string;
  code: string;
  externalId?: string | undefined;
}
export interface UpdateRequest extends WriteRequest {
  id: string;
  ifMatch?: readonly string[] | undefined;
}
export interface DeleteRequest {
  workspaceId: string;
  id: string;
  ifMatch?: readonly string[] | undefined;
}

/** The parts of a write that depend on its kind. */
export interface Recipe {
  /** The call, which sets the deadline. */
  call: Call;
  draft(base: Base): Draft;
  /** Columns of a new object that only its kind has. */
  columns?: NewObject['columns'];
  /** Runs in the transaction, after the revision went live. */
  published?(tx: WriteScope, id: string): Promise<void>;
}

/** Creates a revision with every write. Publishing also moves the pointer, and the old revision stays (spec section 3). */
@Injectable()
export class RevisionWriter {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly store: RevisionStore,
    private readonly gate: ReleaseGate,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  create<K extends AnyKind>(kind: K, request: CreateRequest, recipe: Recipe) {
    const { name, code, createdBy } = request;
    const externalId = checkExternalId(request.externalId ?? '') || null;
    const object = { id: newKsuid(), language: checkLanguage(request.language), externalId, createdBy };
    const { revision, candidates } = recipe.draft({ ...object, versionId: newKsuid(), name, code, description: '' });
    const prepare = async () => ({ revision, candidates: { ...candidates, newObjectId: object.id } });
    return this.pass(kind, request, recipe, prepare, (tx) =>
      this.store.insert(kind, tx, { ...object, columns: recipe.columns ?? {} }),
    );
  }

  update<K extends AnyKind>(kind: K, request: UpdateRequest, recipe: Recipe) {
    const versionId = newKsuid();
    const prepare = async (scope: Scope) => {
      const latest = found(await this.store.findLatest(kind, scope, request.id), kind.what);
      requireMatch(latest, request.ifMatch);
      checkLanguageKept(latest.language, request.language);
      const base = (await this.keptLive(kind, scope, request)) ?? latest;
      return { ...recipe.draft(baseOn(base, versionId)), basedOn: base.version_id };
    };
    return this.pass(kind, request, recipe, prepare);
  }

  /**
   * Unpublishes an object. Its revisions stay.
   * @param release Removes everything that refers to the object, or throws
   */
  delete(kind: AnyKind, request: DeleteRequest, release: (tx: WriteScope) => Promise<void>): Promise<void> {
    const { workspaceId, id, ifMatch } = request;
    return this.database.write(workspaceId, async (tx) => {
      requireMatch(found(await this.store.findLive(kind, tx, id), kind.what), ifMatch);
      await release(tx);
      await this.store.unpublish(kind, tx, id);
      await this.releases.refresh(tx);
    });
  }

  /**
   * The live revision, if a publish without code must build on it (ruling 33). After a rollback, the latest revision is the one
   * that somebody took back. A change of the description must not bring it live again.
   */
  private async keptLive<K extends AnyKind>(kind: K, scope: Scope, { id, code, publish }: UpdateRequest) {
    if (!publish || code !== undefined || !(await this.store.isRolledBack(kind, scope, id))) return undefined;
    return this.store.findLive(kind, scope, id);
  }

  private async pass<K extends AnyKind>(
    kind: K,
    { workspaceId, publish, createdBy }: WriteRequest,
    recipe: Recipe,
    prepare: (scope: Scope) => Promise<Draft>,
    begin: (tx: WriteScope) => Promise<void> = async () => undefined,
  ): Promise<{ stored: ReturnType<typeof taggedObjectOf<K>> & { basedOn?: string }; output: ValidationOutput }> {
    return this.gate.pass({
      workspaceId,
      deadline: Deadline.of(recipe.call),
      prepare,
      apply: async (tx, { revision, candidates, basedOn }) => {
        await begin(tx);
        await this.store.addRevision(kind, tx, revision);
        if (publish) {
          await this.pointers.publish(tx, candidates, { by: createdBy });
          await recipe.published?.(tx, revision.id);
          await this.releases.refresh(tx);
        }
        const row = await this.store.findRevision(kind, tx, revision.id, revision.versionId);
        return { ...taggedObjectOf(kind, found(row, kind.what)), ...(basedOn && { basedOn }) };
      },
    });
  }
}

const baseOn = ({ id, name, description, code, language, external_id }: RevisionRow, versionId: string): Base => ({
  ...{ id, versionId, name, description, code, language },
  externalId: external_id,
});
