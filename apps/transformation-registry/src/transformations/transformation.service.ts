import { Injectable } from '@nestjs/common';
import {
  CreateTransformation,
  type DeleteTransformation,
  type GetTransformationVersion,
  type ListTransformations,
  type ListTransformationVersions,
  notFound,
  type ReplyOf,
  type RequestOf,
  type TaggedTransformation,
  type TaggedTransformationRevision,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { type Prepared, ReleaseGate } from '../gate/release-gate.js';
import { LinkRepository } from '../links/link.repository.js';
import { encodeCursor } from '../paging/cursor.js';
import { pageOf } from '../paging/page.js';
import { positionOf, versionsPage, versionsSlice } from '../paging/versions.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { requireMatch } from '../rules/entity-tag.js';
import { checkExternalId } from '../rules/fields.js';
import { checkLanguage, checkLanguageKept } from '../rules/language.js';
import { candidatesOf, checkDestinations, firstRevision, nextRevision } from './transformation.draft.js';
import { type NewTransformationRevision, TransformationRepository } from './transformation.repository.js';
import {
  type TransformationRow,
  taggedTransformationOf,
  taggedTransformationRevisionOf,
  transformationOf,
  transformationRevisionOf,
} from './transformation.view.js';

const WHAT = 'transformation';

interface PreparedRevision extends Prepared {
  revision: NewTransformationRevision;
}

/** Spec section 3: every write makes a revision; publishing also moves the pointer, and the old revision stays. */
@Injectable()
export class TransformationService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly transformations: TransformationRepository,
    private readonly gate: ReleaseGate,
    private readonly pointers: PointerRepository,
    private readonly links: LinkRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async create(request: RequestOf<typeof CreateTransformation>): Promise<TaggedTransformation> {
    checkDestinations(request);
    const language = checkLanguage(request.language);
    const externalId = checkExternalId(request.externalId ?? '') || null;
    const revision = firstRevision({ id: newKsuid(), versionId: newKsuid() }, request, language);
    const candidates = candidatesOf(revision, request, { language, externalId });
    const { stored } = await this.gate.pass({
      workspaceId: request.workspaceId,
      deadline: Deadline.of(CreateTransformation),
      prepare: async (): Promise<PreparedRevision> => ({ revision, candidates }),
      apply: async (tx, prepared) => {
        await this.transformations.insert(tx, { id: revision.id, language, externalId, createdBy: request.createdBy });
        return this.store(tx, prepared, request);
      },
    });
    return stored;
  }

  async update(request: RequestOf<typeof UpdateTransformation>): Promise<TaggedTransformation> {
    checkDestinations(request);
    const ids = { id: request.id, versionId: newKsuid() };
    const { stored } = await this.gate.pass({
      workspaceId: request.workspaceId,
      deadline: Deadline.of(UpdateTransformation),
      prepare: async (scope): Promise<PreparedRevision> => {
        const latest = found(await this.transformations.findLatest(scope, request.id));
        requireMatch(latest, request.ifMatch);
        checkLanguageKept(latest.language, request.language);
        const revision = nextRevision(ids, request, latest);
        const { language, external_id: externalId } = latest;
        return { revision, candidates: candidatesOf(revision, request, { language, externalId }) };
      },
      apply: (tx, prepared) => this.store(tx, prepared, request),
    });
    return stored;
  }

  async list({
    workspaceId,
    after,
  }: RequestOf<typeof ListTransformations>): Promise<ReplyOf<typeof ListTransformations>> {
    const rows = await this.transformations.listPublished(this.database.read(workspaceId), positionOf(after));
    const { items, next } = pageOf(rows, transformationOf);
    return { transformations: items, ...(next && { next: encodeCursor({ position: next }) }) };
  }

  async get(workspaceId: string, id: string): Promise<TaggedTransformation> {
    return taggedTransformationOf(found(await this.transformations.findPublished(this.database.read(workspaceId), id)));
  }

  delete({ workspaceId, id, ifMatch }: RequestOf<typeof DeleteTransformation>): Promise<void> {
    return this.database.write(workspaceId, async (tx) => {
      requireMatch(found(await this.transformations.findPublished(tx, id)), ifMatch);
      await this.links.removeAll(tx, id, []);
      await this.transformations.unpublish(tx, id);
      await this.releases.refresh(tx);
    });
  }

  async listVersions(
    request: RequestOf<typeof ListTransformationVersions>,
  ): Promise<ReplyOf<typeof ListTransformationVersions>> {
    const scope = this.database.read(request.workspaceId);
    const { slice, left } = versionsSlice(request);
    const rows = await this.transformations.listRevisions(scope, request.id, slice);
    if (rows.length === 0 && !(await this.transformations.exists(scope, request.id))) throw notFound(WHAT);
    const positioned = rows.map((row) => ({ ...row, position: row.revision_position }));
    const { items, next } = versionsPage(positioned, transformationRevisionOf, left);
    return { versions: items, ...(next && { next }) };
  }

  async getVersion(request: RequestOf<typeof GetTransformationVersion>): Promise<TaggedTransformationRevision> {
    const scope = this.database.read(request.workspaceId);
    return taggedTransformationRevisionOf(
      found(await this.transformations.findRevision(scope, request.id, request.versionId), 'version'),
    );
  }

  private async store(
    tx: WriteScope,
    { revision, candidates }: PreparedRevision,
    { publish, destinationIds }: Pick<RequestOf<typeof CreateTransformation>, 'publish' | 'destinationIds'>,
  ): Promise<TaggedTransformation> {
    await this.transformations.addRevision(tx, revision);
    if (publish) {
      await this.pointers.publish(tx, candidates, revision.createdBy);
      if (destinationIds) await this.links.replaceAll(tx, revision.id, destinationIds);
      await this.releases.refresh(tx);
    }
    return taggedTransformationOf(found(await this.transformations.findRevision(tx, revision.id, revision.versionId)));
  }
}

function found(row: TransformationRow | undefined, what = WHAT): TransformationRow {
  if (!row) throw notFound(what);
  return row;
}
