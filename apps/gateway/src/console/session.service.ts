import { Injectable } from '@nestjs/common';
import { AppError, notFound, roleName, storableText } from '@weir/contracts';
import { Database, newKsuid, type Transaction } from '@weir/service-kit';
import type { z } from 'zod';
import { hashOf, TokenAuthenticator } from '../accounts/token.service.js';
import { acting, recordAct } from '../acts/acting.js';
import { pagingOf } from '../http/lists.js';
import type { Principal } from '../http/principal.js';
import { capabilitiesOf, may } from '../http/roles.js';
import { LINKS_MAX, LinkRepository } from './link.repository.js';
import { newSecret } from './secret.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { type Person, type Session, SessionRepository, type SignInMethod } from './session.repository.js';
import type * as schemas from './session.schemas.js';

/** Enough to tell browsers and machines apart in a list. */
const USER_AGENT_CHARS_MAX = 200;

/** The result of a sign-in: the secret of the cookie, and what the page shows. */
export interface NewlySignedIn {
  secret: string;
  session: Session;
}

@Injectable()
export class SessionService {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly authenticator: SessionAuthenticator,
    private readonly links: LinkRepository,
    private readonly tokens: TokenAuthenticator,
  ) {}

  /** Undefined if the credential is unknown, used up, expired or revoked. */
  async signIn(body: schemas.SignInBody, userAgent: string | undefined): Promise<NewlySignedIn | undefined> {
    const secret = await ('token' in body ? this.byToken(body, userAgent) : this.byLink(body.code, userAgent));
    return this.opened(secret);
  }

  private async opened(secret: string | undefined): Promise<NewlySignedIn | undefined> {
    const session = await this.find(secret);
    return secret !== undefined && session ? { secret, session } : undefined;
  }

  private async byToken({ token, email }: { token: string; email?: string | undefined }, userAgent?: string) {
    const person = await this.tokens.authenticate(token, email);
    return person ? this.database.transaction((tx) => this.open(tx, person, 'token', userAgent)) : undefined;
  }

  private byLink(code: string, userAgent?: string): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      const person = await this.links.use(tx, hashOf(code));
      return person && this.open(tx, person, 'link', userAgent);
    });
  }

  /** A person of the identity provider. Undefined if the workspace does not exist. */
  async signInPerson(
    { workspaceId, role, email }: Pick<Person, 'workspaceId' | 'role' | 'email'>,
    userAgent: string | undefined,
  ): Promise<NewlySignedIn | undefined> {
    const person = { workspaceId, role, email, tokenId: null };
    return this.opened(await this.database.transaction((tx) => this.open(tx, person, 'oidc', userAgent)));
  }

  /** Always makes a new secret, so that an attacker cannot prepare a session for another user. */
  private async open(
    tx: Transaction,
    person: Person,
    method: SignInMethod,
    userAgent = '',
  ): Promise<string | undefined> {
    const { workspaceId, email } = person;
    const [id, secret] = [newKsuid(), newSecret()];
    const shownAgent = storableText(userAgent).slice(0, USER_AGENT_CHARS_MAX);
    const isMade = await this.sessions.insert(tx, {
      ...person,
      id,
      hash: hashOf(secret),
      method,
      userAgent: shownAgent,
    });
    if (!isMade) return undefined;
    await acting.run({ actor: email, workspaceId, verb: 'created' }, () =>
      recordAct(tx, { kind: 'session', id, details: { role: person.role, method } }),
    );
    return secret;
  }

  /** The session of a cookie. Null without a live one. */
  find(secret: string | undefined): Promise<Session | null> {
    return secret === undefined ? Promise.resolve(null) : this.authenticator.find(secret);
  }

  /** `path` is the path of the list, for the link to the next page. */
  async list(caller: Principal, page: number, path: string): Promise<z.output<typeof schemas.SessionList>> {
    const [rows, total] = await this.sessions.list(caller.workspaceId, scopeOf(caller), page);
    const sessions = rows.map((row) => ({ ...shown(row), isCurrent: row.sessionId === caller.sessionId }));
    return { sessions, paging: pagingOf(path, page, total) };
  }

  /** Ends a session in every gateway at once. `verb` says whether its owner signed out or another user ended it. */
  async end(caller: Principal, id: string, verb: 'ended' | 'revoked'): Promise<void> {
    await this.database.transaction(async (tx) => {
      const ended = await this.sessions.end(tx, id, caller.workspaceId, scopeOf(caller));
      if (!ended) throw notFound('session');
      await recordAct(tx, { kind: 'session', id, verb, details: { role: ended.role } });
    });
  }

  /** A session makes no links: they would let it go on beyond its end. */
  async link({ tokenId, sessionId }: Principal): Promise<schemas.SignInLink> {
    if (tokenId === null || sessionId !== undefined)
      throw new AppError('forbidden', 'A session cannot make links that sign in: send an access token');
    const code = newSecret();
    const expiresAt = await this.database.transaction((tx) => this.links.insert(tx, tokenId, hashOf(code)));
    if (!expiresAt) throw new AppError('rate_limited', `A token has at most ${LINKS_MAX} open links at a time`);
    return { code, path: `/console#code=${code}`, expiresAt: expiresAt.toISOString() };
  }
}

/** Admins see to all sessions of the workspace, and others to their own. */
const scopeOf = (caller: Principal): Person | undefined => (may(caller.role, 'console', 'tokens') ? undefined : caller);

export function shown(session: Session): schemas.Session {
  const { sessionId: id, email, role, method, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return {
    ...{ id, email, role: roleName(role), method, userAgent },
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

export function signedIn(session: Session): schemas.SignedIn {
  const { workspaceId: id, workspaceName: name, allowFetch, role } = session;
  const capabilities = Object.fromEntries(
    Object.entries(capabilitiesOf(role)).map(([area, granted]) => [area, [...granted]]),
  );
  return { session: shown(session), workspace: { id, name, allowFetch }, capabilities };
}
