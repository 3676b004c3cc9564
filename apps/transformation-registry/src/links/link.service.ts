import { Injectable } from '@nestjs/common';
import {
  DEPENDENTS_MAX,
  type DeleteLink,
  type GetLink,
  type ListVersionDestinations,
  notFound,
  type PutLink,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { recordAct } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { usagesOf } from '../libraries/library.service.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { LIBRARY, TRANSFORMATION } from '../revisions/artifact.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { type LinkEntity, LinkRepository } from './link.repository.js';

type Link = ReplyOf<typeof GetLink>;

/** Sets which transformation a destination uses, and tells which destinations use a revision. */
@Injectable()
export class LinkService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly links: LinkRepository,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  /** Replaces the transformation that the destination has, and names it. */
  put(request: RequestOf<typeof PutLink>): Promise<ReplyOf<typeof PutLink>> {
    const { workspaceId, destinationId, transformationId, by } = request;
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

  async get({ workspaceId, destinationId }: RequestOf<typeof GetLink>): Promise<Link> {
    return viewOf(await this.links.find(this.database.read(workspaceId), destinationId));
  }

  remove({ workspaceId, destinationId, by }: RequestOf<typeof DeleteLink>): Promise<Link> {
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

  async ofVersions(
    request: RequestOf<typeof ListVersionDestinations>,
  ): Promise<ReplyOf<typeof ListVersionDestinations>> {
    const { workspaceId, versionIds, libraryVersionIds = [] } = request;
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

function viewOf(link: LinkEntity | undefined): Link {
  if (!link) throw notFound('transformation of the destination');
  return {
    destinationId: link.destinationId,
    transformationId: link.transformationId,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
}
