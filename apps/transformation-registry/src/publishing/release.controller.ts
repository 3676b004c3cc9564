import { Controller } from '@nestjs/common';
import {
  GetBundle,
  GetDestinationRelease,
  ListReleasesSince,
  PublishRelease,
  type ReplyOf,
  type RequestOf,
  TestRelease,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { BundleService } from '../bundles/bundle.service.js';
import { DestinationReleaseService } from './destination-release.service.js';
import { PublishService } from './publish.service.js';

@Controller()
export class ReleaseController {
  constructor(
    private readonly publishing: PublishService,
    private readonly releases: DestinationReleaseService,
    private readonly bundles: BundleService,
  ) {}

  @Handles(PublishRelease)
  publish(request: RequestOf<typeof PublishRelease>): Promise<ReplyOf<typeof PublishRelease>> {
    return this.publishing.publish(request);
  }

  @Handles(TestRelease)
  test(request: RequestOf<typeof TestRelease>): Promise<ReplyOf<typeof TestRelease>> {
    return this.publishing.test(request);
  }

  @Handles(ListReleasesSince)
  since({ after }: RequestOf<typeof ListReleasesSince>): Promise<ReplyOf<typeof ListReleasesSince>> {
    return this.releases.since(after);
  }

  @Handles(GetDestinationRelease)
  async live({
    workspaceId,
    destinationId,
  }: RequestOf<typeof GetDestinationRelease>): Promise<ReplyOf<typeof GetDestinationRelease>> {
    return { release: (await this.releases.live(workspaceId, destinationId)) ?? null };
  }

  @Handles(GetBundle)
  bundle(request: RequestOf<typeof GetBundle>): Promise<ReplyOf<typeof GetBundle>> {
    return this.bundles.get(request);
  }
}
