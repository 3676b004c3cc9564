import { networkInterfaces } from 'node:os';
import {
  type Address,
  isInRange,
  isOwnMachine,
  isPublicAddress,
  parseAddress,
  parseRange,
  type Range,
  unmapped,
} from './address.js';
import { blocked } from './errors.js';
import { isInternalName, parseSocketTarget, type Target } from './target.js';

/** Usual ports of webhooks. Other ports carry other protocols, and speaking HTTP to them is an attack. */
const HTTP_PORTS = new Set([80, 443, 8443]);

/** `http` is limited to web ports and TLS. Other protocols use their own ports. */
export type Protocol = 'http' | 'socket';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Returns every address of a name. `isOwn` is set for Weir's own services. */
export type Lookup = (host: string, how: { isOwn: boolean }) => Promise<ResolvedAddress[]>;

export interface GuardOptions {
  /** Ranges that are open although they are not public. The scheme, port and name rules do not apply to them. */
  allowCidrs: readonly string[];
  /** `host:port` of Weir's own database and broker. Refused even if an allowed range includes it. */
  refuse: readonly string[];
  /** Whether `http:` may go to the public internet. */
  allowHttp?: boolean;
}

/** Decides where Weir may connect to. The README lists the rules. */
export class Guard {
  private readonly allowed: Range[];
  private readonly refused: Target[];
  private readonly allowHttp: boolean;

  constructor(
    options: GuardOptions,
    private readonly lookup: Lookup,
  ) {
    this.allowed = options.allowCidrs.map(parseRange);
    this.refused = options.refuse.map(parseHostAndPort);
    this.allowHttp = options.allowHttp ?? false;
  }

  /**
   * Resolves the host once and returns the addresses to connect to. Throws `blocked` unless all of them are allowed. The caller
   * must connect to these addresses and not look up the name again, because a second answer could differ.
   */
  async addressesFor(target: Target, protocol: Protocol): Promise<ResolvedAddress[]> {
    const publicIsFine = this.isFineInPublic(target, protocol);
    if (!publicIsFine && this.allowed.length === 0) throw blocked();
    const found = await this.resolve(target.host).catch((error) => {
      // Must not reveal whether an internal name exists.
      throw publicIsFine ? error : blocked();
    });
    const forbidden = await this.ownAddresses(target.port);
    const isFine = ({ address }: ResolvedAddress) => this.isAllowed(address, publicIsFine, forbidden);
    if (found.length === 0 || !found.every(isFine)) throw blocked();
    return found;
  }

  /** Applies the rules that do not depend on the address. */
  private isFineInPublic({ host, port, secure }: Target, protocol: Protocol): boolean {
    if (isInternalName(host)) return false;
    return protocol === 'socket' || ((secure || this.allowHttp) && HTTP_PORTS.has(port));
  }

  private isAllowed(text: string, publicIsFine: boolean, forbidden: Set<string>): boolean {
    const address = parseAddress(text);
    if (!address) return false;
    const real = unmapped(address);
    if (forbidden.has(real.toString()) || (forbidden.has(OWN_MACHINE) && isOwnMachine(real))) return false;
    return isInRange(real, this.allowed) || (publicIsFine && isPublicAddress(address));
  }

  private async resolve(host: string, isOwn = false): Promise<ResolvedAddress[]> {
    const literal = parseAddress(host);
    if (!literal) return this.lookup(host, { isOwn });
    return [{ address: host, family: literal.kind() === 'ipv4' ? 4 : 6 }];
  }

  /**
   * Addresses of Weir's own services on this port. Looked up for each connection, because a database may move. Only refused ports
   * cost a lookup. If a service's name does not resolve, the port is closed, because any address could be that service.
   */
  private async ownAddresses(port: number): Promise<Set<string>> {
    const hosts = this.refused.filter((own) => own.port === port).map((own) => own.host);
    const answers = await Promise.all(
      hosts.map((host) => this.resolve(host, true).catch(() => Promise.reject(blocked()))),
    );
    const addresses = answers.flat().flatMap(({ address }) => parseAddress(address) ?? []);
    return withOwnMachine(addresses.map(unmapped));
  }
}

const OWN_MACHINE = 'own machine';

/** Any address of this machine reaches a service on this machine. */
function withOwnMachine(addresses: Address[]): Set<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = interfaces.flatMap(({ address }) => parseAddress(address)?.toString() ?? []);
  const texts = addresses.map(String);
  const isLocal = addresses.some(isOwnMachine) || texts.some((text) => own.includes(text));
  return new Set(isLocal ? [...texts, ...own, OWN_MACHINE] : texts);
}

function parseHostAndPort(text: string): Target {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (host === '') throw new TypeError(`"${text}" is not host:port`);
  return parseSocketTarget(host, Number(port), false);
}
