import { Controller } from '@nestjs/common';
import { CheckCode, type ReplyOf, type RequestOf, RunCode } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CodeService } from './code.service.js';
import { KillSwitch } from './kill-switch.js';

@Controller()
export class CodeController {
  constructor(
    private readonly code: CodeService,
    private readonly killSwitch: KillSwitch,
  ) {}

  @Handles(RunCode)
  async run(request: RequestOf<typeof RunCode>): Promise<ReplyOf<typeof RunCode>> {
    this.killSwitch.assertOn(request.workspaceId);
    return this.code.run(request);
  }

  @Handles(CheckCode)
  async check(request: RequestOf<typeof CheckCode>): Promise<ReplyOf<typeof CheckCode>> {
    this.killSwitch.assertOn(request.workspaceId);
    return this.code.check(request);
  }
}
