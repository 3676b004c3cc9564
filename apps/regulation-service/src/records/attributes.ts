import { Injectable } from '@nestjs/common';
import type { RegulatedUser } from '@weir/contracts';
import { Sealer } from '@weir/service-kit';
import { Pepper } from '../secrets/pepper.js';

/** The record that encrypted attributes belong to. They do not decrypt for any other. */
export interface Owner {
  workspaceId: string;
  id: string;
}

/** Encrypts the identifiers of regulated users with a key derived from the pepper. */
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
