import { Controller } from '@nestjs/common';
import { GetSourcePrivacy, ListPiiFlags, PutSourcePrivacy, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { PrivacyService } from './privacy.service.js';

@Controller()
export class PrivacyController {
  constructor(private readonly privacy: PrivacyService) {}

  @Handles(GetSourcePrivacy)
  get({ writeKey }: RequestOf<typeof GetSourcePrivacy>): Promise<ReplyOf<typeof GetSourcePrivacy>> {
    return this.privacy.get(writeKey);
  }

  @Handles(PutSourcePrivacy)
  put({ writeKey, privacy }: RequestOf<typeof PutSourcePrivacy>): Promise<ReplyOf<typeof PutSourcePrivacy>> {
    return this.privacy.put(writeKey, privacy);
  }

  @Handles(ListPiiFlags)
  async piiFlags({ eventId }: RequestOf<typeof ListPiiFlags>): Promise<ReplyOf<typeof ListPiiFlags>> {
    return { flags: await this.privacy.piiFlags(eventId) };
  }
}
