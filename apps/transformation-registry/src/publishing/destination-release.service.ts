import { Injectable } from '@nestjs/common';
import {
  type DestinationRelease,
  type ListReleasesSince,
  RELEASE_PUBLISHED_SUBJECT,
  type ReplyOf,
} from '@weir/contracts';
import { outboxAdd } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { type ImportableNodes, resolveLibraries } from '../gate/resolve-libraries.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import {
  DestinationReleaseRepository,
  type DestinationState,
  type LiveCode,
  type NewRelease,
} from './destination-release.repository.js';

/** Releases on one page. With 50 libraries each, they stay below one message. */
const PAGE_RELEASES_MAX = 500;

/**
 * Maintains what is live for each destination. Releases always match pointers and links, and their numbers follow the order of
 * the commits.
 */
@Injectable()
export class DestinationReleaseService {
  constructor(
    private readonly dataSource: Database,
    private readonly database: WorkspaceDatabase,
    private readonly releases: DestinationReleaseRepository,
    private readonly pointers: PointerRepository,
  ) {}

  /** Call it last in every transaction that moves a pointer or a link. */
  async refresh(tx: WriteScope): Promise<void> {
    const libraries = await this.pointers.publishedLibraries(tx);
    const importable = new Map(libraries.map((library) => [library.importName, library]));
    const changed = changedReleases(await this.releases.states(tx), importable);
    if (changed.length === 0) return;
    const release = await this.releases.write(tx, changed);
    await outboxAdd(tx.sql, RELEASE_PUBLISHED_SUBJECT, { release });
  }

  /** Undefined if no transformation is linked. */
  async live(workspaceId: string, destinationId: string): Promise<DestinationRelease | undefined> {
    const release = await this.releases.find(this.database.read(workspaceId), destinationId);
    return release?.transformationId ? release : undefined;
  }

  async since(after: number): Promise<ReplyOf<typeof ListReleasesSince>> {
    const found = await this.releases.since(this.dataSource, after, PAGE_RELEASES_MAX + 1);
    return { releases: found.slice(0, PAGE_RELEASES_MAX), more: found.length > PAGE_RELEASES_MAX };
  }
}

const NOTHING: LiveCode = { transformationId: null, versionId: null, libraryVersionIds: [], onTrial: false };

/** Releases that pointers and links require and that do not exist yet. */
export function changedReleases(states: readonly DestinationState[], libraries: ImportableNodes): NewRelease[] {
  return states.flatMap(({ destinationId, linked, released = NOTHING }) => {
    const wanted = linked ? codeOf(linked, libraries) : NOTHING;
    return isSame(wanted, released) ? [] : [{ destinationId, ...wanted }];
  });
}

const codeOf = (
  { transformationId, versionId, imports, onTrial }: NonNullable<DestinationState['linked']>,
  libraries: ImportableNodes,
) => ({
  transformationId,
  versionId,
  libraryVersionIds: resolveLibraries({ imports }, libraries).libraries.map((library) => library.versionId),
  onTrial,
});

const isSame = (a: LiveCode, b: LiveCode) =>
  a.transformationId === b.transformationId &&
  a.versionId === b.versionId &&
  a.onTrial === b.onTrial &&
  a.libraryVersionIds.join() === b.libraryVersionIds.join();
