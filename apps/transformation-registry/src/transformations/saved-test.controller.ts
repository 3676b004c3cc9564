import { Controller } from '@nestjs/common';
import { GetSavedTests, notFound, type ReplyOf, type RequestOf, SetSavedTests } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { requireFittingTests, SavedTestRepository } from '../revisions/saved-test.repository.js';

/** Tests that people keep with a transformation. */
@Controller()
export class SavedTestController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly saved: SavedTestRepository,
  ) {}

  @Handles(GetSavedTests)
  async get({ workspaceId, id }: RequestOf<typeof GetSavedTests>): Promise<ReplyOf<typeof GetSavedTests>> {
    const scope = this.database.read(workspaceId);
    await this.requireKnown(scope, id);
    return this.saved.find(scope, id);
  }

  @Handles(SetSavedTests)
  set({ workspaceId, id, tests, by }: RequestOf<typeof SetSavedTests>): Promise<ReplyOf<typeof SetSavedTests>> {
    requireFittingTests(tests);
    return this.database.write(workspaceId, async (tx) => {
      await this.requireKnown(tx, id);
      await this.saved.put(tx, id, tests, by);
      return this.saved.find(tx, id);
    });
  }

  private async requireKnown(scope: Scope, id: string): Promise<void> {
    if (!(await this.saved.isKnown(scope, id))) throw notFound(TRANSFORMATION.type);
  }
}
