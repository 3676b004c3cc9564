import { Controller } from '@nestjs/common';
import { CheckCode, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CodeService } from './code.service.js';
import { KillSwitch } from './kill-switch.js';

/** Answers `sandbox.code.check.v1`. `RunEndpoint` answers `sandbox.code.run.v1`. */
@Controller()
export class CodeController {
  constructor(
    private readonly code: CodeService,
    private readonly killSwitch: KillSwitch,
  ) {}

  @Handles(CheckCode)
  async check(request: RequestOf<typeof CheckCode>): Promise<ReplyOf<typeof CheckCode>> {
    this.killSwitch.assertOn(request.workspaceId);
    return this.code.check(request);
  }
}
