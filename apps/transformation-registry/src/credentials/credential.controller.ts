import { Controller } from '@nestjs/common';
import { DeleteCredential, ListCredentials, PutCredential, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CredentialService } from './credential.service.js';

@Controller()
export class CredentialController {
  constructor(private readonly credentials: CredentialService) {}

  @Handles(PutCredential)
  put(request: RequestOf<typeof PutCredential>): Promise<ReplyOf<typeof PutCredential>> {
    return this.credentials.put(request);
  }

  @Handles(ListCredentials)
  async list({ workspaceId }: RequestOf<typeof ListCredentials>): Promise<ReplyOf<typeof ListCredentials>> {
    return { credentials: await this.credentials.list(workspaceId) };
  }

  @Handles(DeleteCredential)
  async remove({ workspaceId, key }: RequestOf<typeof DeleteCredential>): Promise<ReplyOf<typeof DeleteCredential>> {
    await this.credentials.remove(workspaceId, key);
    return {};
  }
}
