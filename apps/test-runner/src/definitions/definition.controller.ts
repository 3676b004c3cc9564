import { Controller } from '@nestjs/common';
import { ListDefinitions, type ReplyOf, type RequestOf } from '@weir/contracts';
import { destinationDefinitions } from '@weir/destinations';
import { Handles } from '@weir/messaging';
import { pageOfDefinitions } from './definition-page.js';

@Controller()
export class DefinitionController {
  @Handles(ListDefinitions)
  async list({ after }: RequestOf<typeof ListDefinitions>): Promise<ReplyOf<typeof ListDefinitions>> {
    return pageOfDefinitions(destinationDefinitions(), after);
  }
}
