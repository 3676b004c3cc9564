import { Controller } from '@nestjs/common';
import { notFound, type ReplyOf, type RequestOf, SetExternalId } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { LibraryRepository } from '../libraries/library.repository.js';
import { checkExternalId } from '../rules/fields.js';
import { TransformationRepository } from '../transformations/transformation.repository.js';

/** Names that infrastructure-as-code clients give to what they manage (wire-facts 1.10). An empty one removes it. */
@Controller()
export class ExternalIdController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly transformations: TransformationRepository,
    private readonly libraries: LibraryRepository,
  ) {}

  @Handles(SetExternalId)
  async set({
    workspaceId,
    kind,
    id,
    externalId,
  }: RequestOf<typeof SetExternalId>): Promise<ReplyOf<typeof SetExternalId>> {
    const value = checkExternalId(externalId) || null;
    const repository = kind === 'transformation' ? this.transformations : this.libraries;
    await this.database.write(workspaceId, async (tx) => {
      if (!(await repository.setExternalId(tx, id, value))) throw notFound(kind);
    });
    return {};
  }
}
