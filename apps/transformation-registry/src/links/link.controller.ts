import { Controller } from '@nestjs/common';
import {
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
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
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
  }: RequestOf<typeof ListVersionDestinations>): Promise<ReplyOf<typeof ListVersionDestinations>> {
    return { versions: await this.links.ofVersions(this.database.read(workspaceId), versionIds) };
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
