import { Controller } from '@nestjs/common';
import { DeleteLink, GetLink, ListVersionDestinations, PutLink, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { LinkService } from './link.service.js';

@Controller()
export class LinkController {
  constructor(private readonly links: LinkService) {}

  @Handles(PutLink)
  put(request: RequestOf<typeof PutLink>): Promise<ReplyOf<typeof PutLink>> {
    return this.links.put(request);
  }

  @Handles(GetLink)
  get(request: RequestOf<typeof GetLink>): Promise<ReplyOf<typeof GetLink>> {
    return this.links.get(request);
  }

  @Handles(DeleteLink)
  remove(request: RequestOf<typeof DeleteLink>): Promise<ReplyOf<typeof DeleteLink>> {
    return this.links.remove(request);
  }

  @Handles(ListVersionDestinations)
  ofVersions(request: RequestOf<typeof ListVersionDestinations>): Promise<ReplyOf<typeof ListVersionDestinations>> {
    return this.links.ofVersions(request);
  }
}
