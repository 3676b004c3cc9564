import { Injectable } from '@nestjs/common';
import type { Transaction } from '@weir/service-kit';
import type { Person } from './session.repository.js';

/** A link is opened at once. Found later, in a browser history or a terminal log, it is used or expired. */
export const LINK_MS = 120_000;
/** Open links of one token. */
export const LINKS_MAX = 20;

/** Links that sign in once. */
@Injectable()
export class LinkRepository {
  /** The end of the link. Undefined if the token has too many open links. */
  async insert(tx: Transaction, tokenId: string, hash: Buffer): Promise<Date | undefined> {
    await tx.run('DELETE FROM console_links WHERE token_id = $1 AND expires_at < now()', [tokenId]);
    const { rows } = await tx.run<{ expiresAt: Date }>(
      `INSERT INTO console_links (code_hash, token_id, expires_at)
       SELECT $1, $2, now() + $3 * interval '1 millisecond'
       WHERE (SELECT count(*) FROM console_links WHERE token_id = $2) < $4
       RETURNING expires_at AS "expiresAt"`,
      [hash, tokenId, LINK_MS, LINKS_MAX],
    );
    return rows[0]?.expiresAt;
  }

  /** Uses the link up. Of two requests at once, one waits for the other's row and then finds nothing. */
  async use(tx: Transaction, hash: Buffer): Promise<Person | undefined> {
    const { rows } = await tx.run<Person>(
      `WITH used AS (DELETE FROM console_links WHERE code_hash = $1 RETURNING token_id, expires_at)
       SELECT t.id AS "tokenId", t.email, t.role, t.workspace_id AS "workspaceId"
       FROM used JOIN access_tokens t ON t.id = used.token_id
       WHERE used.expires_at > now() AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`,
      [hash],
    );
    return rows[0];
  }
}
