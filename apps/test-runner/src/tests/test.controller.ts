import { Controller } from '@nestjs/common';
import { type ReplyOf, type RequestOf, TestDestination } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { TestService } from './test.service.js';

@Controller()
export class TestController {
  constructor(private readonly tests: TestService) {}

  @Handles(TestDestination)
  test(request: RequestOf<typeof TestDestination>): Promise<ReplyOf<typeof TestDestination>> {
    return this.tests.test(request);
  }
}
