import { Controller } from '@nestjs/common';
import { GetRegulationReceipt, ListReceiptKeys, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { ReceiptService } from './receipt.service.js';

@Controller()
export class ReceiptController {
  constructor(private readonly receipts: ReceiptService) {}

  @Handles(GetRegulationReceipt)
  issue(request: RequestOf<typeof GetRegulationReceipt>): Promise<ReplyOf<typeof GetRegulationReceipt>> {
    return this.receipts.issue(request);
  }

  @Handles(ListReceiptKeys)
  async listKeys(): Promise<ReplyOf<typeof ListReceiptKeys>> {
    return this.receipts.listKeys();
  }
}
