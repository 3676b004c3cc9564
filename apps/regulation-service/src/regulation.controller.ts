import { Controller } from '@nestjs/common';
import {
  AbortDestinationTasks,
  AppendAudit,
  CancelRegulation,
  CheckSuppression,
  CreateRegulation,
  GetRegulation,
  GetRegulationReceipt,
  HoldAnswers,
  ListAudit,
  ListOverdueDeletions,
  ListReceiptKeys,
  ListRegulations,
  PlanRegulation,
  RecallRegulation,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { AnswerLeases } from './answers/answer-leases.js';
import { AuditService } from './audit/audit.service.js';
import { DeletionService } from './deletion/deletion.service.js';
import { OverdueDeletions } from './deletion/task.repository.js';
import { ReceiptService } from './receipts/receipt.service.js';
import { CreationService } from './regulations/creation.service.js';
import { RegulationService } from './regulations/regulation.service.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** Every call that this service answers. */
@Controller()
export class RegulationController {
  constructor(
    private readonly creation: CreationService,
    private readonly regulations: RegulationService,
    private readonly suppressions: SuppressionService,
    private readonly answers: AnswerLeases,
    private readonly deletions: DeletionService,
    private readonly receipts: ReceiptService,
    private readonly audit: AuditService,
    private readonly overdue: OverdueDeletions,
  ) {}

  @Handles(AppendAudit)
  async appendAudit(act: RequestOf<typeof AppendAudit>): Promise<ReplyOf<typeof AppendAudit>> {
    await this.audit.append(act);
    return {};
  }

  @Handles(ListAudit)
  listAudit(request: RequestOf<typeof ListAudit>): Promise<ReplyOf<typeof ListAudit>> {
    return this.audit.list(request);
  }

  @Handles(CreateRegulation)
  create(request: RequestOf<typeof CreateRegulation>): Promise<ReplyOf<typeof CreateRegulation>> {
    return this.creation.create(request);
  }

  @Handles(RecallRegulation)
  recall(request: RequestOf<typeof RecallRegulation>): Promise<ReplyOf<typeof RecallRegulation>> {
    return this.creation.recall(request);
  }

  @Handles(PlanRegulation)
  plan(request: RequestOf<typeof PlanRegulation>): Promise<ReplyOf<typeof PlanRegulation>> {
    return this.creation.plan(request);
  }

  @Handles(ListRegulations)
  list(request: RequestOf<typeof ListRegulations>): Promise<ReplyOf<typeof ListRegulations>> {
    return this.regulations.list(request);
  }

  @Handles(GetRegulation)
  get(request: RequestOf<typeof GetRegulation>): Promise<ReplyOf<typeof GetRegulation>> {
    return this.regulations.get(request);
  }

  @Handles(CancelRegulation)
  async cancel(request: RequestOf<typeof CancelRegulation>): Promise<ReplyOf<typeof CancelRegulation>> {
    await this.regulations.cancel(request);
    return {};
  }

  @Handles(CheckSuppression)
  check(request: RequestOf<typeof CheckSuppression>): Promise<ReplyOf<typeof CheckSuppression>> {
    return this.suppressions.check(request);
  }

  @Handles(HoldAnswers)
  hold(request: RequestOf<typeof HoldAnswers>): Promise<ReplyOf<typeof HoldAnswers>> {
    return this.answers.hold(request);
  }

  @Handles(AbortDestinationTasks)
  async abort(request: RequestOf<typeof AbortDestinationTasks>): Promise<ReplyOf<typeof AbortDestinationTasks>> {
    await this.deletions.abortDestination(request.workspaceId, request.destinationId);
    return {};
  }

  @Handles(GetRegulationReceipt)
  receipt(request: RequestOf<typeof GetRegulationReceipt>): Promise<ReplyOf<typeof GetRegulationReceipt>> {
    return this.receipts.issue(request);
  }

  @Handles(ListReceiptKeys)
  async listReceiptKeys(): Promise<ReplyOf<typeof ListReceiptKeys>> {
    return this.receipts.listKeys();
  }

  @Handles(ListOverdueDeletions)
  async listOverdue({
    workspaceIds,
  }: RequestOf<typeof ListOverdueDeletions>): Promise<ReplyOf<typeof ListOverdueDeletions>> {
    return { overdue: await this.overdue.list(workspaceIds) };
  }
}
