import { Injectable } from '@nestjs/common';
import { type ListVersionDestinations, notFound, type PutLink, type ReplyOf, type RequestOf } from '@weir/contracts';
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { TRANSFORMATION } from '../transformations/transformation.kind.js';
import { LinkRepository, type LinkRow } from './link.repository.js';

type Link = ReplyOf<typeof PutLink>;

@Injectable()
export class LinkService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly links: LinkRepository,
    private readonly store: RevisionStore,
    private readonly releases: DestinationReleaseService,
  ) {}

  put({ workspaceId, destinationId, transformationId }: RequestOf<typeof PutLink>): Promise<Link> {
    return this.database.write(workspaceId, async (tx) => {
      found(await this.store.findLive(TRANSFORMATION, tx, transformationId), 'published transformation');
      await this.links.put(tx, transformationId, [destinationId]);
      await this.releases.refresh(tx);
      return linkOf(await this.links.find(tx, destinationId));
    });
  }

  async get(workspaceId: string, destinationId: string): Promise<Link> {
    return linkOf(await this.links.find(this.database.read(workspaceId), destinationId));
  }

  async ofVersions({ workspaceId, versionIds }: RequestOf<typeof ListVersionDestinations>) {
    return { versions: await this.links.ofVersions(this.database.read(workspaceId), versionIds) };
  }

  remove(workspaceId: string, destinationId: string): Promise<Link> {
    return this.database.write(workspaceId, async (tx) => {
      const link = linkOf(await this.links.remove(tx, destinationId));
      await this.releases.refresh(tx);
      return link;
    });
  }
}

function linkOf(row: LinkRow | undefined): Link {
  if (!row) throw notFound('transformation of the destination');
  return {
    destinationId: row.destination_id,
    transformationId: row.transformation_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
