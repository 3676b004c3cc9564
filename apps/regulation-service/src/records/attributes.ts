import { Injectable } from '@nestjs/common';
import type { RegulatedUser } from '@weir/contracts';
import { Sealer } from '@weir/service-kit';
import { Pepper } from '../secrets/pepper.js';

/** What ties sealed attributes to their record: they do not open in any other. */
export interface Owner {
  workspaceId: string;
  id: string;
}

/** The identifiers of regulated users as they are stored: sealed with a key that is derived from the pepper. */
@Injectable()
export class Attributes {
  private readonly sealer: Sealer;

  constructor(pepper: Pepper) {
    this.sealer = new Sealer(pepper.derivedKey('attributes'));
  }

  seal(attributes: RegulatedUser, owner: Owner): string {
    return this.sealer.seal(attributes, aad(owner));
  }

  open(sealed: string, owner: Owner): RegulatedUser {
    return this.sealer.open(sealed, aad(owner)) as RegulatedUser;
  }
}

const aad = ({ workspaceId, id }: Owner) => `regulation/${workspaceId}/${id}`;
