import { Controller, Get } from '@nestjs/common';
import { Api } from '../../http/api.js';
import { ReceiptKeys } from './regulation.schemas.js';
import { RegulationService } from './regulation.service.js';

/** Public, because anybody who sees a receipt must be able to verify it. */
@Controller('v2/receipt-keys')
export class ReceiptKeyController {
  constructor(private readonly regulations: RegulationService) {}

  @Get()
  @Api({
    summary: 'Public keys that receipts of deletions are signed with',
    description: 'JSON Web Keys (RFC 8037). The first signs now; the others signed before.',
    area: 'public',
    access: 'none',
    reply: ReceiptKeys,
    errors: ['unavailable', 'timeout'],
  })
  list() {
    return this.regulations.receiptKeys();
  }
}
