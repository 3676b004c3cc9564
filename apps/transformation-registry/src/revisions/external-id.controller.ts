import { Controller } from '@nestjs/common';
import { notFound, type ReplyOf, type RequestOf, SetExternalId } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { checkExternalId } from '../rules/fields.js';
import { LIBRARY, TRANSFORMATION } from './artifact.js';
import { RevisionStore } from './revision.store.js';

const ARTIFACTS = { transformation: TRANSFORMATION, library: LIBRARY };

/**
 * Ids that infrastructure-as-code clients give to the objects that they manage (wire-facts 1.10). An empty one removes the id.
 */
@Controller()
export class ExternalIdController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly store: RevisionStore,
  ) {}

  @Handles(SetExternalId)
  async set({
    workspaceId,
    kind,
    id,
    externalId,
  }: RequestOf<typeof SetExternalId>): Promise<ReplyOf<typeof SetExternalId>> {
    const value = checkExternalId(externalId) || null;
    await this.database.write(workspaceId, async (tx) => {
      if (!(await this.store.setExternalId(ARTIFACTS[kind], tx, id, value))) throw notFound(kind);
    });
    return {};
  }
}
