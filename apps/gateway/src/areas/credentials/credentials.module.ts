import { Module } from '@nestjs/common';
import { CredentialController } from './credential.controller.js';
import { CredentialService } from './credential.service.js';

/** Credentials of user code, in front of the transformation registry. */
@Module({ controllers: [CredentialController], providers: [CredentialService], exports: [CredentialService] })
export class CredentialsModule {}
