import { Controller } from '@nestjs/common';
import {
  DEPENDENTS_MAX,
  DeleteLink,
  GetLink,
  ListVersionDestinations,
  notFound,
  PutLink,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { recordAct } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { usagesOf } from '../libraries/library.service.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { LIBRARY, TRANSFORMATION } from '../revisions/artifact.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { type LinkEntity, LinkRepository } from './link.repository.js';

/** Sets which transformation a destination uses. */
@Controller()
export class LinkController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly links: LinkRepository,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  @Handles(PutLink)
  put({
    workspaceId,
    destinationId,
    transformationId,
    by,
  }: RequestOf<typeof PutLink>): Promise<ReplyOf<typeof PutLink>> {
    return this.database.write(workspaceId, async (tx) => {
      found(await this.store.findLive(TRANSFORMATION, tx, transformationId), 'published transformation');
      const [replaced] = await this.links.others(tx, transformationId, [destinationId]);
      await this.links.put(tx, transformationId, [destinationId]);
      await recordAct(tx, by, {
        action: 'transformation.connected',
        details: { id: transformationId, destinationIds: [destinationId] },
      });
      await this.releases.refresh(tx);
      return { ...viewOf(await this.links.find(tx, destinationId)), ...(replaced && { replaced }) };
    });
  }

  @Handles(GetLink)
  async get({ workspaceId, destinationId }: RequestOf<typeof GetLink>): Promise<ReplyOf<typeof GetLink>> {
    return viewOf(await this.links.find(this.database.read(workspaceId), destinationId));
  }

  @Handles(DeleteLink)
  remove({ workspaceId, destinationId, by }: RequestOf<typeof DeleteLink>): Promise<ReplyOf<typeof DeleteLink>> {
    return this.database.write(workspaceId, async (tx) => {
      const link = viewOf(await this.links.remove(tx, destinationId));
      await recordAct(tx, by, {
        action: 'transformation.disconnected',
        details: { id: link.transformationId, destinationIds: [destinationId] },
      });
      await this.releases.refresh(tx);
      return link;
    });
  }

  @Handles(ListVersionDestinations)
  async ofVersions({
    workspaceId,
    versionIds,
    libraryVersionIds = [],
  }: RequestOf<typeof ListVersionDestinations>): Promise<ReplyOf<typeof ListVersionDestinations>> {
    const scope = this.database.read(workspaceId);
    const dependents = libraryVersionIds.length > 0 ? await this.dependentsOf(scope, libraryVersionIds) : [];
    return {
      versions: await this.links.ofVersions(scope, versionIds),
      ...(dependents.length > 0 && { dependents: await this.links.ofVersions(scope, dependents) }),
    };
  }

  /** Revisions of live transformations that run one of the libraries, in order of creation. */
  private async dependentsOf(scope: Scope, libraryVersionIds: readonly string[]): Promise<string[]> {
    const libraries = [...(await this.store.named(LIBRARY, scope, libraryVersionIds)).values()];
    const published = await this.pointers.published(scope);
    const using = new Set(
      libraries
        .flatMap((library) => usagesOf(library, published).usages)
        .filter(({ kind }) => kind === 'transformation')
        .map(({ versionId }) => versionId),
    );
    return [...using].slice(0, DEPENDENTS_MAX);
  }
}

function viewOf(link: LinkEntity | undefined): ReplyOf<typeof GetLink> {
  if (!link) throw notFound('transformation of the destination');
  return {
    destinationId: link.destinationId,
    transformationId: link.transformationId,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
}
