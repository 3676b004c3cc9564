import { Controller } from '@nestjs/common';
import {
  GetSavedTests,
  invalidField,
  notFound,
  type ReplyOf,
  type RequestOf,
  SAVED_TESTS_BYTES_MAX,
  SetSavedTests,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { recordAct } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { SavedTestRepository } from '../revisions/saved-test.repository.js';

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
    if (Buffer.byteLength(JSON.stringify(tests)) > SAVED_TESTS_BYTES_MAX) {
      throw invalidField('tests', `must be at most ${SAVED_TESTS_BYTES_MAX} bytes together: shorten their events`);
    }
    return this.database.write(workspaceId, async (tx) => {
      await this.requireKnown(tx, id);
      await this.saved.put(tx, id, tests, by);
      await recordAct(tx, by, { action: 'transformation.tests_saved', details: { id, tests: tests.length } });
      return this.saved.find(tx, id);
    });
  }

  private async requireKnown(scope: Scope, id: string): Promise<void> {
    if (!(await this.saved.isKnown(scope, id))) throw notFound(TRANSFORMATION.type);
  }
}
