import { type DynamicModule, Module } from '@nestjs/common';
import { ActsRelay, KitModule } from '@weir/service-kit';
import { BundleService, CodeRepository } from './bundles/bundle.service.js';
import type { readConfig } from './config.js';
import { CredentialController } from './credentials/credential.controller.js';
import { CredentialRepository } from './credentials/credential.repository.js';
import { ReleaseRelay, WorkspaceDatabase } from './database/workspace-database.js';
import { EventRunner } from './gate/event-runner.js';
import { PlanTester } from './gate/plan-tester.js';
import { PublishGate } from './gate/publish-gate.js';
import { SandboxClient } from './gate/sandbox.client.js';
import { LibraryController } from './libraries/library.controller.js';
import { LibraryService } from './libraries/library.service.js';
import { LinkController } from './links/link.controller.js';
import { LinkRepository } from './links/link.repository.js';
import { LinkService } from './links/link.service.js';
import { DestinationReleaseRepository } from './publishing/destination-release.repository.js';
import { DestinationReleaseService } from './publishing/destination-release.service.js';
import { PublishService } from './publishing/publish.service.js';
import { ReleaseController } from './publishing/release.controller.js';
import { RevisionWriter } from './publishing/revision.writer.js';
import { ExternalIdController } from './revisions/external-id.controller.js';
import { PointerRepository } from './revisions/pointer.repository.js';
import { RevisionReader } from './revisions/revision.reader.js';
import { RevisionStore } from './revisions/revision.store.js';
import { SavedTestRepository } from './revisions/saved-test.repository.js';
import { TrialRepository } from './revisions/trial.repository.js';
import { SCHEMA } from './schema.js';
import { RollbackService } from './transformations/rollback.service.js';
import { SavedTestController, TransformationController } from './transformations/transformation.controller.js';
import { TransformationService } from './transformations/transformation.service.js';
import { RollbackList, TrialController } from './trials/trial.controller.js';
import { TrialService } from './trials/trial.service.js';
import { TrialRevertService } from './trials/trial-revert.service.js';

const PROCESS = 'transformation-registry.main';

const CONTROLLERS = [
  TransformationController,
  LibraryController,
  ReleaseController,
  LinkController,
  ExternalIdController,
  CredentialController,
  SavedTestController,
  TrialController,
];
const GATE = [CodeRepository, EventRunner, PlanTester, PointerRepository, PublishGate, SandboxClient];
const REPOSITORIES = [
  CredentialRepository,
  DestinationReleaseRepository,
  LinkRepository,
  RevisionStore,
  RollbackList,
  SavedTestRepository,
  TrialRepository,
];
const SERVICES = [
  BundleService,
  DestinationReleaseService,
  LibraryService,
  LinkService,
  PublishService,
  RevisionReader,
  RevisionWriter,
  RollbackService,
  TransformationService,
  TrialRevertService,
  TrialService,
];

/** Answers `registry.*`. One module, because the features share one gate and one set of pointers. */
@Module({})
export class RegistryModule {
  static register(config: ReturnType<typeof readConfig>): DynamicModule {
    return {
      module: RegistryModule,
      imports: [KitModule.register({ process: PROCESS, config, schema: SCHEMA })],
      controllers: CONTROLLERS,
      providers: [ActsRelay, ReleaseRelay, WorkspaceDatabase, ...GATE, ...REPOSITORIES, ...SERVICES],
    };
  }
}
