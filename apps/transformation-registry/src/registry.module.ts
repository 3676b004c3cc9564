import { Module } from '@nestjs/common';
import { CredentialController } from './credentials/credential.controller.js';
import { CredentialRepository } from './credentials/credential.repository.js';
import { CredentialService } from './credentials/credential.service.js';
import { ReleaseFacts } from './database/release-facts.js';
import { WorkspaceDatabase } from './database/workspace-database.js';
import { ExternalIdController } from './external-ids/external-id.controller.js';
import { CodeRepository } from './gate/code.repository.js';
import { EventRunner } from './gate/event-runner.js';
import { GateMetrics } from './gate/gate.metrics.js';
import { PointerRepository } from './gate/pointer.repository.js';
import { ReleaseGate } from './gate/release-gate.js';
import { ReleaseTester } from './gate/release-tester.js';
import { SandboxClient } from './gate/sandbox.client.js';
import { LibraryController } from './libraries/library.controller.js';
import { LibraryService } from './libraries/library.service.js';
import { LinkController } from './links/link.controller.js';
import { LinkRepository } from './links/link.repository.js';
import { LinkService } from './links/link.service.js';
import { BundleService } from './releases/bundle.service.js';
import { DestinationReleaseRepository } from './releases/destination-release.repository.js';
import { DestinationReleaseService } from './releases/destination-release.service.js';
import { ReleaseController } from './releases/release.controller.js';
import { ReleaseService } from './releases/release.service.js';
import { RevisionReader } from './revisions/revision.reader.js';
import { RevisionStore } from './revisions/revision.store.js';
import { RevisionWriter } from './revisions/revision.writer.js';
import { RollbackService } from './transformations/rollback.service.js';
import { TransformationController } from './transformations/transformation.controller.js';
import { TransformationService } from './transformations/transformation.service.js';
import { TrialController } from './trials/trial.controller.js';
import { TrialMetrics } from './trials/trial.metrics.js';
import { TrialRepository } from './trials/trial.repository.js';
import { TrialService } from './trials/trial.service.js';
import { TrialRevertService } from './trials/trial-revert.service.js';

const GATE = [CodeRepository, EventRunner, GateMetrics, PointerRepository, ReleaseGate, ReleaseTester, SandboxClient];
const REPOSITORIES = [
  CredentialRepository,
  DestinationReleaseRepository,
  LinkRepository,
  RevisionStore,
  TrialRepository,
];
const SERVICES = [
  BundleService,
  CredentialService,
  DestinationReleaseService,
  LibraryService,
  LinkService,
  ReleaseService,
  RevisionReader,
  RevisionWriter,
  RollbackService,
  TransformationService,
  TrialMetrics,
  TrialRevertService,
  TrialService,
];

/** One module, because the features share one gate and one set of pointers. */
@Module({
  controllers: [
    TransformationController,
    LibraryController,
    ReleaseController,
    LinkController,
    ExternalIdController,
    CredentialController,
    TrialController,
  ],
  providers: [ReleaseFacts, WorkspaceDatabase, ...GATE, ...REPOSITORIES, ...SERVICES],
})
export class RegistryModule {}
