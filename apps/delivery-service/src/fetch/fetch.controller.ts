import { Controller } from '@nestjs/common';
import { FetchUrl, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { FetchService } from './fetch.service.js';

@Controller()
export class FetchController {
  constructor(private readonly fetches: FetchService) {}

  @Handles(FetchUrl)
  fetch(request: RequestOf<typeof FetchUrl>): Promise<ReplyOf<typeof FetchUrl>> {
    return this.fetches.fetch(request);
  }
}
